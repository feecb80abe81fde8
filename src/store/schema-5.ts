/** Accounts: who is logged in. */
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
`;
