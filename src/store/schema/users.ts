/** User accounts and what authenticates them: passwords, API keys, logins, mailed links, PINs and shared tablets. */
export const usersSchema = `
CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  username TEXT NOT NULL CHECK (length(username) BETWEEN 1 AND 30),
  -- The form by which usernames are compared; one name has one form.
  username_key TEXT NOT NULL UNIQUE CHECK (length(username_key) BETWEEN 1 AND 60),
  display_name TEXT NOT NULL CHECK (length(display_name) BETWEEN 1 AND 127),
  email TEXT NOT NULL DEFAULT '' CHECK (length(email) <= 254),
  password_hash TEXT CHECK (length(password_hash) <= 512),
  is_staff INTEGER NOT NULL CHECK (is_staff IN (0, 1)),
  is_superuser INTEGER NOT NULL CHECK (is_superuser IN (0, 1)),
  is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  joined_time_ms INTEGER NOT NULL CHECK (joined_time_ms >= 0),
  -- The language of mails to the user; null: the default of the program.
  notification_language TEXT CHECK (length(notification_language) BETWEEN 2 AND 35)
) STRICT;

-- Names that accounts had before they were renamed. An old name still names its account, and no other account can take
-- it; its owner may take it back.
CREATE TABLE user_aliases (
  username_key TEXT PRIMARY KEY CHECK (length(username_key) BETWEEN 1 AND 60),
  username TEXT NOT NULL CHECK (length(username) BETWEEN 1 AND 30),
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX user_aliases_by_user ON user_aliases (user_id);
CREATE TRIGGER user_name_unlike_aliases BEFORE INSERT ON users
WHEN EXISTS (SELECT 1 FROM user_aliases WHERE username_key = NEW.username_key) BEGIN
  SELECT raise(ABORT, 'The name is an alias.');
END;
CREATE TRIGGER user_rename_unlike_aliases BEFORE UPDATE OF username_key ON users
WHEN EXISTS (SELECT 1 FROM user_aliases WHERE username_key = NEW.username_key) BEGIN
  SELECT raise(ABORT, 'The name is an alias.');
END;
CREATE TRIGGER alias_unlike_user_names BEFORE INSERT ON user_aliases
WHEN EXISTS (SELECT 1 FROM users WHERE username_key = NEW.username_key) BEGIN
  SELECT raise(ABORT, 'The alias is a name.');
END;

CREATE TABLE api_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The first characters of the key find the row; the hash decides.
  prefix TEXT NOT NULL CHECK (length(prefix) = 8),
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  description TEXT NOT NULL CHECK (length(description) <= 256),
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  created_time_ms INTEGER NOT NULL CHECK (created_time_ms >= 0),
  last_used_time_ms INTEGER CHECK (last_used_time_ms >= 0),
  last_used_address TEXT CHECK (length(last_used_address) <= 64)
) STRICT;
CREATE INDEX api_keys_by_prefix ON api_keys (prefix);
CREATE INDEX api_keys_by_user ON api_keys (user_id);

CREATE TABLE logins (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The token itself is stored in the browser's cookie only.
  token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  data TEXT NOT NULL CHECK (json_valid(data) AND length(data) <= 4096),
  created_time_ms INTEGER NOT NULL CHECK (created_time_ms >= 0),
  seen_time_ms INTEGER NOT NULL CHECK (seen_time_ms >= 0),
  expire_time_ms INTEGER NOT NULL CHECK (expire_time_ms >= 0),
  -- The last use on the monotonic clock, as long as the wall clock is not set.
  unset_boot_id TEXT CHECK (length(unset_boot_id) <= 64),
  unset_mono_ms REAL
) STRICT;
CREATE INDEX logins_by_user ON logins (user_id, id);
CREATE INDEX logins_by_end ON logins (expire_time_ms);

-- Links sent by mail that permit one action once: to register, to choose a password, to confirm an address.
CREATE TABLE mailed_secrets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  purpose TEXT NOT NULL CHECK (purpose IN ('invitation', 'activation', 'password_reset', 'confirm_email')),
  -- The user who invites, or whose account it is about. Null: permits nothing, and is created so that a request for an
  -- unknown address takes as long as one for a known address.
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  -- The secret itself is in the mail only.
  secret_hash BLOB NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
  -- The address it was sent to: it becomes invalid when the account has another one.
  email TEXT NOT NULL CHECK (length(email) <= 254),
  created_time_ms INTEGER NOT NULL CHECK (created_time_ms >= 0),
  -- Null: valid until it is used.
  life_ms INTEGER CHECK (life_ms > 0),
  -- Its creation on the monotonic clock, as long as the wall clock is not set.
  unset_boot_id TEXT CHECK (length(unset_boot_id) <= 64),
  unset_mono_ms REAL
) STRICT;
CREATE INDEX mailed_secrets_by_user ON mailed_secrets (user_id, purpose, id);

CREATE TABLE pins (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  pin_hash TEXT NOT NULL CHECK (length(pin_hash) <= 512),
  -- Wrong PINs since the last right one; after too many, only the password helps.
  wrong INTEGER NOT NULL DEFAULT 0 CHECK (wrong >= 0)
) STRICT;

-- Erasures of users that are not finished. What a person can be found by is stored until the last trace is removed.
CREATE TABLE erasures (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  traces TEXT NOT NULL CHECK (json_valid(traces)),
  -- The program knows the parts.
  part INTEGER NOT NULL DEFAULT 0 CHECK (part >= 0),
  -- Rows of the part up to this one are clean.
  last_row INTEGER NOT NULL DEFAULT 0 CHECK (last_row >= 0)
) STRICT;

CREATE TABLE tablets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
  -- The token itself is stored in the tablet's cookie only.
  token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  enrolled_by INTEGER REFERENCES users (id) ON DELETE SET NULL,
  created_time_ms INTEGER NOT NULL CHECK (created_time_ms >= 0),
  seen_time_ms INTEGER NOT NULL CHECK (seen_time_ms >= 0)
) STRICT;
CREATE INDEX tablets_by_enroller ON tablets (enrolled_by) WHERE enrolled_by IS NOT NULL;
`;
