/** The site: its name, display settings and clock state, in a single row; its features; the writes to its disk; and which programs can use the schema. */
export const siteSchema = `
-- One row.
CREATE TABLE schema_info (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- The oldest schema version whose program can use this database.
  compatible_from INTEGER NOT NULL CHECK (compatible_from >= 1),
  -- Version of the daemon that opened this database last; NULL before the first.
  program_version TEXT CHECK (length(program_version) BETWEEN 1 AND 64),
  -- Version of a program that has made a backup and opens this database next; NULL once a program has opened it.
  backed_up_for TEXT CHECK (length(backed_up_for) BETWEEN 1 AND 64)
) STRICT;
INSERT INTO schema_info VALUES (1, 1, NULL, NULL);

CREATE TABLE site (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  title TEXT NOT NULL CHECK (length(title) BETWEEN 1 AND 64),
  privacy TEXT NOT NULL CHECK (privacy IN ('public', 'members', 'staff')),
  time_zone TEXT NOT NULL CHECK (length(time_zone) BETWEEN 1 AND 64),
  volume_units TEXT NOT NULL CHECK (volume_units IN ('metric', 'us', 'uk')),
  temperature_units TEXT NOT NULL CHECK (temperature_units IN ('c', 'f')),
  session_timeout_minutes INTEGER NOT NULL CHECK (session_timeout_minutes BETWEEN 0 AND 525600),
  is_set_up INTEGER NOT NULL CHECK (is_set_up IN (0, 1)),
  -- Further settings by name; an absent one has the default that the program declares.
  settings TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(settings) AND length(settings) <= 16384),
  -- The newest time taken from a set clock; an unset clock never starts below it.
  newest_synced_ms INTEGER CHECK (newest_synced_ms >= 0),
  -- Id of the account that a demo lets everybody use, which may be gone; a bar that opens the database closes it.
  demo_user_id INTEGER CHECK (demo_user_id >= 1),
  -- 1 once staff have logged in over HTTPS, from when on it may be required of them.
  https_used INTEGER NOT NULL DEFAULT 0 CHECK (https_used IN (0, 1))
) STRICT;
INSERT INTO site
    (id, title, privacy, time_zone, volume_units, temperature_units, session_timeout_minutes, is_set_up)
  VALUES (1, 'Tapster', 'public', 'UTC', 'us', 'f', 180, 0);

-- Features that somebody switched; the others have their defaults.
CREATE TABLE features (
  name TEXT PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 64),
  is_on INTEGER NOT NULL CHECK (is_on IN (0, 1))
) STRICT, WITHOUT ROWID;

-- How much was written to the disk, one row a day, to estimate how long it lasts.
CREATE TABLE disk_writes (
  -- Days since 1970.
  day INTEGER PRIMARY KEY CHECK (day >= 0),
  disk TEXT NOT NULL CHECK (length(disk) BETWEEN 1 AND 256),
  -- Counter of the file system.
  written_bytes INTEGER NOT NULL CHECK (written_bytes >= 0)
) STRICT;
`;
