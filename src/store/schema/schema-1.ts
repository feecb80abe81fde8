/**
 * The first schema. Times are unix milliseconds, volumes millilitres. Ids of things that events, pages and other
 * programs remember are never given out twice (AUTOINCREMENT).
 */
export const schema1 = `
CREATE TABLE site (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  title TEXT NOT NULL CHECK (length(title) BETWEEN 1 AND 64),
  privacy TEXT NOT NULL CHECK (privacy IN ('public', 'members', 'staff')),
  time_zone TEXT NOT NULL CHECK (length(time_zone) BETWEEN 1 AND 64),
  volume_units TEXT NOT NULL CHECK (volume_units IN ('metric', 'imperial')),
  temperature_units TEXT NOT NULL CHECK (temperature_units IN ('c', 'f')),
  session_timeout_minutes INTEGER NOT NULL CHECK (session_timeout_minutes BETWEEN 0 AND 525600),
  is_set_up INTEGER NOT NULL CHECK (is_set_up IN (0, 1)),
  -- The newest stamp ever taken from a set clock; an unset clock never starts below it.
  newest_synced_ms INTEGER CHECK (newest_synced_ms >= 0)
) STRICT;
INSERT INTO site VALUES (1, 'Tapster', 'public', 'UTC', 'imperial', 'f', 180, 0, NULL);

CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  username TEXT NOT NULL UNIQUE CHECK (length(username) BETWEEN 1 AND 30),
  display_name TEXT NOT NULL CHECK (length(display_name) BETWEEN 1 AND 127),
  email TEXT NOT NULL DEFAULT '' CHECK (length(email) <= 254),
  password_hash TEXT CHECK (length(password_hash) <= 512),
  is_staff INTEGER NOT NULL CHECK (is_staff IN (0, 1)),
  is_superuser INTEGER NOT NULL CHECK (is_superuser IN (0, 1)),
  is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  joined_time_ms INTEGER NOT NULL CHECK (joined_time_ms >= 0)
) STRICT;

CREATE TABLE api_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The first digits of the secret find the row; the hash decides.
  prefix TEXT NOT NULL CHECK (length(prefix) = 8),
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  description TEXT NOT NULL CHECK (length(description) <= 256),
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  created_time_ms INTEGER NOT NULL CHECK (created_time_ms >= 0),
  last_used_time_ms INTEGER CHECK (last_used_time_ms >= 0)
) STRICT;
CREATE INDEX api_keys_by_prefix ON api_keys (prefix);
CREATE INDEX api_keys_by_user ON api_keys (user_id);

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
-- Device names contain dots, so the dotted address of a token is only known as a whole.
CREATE INDEX auth_tokens_by_dotted ON auth_tokens (auth_device || '.' || token_value);
CREATE INDEX auth_tokens_by_value ON auth_tokens (token_value);
CREATE INDEX auth_tokens_by_user ON auth_tokens (user_id);

CREATE TABLE producers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 255),
  country TEXT NOT NULL CHECK (length(country) = 3)
) STRICT;
CREATE INDEX producers_by_name ON producers (name);

CREATE TABLE beverages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 255),
  producer_id INTEGER NOT NULL REFERENCES producers (id) ON DELETE RESTRICT,
  beverage_type TEXT NOT NULL CHECK (beverage_type IN ('beer', 'wine', 'soda', 'kombucha', 'other')),
  style TEXT CHECK (length(style) BETWEEN 1 AND 255),
  abv_percent REAL CHECK (abv_percent BETWEEN 0 AND 100),
  calories_per_ml REAL CHECK (calories_per_ml BETWEEN 0 AND 100),
  color_hex TEXT NOT NULL CHECK (color_hex GLOB '#[0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f]')
) STRICT;
CREATE INDEX beverages_by_name ON beverages (name, producer_id);
CREATE INDEX beverages_by_producer ON beverages (producer_id);

CREATE TABLE keg_sizes (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE CHECK (length(key) BETWEEN 1 AND 64),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
  volume_ml REAL NOT NULL CHECK (volume_ml >= 0)
) STRICT;
INSERT INTO keg_sizes (id, key, name, volume_ml) VALUES
  (1, 'mini', 'Mini Keg (5 L)', 5000),
  (2, 'corny-2_5-gal', 'Corny Keg (2.5 gal)', 9463.53),
  (3, 'corny-3-gal', 'Corny Keg (3.0 gal)', 11356.2),
  (4, 'corny', 'Corny Keg (5 gal)', 18927.1),
  (5, 'sixth', 'Sixth Barrel (5.17 gal)', 19570.6),
  (6, 'quarter', 'Quarter Barrel (7.75 gal)', 29336.9),
  (7, 'euro-30-liter', 'European DIN (30 L)', 30000),
  (8, 'euro-half', 'European Half Barrel (50 L)', 50000),
  (9, 'half-barrel', 'Half Barrel (15.5 gal)', 58673.9),
  (10, 'euro', 'European Full Barrel (100 L)', 100000),
  (11, 'other', 'Other', 0);

CREATE TABLE kegs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  beverage_id INTEGER NOT NULL REFERENCES beverages (id) ON DELETE RESTRICT,
  size_id INTEGER NOT NULL REFERENCES keg_sizes (id),
  state TEXT NOT NULL CHECK (state IN ('available', 'on_tap', 'finished')),
  full_volume_ml REAL NOT NULL CHECK (full_volume_ml > 0 AND full_volume_ml <= 10000000),
  served_volume_ml REAL NOT NULL DEFAULT 0 CHECK (served_volume_ml >= 0),
  spilled_volume_ml REAL NOT NULL DEFAULT 0 CHECK (spilled_volume_ml >= 0),
  description TEXT NOT NULL CHECK (length(description) <= 10000),
  notes TEXT NOT NULL CHECK (length(notes) <= 10000),
  created_time_ms INTEGER NOT NULL CHECK (created_time_ms >= 0),
  started_time_ms INTEGER NOT NULL CHECK (started_time_ms >= 0),
  finished_time_ms INTEGER CHECK (finished_time_ms >= 0)
) STRICT;
CREATE INDEX kegs_by_state ON kegs (state);
CREATE INDEX kegs_by_beverage ON kegs (beverage_id);

CREATE TABLE thermo_sensors (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  raw_name TEXT NOT NULL UNIQUE CHECK (length(raw_name) BETWEEN 1 AND 256),
  nice_name TEXT NOT NULL DEFAULT '' CHECK (length(nice_name) <= 128)
) STRICT;
CREATE INDEX thermo_sensors_by_nice_name ON thermo_sensors (nice_name);

CREATE TABLE thermo_logs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sensor_id INTEGER NOT NULL REFERENCES thermo_sensors (id) ON DELETE CASCADE,
  temp_c REAL NOT NULL CHECK (temp_c BETWEEN -50 AND 125),
  time_ms INTEGER NOT NULL CHECK (time_ms >= 0 AND time_ms % 60000 = 0),
  UNIQUE (sensor_id, time_ms)
) STRICT;

CREATE TABLE taps (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
  notes TEXT NOT NULL CHECK (length(notes) <= 10000),
  sort_order INTEGER NOT NULL CHECK (sort_order >= 0),
  keg_id INTEGER UNIQUE REFERENCES kegs (id),
  thermo_sensor_id INTEGER REFERENCES thermo_sensors (id) ON DELETE SET NULL
) STRICT;
CREATE INDEX taps_in_order ON taps (sort_order, id);
CREATE INDEX taps_by_sensor ON taps (thermo_sensor_id);

CREATE TABLE controllers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- A full meter name is cut at its first dot, so the controller's part has none.
  name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 128 AND instr(name, '.') = 0),
  model_name TEXT CHECK (length(model_name) <= 128),
  serial_number TEXT CHECK (length(serial_number) <= 128)
) STRICT;

CREATE TABLE flow_meters (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  controller_id INTEGER NOT NULL REFERENCES controllers (id) ON DELETE CASCADE,
  port_name TEXT NOT NULL CHECK (length(port_name) BETWEEN 1 AND 128),
  tap_id INTEGER UNIQUE REFERENCES taps (id) ON DELETE SET NULL,
  ticks_per_ml REAL NOT NULL CHECK (ticks_per_ml >= 0.001 AND ticks_per_ml <= 1000),
  calibrated INTEGER NOT NULL CHECK (calibrated IN (0, 1)),
  ticks_total INTEGER NOT NULL DEFAULT 0 CHECK (ticks_total >= 0),
  -- What the configuration file said last; only a change there overrules the page.
  declared_ticks_per_ml REAL,
  UNIQUE (controller_id, port_name)
) STRICT;

CREATE TABLE flow_toggles (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  controller_id INTEGER NOT NULL REFERENCES controllers (id) ON DELETE CASCADE,
  port_name TEXT NOT NULL CHECK (length(port_name) BETWEEN 1 AND 128),
  tap_id INTEGER UNIQUE REFERENCES taps (id) ON DELETE SET NULL,
  UNIQUE (controller_id, port_name)
) STRICT;

-- Taps as the configuration file declared them last, so that what people changed since stays.
CREATE TABLE declared_taps (
  key TEXT PRIMARY KEY CHECK (length(key) BETWEEN 1 AND 400),
  tap_id INTEGER REFERENCES taps (id) ON DELETE SET NULL,
  name TEXT NOT NULL,
  toggle_port TEXT,
  thermo_sensor TEXT
) STRICT;
CREATE INDEX declared_taps_by_tap ON declared_taps (tap_id);

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  start_time_ms INTEGER NOT NULL CHECK (start_time_ms >= 0),
  end_time_ms INTEGER NOT NULL CHECK (end_time_ms >= start_time_ms),
  volume_ml REAL NOT NULL CHECK (volume_ml >= 0),
  name TEXT CHECK (length(name) <= 256),
  time_zone TEXT NOT NULL CHECK (length(time_zone) BETWEEN 1 AND 64)
) STRICT;
CREATE INDEX sessions_by_end ON sessions (end_time_ms, start_time_ms);
CREATE INDEX sessions_by_start ON sessions (start_time_ms);

CREATE TABLE drinks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tap_id INTEGER REFERENCES taps (id) ON DELETE SET NULL,
  keg_id INTEGER REFERENCES kegs (id),
  session_id INTEGER REFERENCES sessions (id),
  user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  claimed_username TEXT CHECK (length(claimed_username) BETWEEN 1 AND 128),
  auth_token TEXT CHECK (length(auth_token) BETWEEN 1 AND 256),
  ticks INTEGER NOT NULL CHECK (ticks BETWEEN 0 AND 2147483647),
  volume_ml REAL NOT NULL CHECK (volume_ml BETWEEN 0 AND 10000000),
  volume_given INTEGER NOT NULL CHECK (volume_given IN (0, 1)),
  pour_time_ms INTEGER NOT NULL CHECK (pour_time_ms >= 0),
  time_certain INTEGER NOT NULL CHECK (time_certain IN (0, 1)),
  -- Where the pour ended on the monotonic clock of that boot; a wrong wall time is corrected from it.
  boot_id TEXT NOT NULL CHECK (length(boot_id) <= 64),
  end_mono_ms REAL NOT NULL,
  duration_ms INTEGER NOT NULL CHECK (duration_ms BETWEEN 0 AND 86400000),
  is_valid INTEGER NOT NULL CHECK (is_valid IN (0, 1)),
  held_reason TEXT CHECK (held_reason IN
    ('unbound_meter', 'impossible_flow', 'electrical_noise', 'simultaneous', 'no_end', 'too_large')),
  pour_id TEXT UNIQUE CHECK (length(pour_id) BETWEEN 1 AND 64),
  meter TEXT CHECK (length(meter) <= 257),
  ticks_lost INTEGER CHECK (ticks_lost >= 0),
  rejected_edges INTEGER NOT NULL CHECK (rejected_edges >= 0),
  series TEXT CHECK (length(series) <= 8192),
  shout TEXT CHECK (length(shout) BETWEEN 1 AND 1000),
  recovered INTEGER NOT NULL CHECK (recovered IN (0, 1)),
  source TEXT NOT NULL CHECK (source IN ('pin', 'serial', 'device', 'post', 'hand')),
  -- A real drink belongs to a session; a held one belongs to nothing until somebody has looked at it.
  CHECK (CASE is_valid WHEN 1 THEN held_reason IS NULL AND session_id IS NOT NULL
    ELSE held_reason IS NOT NULL AND keg_id IS NULL AND session_id IS NULL END)
) STRICT;
CREATE INDEX drinks_by_validity ON drinks (is_valid);
CREATE INDEX drinks_by_keg ON drinks (keg_id) WHERE keg_id IS NOT NULL;
CREATE INDEX drinks_by_session ON drinks (session_id, pour_time_ms) WHERE session_id IS NOT NULL;
CREATE INDEX drinks_by_user ON drinks (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX drinks_by_tap ON drinks (tap_id) WHERE tap_id IS NOT NULL;
CREATE INDEX drinks_of_unset_clock ON drinks (boot_id, end_mono_ms) WHERE time_certain = 0;

-- Pours whose drink was cancelled or discarded, with the drink as it was: told once more, they change nothing.
CREATE TABLE cancelled_pours (
  pour_id TEXT PRIMARY KEY CHECK (length(pour_id) BETWEEN 1 AND 64),
  drink TEXT NOT NULL
) STRICT;

CREATE TABLE spills (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tap_id INTEGER REFERENCES taps (id) ON DELETE SET NULL,
  keg_id INTEGER REFERENCES kegs (id) ON DELETE CASCADE,
  ticks INTEGER NOT NULL CHECK (ticks BETWEEN 0 AND 2147483647),
  volume_ml REAL NOT NULL CHECK (volume_ml BETWEEN 0 AND 10000000),
  time_ms INTEGER NOT NULL CHECK (time_ms >= 0),
  meter TEXT CHECK (length(meter) <= 257),
  pour_id TEXT UNIQUE CHECK (length(pour_id) BETWEEN 1 AND 64)
) STRICT;
CREATE INDEX spills_by_keg ON spills (keg_id);
CREATE INDEX spills_by_tap ON spills (tap_id);

CREATE TABLE events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN
    ('keg_tapped', 'keg_ended', 'session_started', 'session_joined', 'drink_poured', 'keg_volume_low')),
  time_ms INTEGER NOT NULL CHECK (time_ms >= 0),
  drink_id INTEGER REFERENCES drinks (id) ON DELETE CASCADE,
  keg_id INTEGER REFERENCES kegs (id) ON DELETE CASCADE,
  session_id INTEGER REFERENCES sessions (id) ON DELETE CASCADE,
  user_id INTEGER REFERENCES users (id) ON DELETE SET NULL
) STRICT;
CREATE INDEX events_by_drink ON events (drink_id) WHERE drink_id IS NOT NULL;
CREATE INDEX events_by_keg ON events (keg_id) WHERE keg_id IS NOT NULL;
CREATE INDEX events_by_session ON events (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX events_by_user ON events (user_id) WHERE user_id IS NOT NULL;
CREATE UNIQUE INDEX keg_tapped_once ON events (keg_id) WHERE kind = 'keg_tapped';
CREATE UNIQUE INDEX keg_ended_once ON events (keg_id) WHERE kind = 'keg_ended';
CREATE UNIQUE INDEX session_started_once ON events (session_id) WHERE kind = 'session_started';

-- One row for each time (but a drink's, which keeps its own) that was read from a clock nobody had set yet.
CREATE TABLE unset_stamps (
  kind TEXT NOT NULL CHECK (kind IN
    ('keg_created', 'keg_started', 'keg_finished', 'spill', 'thermo_log', 'event', 'user_joined', 'key_created', 'token_created')),
  row_id INTEGER NOT NULL,
  boot_id TEXT NOT NULL CHECK (length(boot_id) <= 64),
  mono_ms REAL NOT NULL,
  PRIMARY KEY (kind, row_id)
) STRICT;
CREATE INDEX unset_stamps_by_boot ON unset_stamps (boot_id, mono_ms);

-- How long the long lists are; counting a million rows for every page would take seconds on a Pi.
CREATE TABLE counters (
  name TEXT PRIMARY KEY CHECK (name IN ('drinks', 'held_drinks', 'available', 'on_tap', 'finished')),
  value INTEGER NOT NULL CHECK (value >= 0)
) STRICT, WITHOUT ROWID;
INSERT INTO counters VALUES ('drinks', 0), ('held_drinks', 0), ('available', 0), ('on_tap', 0), ('finished', 0);
CREATE TRIGGER drink_counted AFTER INSERT ON drinks BEGIN
  UPDATE counters SET value = value + 1 WHERE name = iif(NEW.is_valid, 'drinks', 'held_drinks');
END;
CREATE TRIGGER drink_uncounted AFTER DELETE ON drinks BEGIN
  UPDATE counters SET value = value - 1 WHERE name = iif(OLD.is_valid, 'drinks', 'held_drinks');
END;
CREATE TRIGGER drink_recounted AFTER UPDATE OF is_valid ON drinks WHEN OLD.is_valid <> NEW.is_valid BEGIN
  UPDATE counters SET value = value - 1 WHERE name = iif(OLD.is_valid, 'drinks', 'held_drinks');
  UPDATE counters SET value = value + 1 WHERE name = iif(NEW.is_valid, 'drinks', 'held_drinks');
END;
CREATE TRIGGER keg_counted AFTER INSERT ON kegs BEGIN
  UPDATE counters SET value = value + 1 WHERE name = NEW.state;
END;
CREATE TRIGGER keg_uncounted AFTER DELETE ON kegs BEGIN
  UPDATE counters SET value = value - 1 WHERE name = OLD.state;
END;
CREATE TRIGGER keg_recounted AFTER UPDATE OF state ON kegs WHEN OLD.state <> NEW.state BEGIN
  UPDATE counters SET value = value - 1 WHERE name = OLD.state;
  UPDATE counters SET value = value + 1 WHERE name = NEW.state;
END;
`;
