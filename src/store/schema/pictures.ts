/** Pictures, and the quota of uploads. */
export const picturesSchema = `
-- The files are beside the database under this name. Keg, session and user of a drink's picture are the drink's.
CREATE TABLE pictures (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- 128 random bits, so that the address of a picture reveals no other.
  name TEXT NOT NULL UNIQUE CHECK (length(name) = 32),
  caption TEXT NOT NULL DEFAULT '' CHECK (length(caption) <= 1000),
  drink_id INTEGER UNIQUE REFERENCES drinks (id) ON DELETE CASCADE,
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  beverage_id INTEGER REFERENCES beverages (id) ON DELETE CASCADE,
  producer_id INTEGER REFERENCES producers (id) ON DELETE CASCADE,
  site_id INTEGER REFERENCES site (id) ON DELETE CASCADE,
  site_logo_id INTEGER REFERENCES site (id) ON DELETE CASCADE,
  keg_id INTEGER UNIQUE REFERENCES kegs (id) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX picture_of_user ON pictures (user_id) WHERE user_id IS NOT NULL;
CREATE UNIQUE INDEX pictures_of_beverage ON pictures (beverage_id) WHERE beverage_id IS NOT NULL;
CREATE UNIQUE INDEX pictures_of_producer ON pictures (producer_id) WHERE producer_id IS NOT NULL;
CREATE UNIQUE INDEX picture_of_site ON pictures (site_id) WHERE site_id IS NOT NULL;
CREATE UNIQUE INDEX logo_of_site ON pictures (site_logo_id) WHERE site_logo_id IS NOT NULL;

-- Uploads of the last 24 hours, for the quota of each user.
CREATE TABLE picture_uploads (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  time_ms INTEGER NOT NULL CHECK (time_ms >= 0),
  bytes INTEGER NOT NULL CHECK (bytes >= 0)
) STRICT;
CREATE INDEX picture_uploads_of_user ON picture_uploads (user_id, time_ms);

-- Pictures of cancelled drinks: not shown; their files are kept as long as the row is.
CREATE TABLE cancelled_pictures (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE CHECK (length(name) = 32)
) STRICT;
`;
