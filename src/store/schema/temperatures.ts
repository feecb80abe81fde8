/** Thermo sensors and their readings. */
export const temperaturesSchema = `
CREATE TABLE thermo_sensors (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  raw_name TEXT NOT NULL UNIQUE CHECK (length(raw_name) BETWEEN 1 AND 256),
  nice_name TEXT NOT NULL DEFAULT '' CHECK (length(nice_name) <= 128),
  -- What it measures besides taps, such as a fridge; empty for none.
  place TEXT NOT NULL DEFAULT '' CHECK (length(place) <= 128),
  -- Added to each reading when it is received; stored readings include it.
  offset_c REAL NOT NULL DEFAULT 0 CHECK (offset_c BETWEEN -10 AND 10),
  -- Number of its rows in thermo_logs: counting millions would take too long.
  readings INTEGER NOT NULL DEFAULT 0 CHECK (readings >= 0)
) STRICT;
CREATE INDEX thermo_sensors_by_nice_name ON thermo_sensors (nice_name);

-- At most one reading per sensor and minute.
CREATE TABLE thermo_logs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  sensor_id INTEGER NOT NULL REFERENCES thermo_sensors (id) ON DELETE CASCADE,
  temp_c REAL NOT NULL CHECK (temp_c BETWEEN -50 AND 125),
  time_ms INTEGER NOT NULL CHECK (time_ms >= 0 AND time_ms % 60000 = 0),
  UNIQUE (sensor_id, time_ms)
) STRICT;
CREATE INDEX thermo_logs_by_time ON thermo_logs (time_ms);
CREATE INDEX thermo_logs_by_sensor ON thermo_logs (sensor_id);

-- Readings older than a month, summarized by the hour.
CREATE TABLE thermo_hours (
  sensor_id INTEGER NOT NULL REFERENCES thermo_sensors (id) ON DELETE CASCADE,
  hour_ms INTEGER NOT NULL CHECK (hour_ms >= 0 AND hour_ms % 3600000 = 0),
  readings INTEGER NOT NULL CHECK (readings >= 1),
  min_c REAL NOT NULL,
  mean_c REAL NOT NULL,
  max_c REAL NOT NULL,
  PRIMARY KEY (sensor_id, hour_ms)
) STRICT, WITHOUT ROWID;

-- Deleted thermo sensors whose deletion can still be undone, with their readings.
CREATE TABLE deleted_thermo_sensors (
  sensor_id INTEGER PRIMARY KEY,
  deleted_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE deleted_thermo_logs (
  sensor_id INTEGER NOT NULL REFERENCES deleted_thermo_sensors (sensor_id) ON DELETE CASCADE,
  time_ms INTEGER NOT NULL,
  log_id INTEGER NOT NULL,
  temp_c REAL NOT NULL,
  PRIMARY KEY (sensor_id, time_ms)
) STRICT, WITHOUT ROWID;
CREATE TABLE deleted_thermo_hours (
  sensor_id INTEGER NOT NULL REFERENCES deleted_thermo_sensors (sensor_id) ON DELETE CASCADE,
  hour_ms INTEGER NOT NULL,
  readings INTEGER NOT NULL,
  min_c REAL NOT NULL,
  mean_c REAL NOT NULL,
  max_c REAL NOT NULL,
  PRIMARY KEY (sensor_id, hour_ms)
) STRICT, WITHOUT ROWID;
`;
