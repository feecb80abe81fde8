/** Accounts: who is logged in, what they look like; and more settings of the house. */
export const schema5 = `
CREATE TABLE logins (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The token itself lies in the browser's cookie only.
  token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  data TEXT NOT NULL CHECK (json_valid(data) AND length(data) <= 4096),
  created_time_ms INTEGER NOT NULL CHECK (created_time_ms >= 0),
  seen_time_ms INTEGER NOT NULL CHECK (seen_time_ms >= 0),
  expire_time_ms INTEGER NOT NULL CHECK (expire_time_ms >= 0),
  -- Where the last use lies on the monotonic clock, while nobody had set the other one.
  unset_boot_id TEXT CHECK (length(unset_boot_id) <= 64),
  unset_mono_ms REAL
) STRICT;
CREATE INDEX logins_by_user ON logins (user_id, id);
CREATE INDEX logins_by_end ON logins (expire_time_ms);

-- Settings that came after the first ones, by name; those absent are as the program declares them.
ALTER TABLE site ADD COLUMN settings TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(settings) AND length(settings) <= 16384);

ALTER TABLE pictures ADD COLUMN site_id INTEGER REFERENCES site (id) ON DELETE CASCADE;
ALTER TABLE pictures ADD COLUMN user_id INTEGER REFERENCES users (id) ON DELETE CASCADE;
CREATE UNIQUE INDEX picture_of_site ON pictures (site_id) WHERE site_id IS NOT NULL;
CREATE UNIQUE INDEX picture_of_user ON pictures (user_id) WHERE user_id IS NOT NULL;
`;
