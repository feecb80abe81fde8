/** Auth tokens, and the permissions to pour that they gave. */
export const accessSchema = `
CREATE TABLE auth_tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  auth_device TEXT NOT NULL CHECK (length(auth_device) BETWEEN 1 AND 64),
  token_value TEXT NOT NULL CHECK (length(token_value) BETWEEN 1 AND 128),
  nice_name TEXT NOT NULL DEFAULT '' CHECK (length(nice_name) <= 256),
  pin TEXT NOT NULL DEFAULT '' CHECK (length(pin) <= 256),
  user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  created_time_ms INTEGER NOT NULL CHECK (created_time_ms >= 0),
  expire_time_ms INTEGER CHECK (expire_time_ms >= 0),
  UNIQUE (auth_device, token_value)
) STRICT;
-- Device names contain dots, so the dotted name of a token cannot be split.
CREATE INDEX auth_tokens_by_dotted ON auth_tokens (auth_device || '.' || token_value);
CREATE INDEX auth_tokens_by_value ON auth_tokens (token_value);
CREATE INDEX auth_tokens_by_user ON auth_tokens (user_id);
-- Most readers send the last four bytes of a card, some more.
CREATE INDEX auth_tokens_by_end ON auth_tokens (substr(token_value, -8));

-- Further forms in which readers send the token; each belongs to one token, and none is the value of another one.
CREATE TABLE token_forms (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  token_id INTEGER NOT NULL REFERENCES auth_tokens (id) ON DELETE CASCADE,
  auth_device TEXT NOT NULL CHECK (length(auth_device) BETWEEN 1 AND 64),
  token_value TEXT NOT NULL CHECK (length(token_value) BETWEEN 1 AND 128),
  UNIQUE (auth_device, token_value)
) STRICT;
CREATE INDEX token_forms_by_token ON token_forms (token_id);
CREATE INDEX token_forms_by_value ON token_forms (token_value);

-- Every presented token with its latest presentment; those without an auth token are offered to staff.
CREATE TABLE presented_tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Empty for a value without a device.
  auth_device TEXT NOT NULL CHECK (length(auth_device) <= 64),
  token_value TEXT NOT NULL CHECK (length(token_value) BETWEEN 1 AND 128),
  -- What a reader of this machine sent, where it is more than the value.
  raw TEXT CHECK (length(raw) <= 64),
  device TEXT NOT NULL CHECK (length(device) <= 128),
  times INTEGER NOT NULL CHECK (times >= 1),
  last_time_ms INTEGER NOT NULL CHECK (last_time_ms >= 0),
  UNIQUE (auth_device, token_value)
) STRICT;

CREATE TABLE grants (
  serial INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 64),
  device TEXT NOT NULL CHECK (length(device) <= 64),
  user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  auth_device TEXT NOT NULL CHECK (length(auth_device) <= 64),
  token_value TEXT NOT NULL CHECK (length(token_value) <= 128),
  -- For grants of the daemon only, a kegboard keeps its own. A grant of an earlier boot never opens a valve again.
  boot_id TEXT CHECK (length(boot_id) <= 64),
  -- Null as long as the clock is not set.
  granted_time_ms INTEGER CHECK (granted_time_ms >= 0),
  ended_time_ms INTEGER CHECK (ended_time_ms >= 0),
  ended_reason TEXT CHECK (length(ended_reason) <= 32),
  volume_ml REAL CHECK (volume_ml >= 0)
) STRICT;
CREATE INDEX grants_by_user ON grants (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX grants_open ON grants (boot_id) WHERE ended_reason IS NULL AND boot_id IS NOT NULL;

-- The taps that a grant opened. Its pours are those on the meter between these two monotonic times, whenever they are
-- recorded.
CREATE TABLE grant_taps (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  grant_id TEXT NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
  tap_id INTEGER REFERENCES taps (id) ON DELETE SET NULL,
  meter TEXT CHECK (length(meter) <= 300),
  toggle TEXT CHECK (length(toggle) <= 300),
  boot_id TEXT NOT NULL CHECK (length(boot_id) <= 64),
  granted_mono_ms REAL NOT NULL,
  ended_mono_ms REAL
) STRICT;
CREATE INDEX grant_taps_by_grant ON grant_taps (grant_id);
CREATE INDEX grant_taps_by_meter ON grant_taps (meter, boot_id, granted_mono_ms);
CREATE INDEX grant_taps_open ON grant_taps (tap_id) WHERE ended_mono_ms IS NULL;
CREATE INDEX grant_taps_by_tap ON grant_taps (tap_id) WHERE tap_id IS NOT NULL;
`;
