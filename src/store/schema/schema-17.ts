/** Short numbers for shared tablets: whose they are, which tablets the house knows, and on which one a change was made. */
export const schema17 = `
CREATE TABLE pins (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  pin_hash TEXT NOT NULL CHECK (length(pin_hash) <= 512),
  -- Wrong ones since the last right one; too many, and only a password helps.
  wrong INTEGER NOT NULL DEFAULT 0 CHECK (wrong >= 0)
) STRICT;

CREATE TABLE tablets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
  -- The token itself lies in the tablet's cookie only.
  token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  enrolled_by INTEGER REFERENCES users (id) ON DELETE SET NULL,
  created_time_ms INTEGER NOT NULL CHECK (created_time_ms >= 0),
  seen_time_ms INTEGER NOT NULL CHECK (seen_time_ms >= 0)
) STRICT;
CREATE INDEX tablets_by_enroller ON tablets (enrolled_by) WHERE enrolled_by IS NOT NULL;

-- What the tablet was called on which somebody confirmed the change with a PIN; null for every other door.
ALTER TABLE audit_entries ADD COLUMN tablet TEXT CHECK (length(tablet) BETWEEN 1 AND 64);
`;
