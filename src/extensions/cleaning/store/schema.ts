/** Cleaning of the beer lines: plans, cleanings with their steps, and the log. */
export const cleaningSchema = `
-- How often each line is cleaned.
CREATE TABLE cleaning_plans (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tap_id INTEGER NOT NULL REFERENCES taps (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('caustic', 'acid', 'disinfection', 'parts', 'water')),
  interval_days INTEGER NOT NULL CHECK (interval_days BETWEEN 1 AND 366),
  -- The preset that it was made from; null for an interval of the bar.
  preset TEXT CHECK (length(preset) BETWEEN 1 AND 64),
  -- Until the first cleaning it is due by this time.
  since_ms INTEGER NOT NULL CHECK (since_ms >= 0),
  UNIQUE (tap_id, kind)
) STRICT;

-- A cleaning of a tap's line, also one that runs. What flowed are its pours; the beer among it is a spill.
CREATE TABLE cleanings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tap_id INTEGER NOT NULL REFERENCES taps (id),
  -- The keg whose beer was in the line.
  keg_id INTEGER REFERENCES kegs (id) ON DELETE SET NULL,
  kind TEXT NOT NULL CHECK (kind IN ('caustic', 'acid', 'disinfection', 'parts', 'water')),
  origin TEXT NOT NULL CHECK (origin IN ('mode', 'pours', 'manual')),
  -- 0: the line held water before.
  has_beer INTEGER NOT NULL CHECK (has_beer IN (0, 1)),
  -- Null: not known.
  line_volume_ml REAL CHECK (line_volume_ml BETWEEN 0 AND 100000),
  -- Lost beer that a person stated; null: what follows from the pours.
  beer_given_ml REAL CHECK (beer_given_ml BETWEEN 0 AND 100000),
  contact_minutes REAL NOT NULL CHECK (contact_minutes BETWEEN 0 AND 240),
  started_time_ms INTEGER NOT NULL CHECK (started_time_ms >= 0),
  -- The start on the monotonic clock of that boot, so that a clock that is set meanwhile moves no pour.
  boot_id TEXT NOT NULL CHECK (length(boot_id) <= 64),
  start_mono_ms REAL NOT NULL,
  ended_time_ms INTEGER CHECK (ended_time_ms >= 0),
  end_reason TEXT CHECK (end_reason IN ('finished', 'cancelled', 'expired')),
  -- The end on the monotonic clock of that boot; null while it runs, and for cleanings that were not run at the tap.
  end_boot_id TEXT CHECK (length(end_boot_id) <= 64),
  end_mono_ms REAL,
  CHECK ((end_boot_id IS NULL) = (end_mono_ms IS NULL)),
  CHECK ((ended_time_ms IS NULL) = (end_reason IS NULL))
) STRICT;
CREATE UNIQUE INDEX cleanings_running ON cleanings (tap_id) WHERE ended_time_ms IS NULL;
CREATE INDEX cleanings_unfinished ON cleanings (end_reason, id) WHERE end_reason = 'expired';
CREATE INDEX cleanings_by_tap ON cleanings (tap_id, id);
CREATE INDEX cleanings_by_keg ON cleanings (keg_id) WHERE keg_id IS NOT NULL;

CREATE TABLE cleaning_steps (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  cleaning_id INTEGER NOT NULL REFERENCES cleanings (id),
  step TEXT NOT NULL CHECK (step IN ('push_out', 'cleaner', 'contact', 'rinse', 'check', 'refill')),
  since_time_ms INTEGER NOT NULL CHECK (since_time_ms >= 0),
  boot_id TEXT NOT NULL CHECK (length(boot_id) <= 64),
  since_mono_ms REAL NOT NULL
) STRICT;
CREATE INDEX cleaning_steps_by_cleaning ON cleaning_steps (cleaning_id, id);

-- The log. Rows are only added: a correction is a new entry that refers to the one it corrects.
CREATE TABLE cleaning_entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  cleaning_id INTEGER NOT NULL REFERENCES cleanings (id),
  corrects_id INTEGER UNIQUE REFERENCES cleaning_entries (id),
  time_ms INTEGER NOT NULL CHECK (time_ms >= 0),
  -- Who wrote it.
  user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  -- Tap and beer as they were named then.
  tap_name TEXT NOT NULL CHECK (length(tap_name) BETWEEN 1 AND 128),
  beverage TEXT CHECK (length(beverage) BETWEEN 1 AND 256),
  kind TEXT NOT NULL CHECK (kind IN ('caustic', 'acid', 'disinfection', 'parts', 'water')),
  started_time_ms INTEGER NOT NULL CHECK (started_time_ms >= 0),
  ended_time_ms INTEGER NOT NULL CHECK (ended_time_ms >= started_time_ms),
  -- A person or firm without an account that did it; null: who wrote the entry.
  cleaned_by TEXT CHECK (length(cleaned_by) BETWEEN 1 AND 128),
  checked_by TEXT CHECK (length(checked_by) BETWEEN 1 AND 128),
  agent TEXT CHECK (length(agent) BETWEEN 1 AND 128),
  concentration_percent REAL CHECK (concentration_percent BETWEEN 0 AND 100),
  temp_c REAL CHECK (temp_c BETWEEN 0 AND 100),
  contact_minutes REAL CHECK (contact_minutes BETWEEN 0 AND 240),
  method TEXT CHECK (method IN ('recirculation', 'standing', 'pressure', 'sponge', 'other')),
  rinse_ph REAL CHECK (rinse_ph BETWEEN 0 AND 14),
  result TEXT NOT NULL CHECK (result IN ('passed', 'failed', 'not_checked')),
  note TEXT CHECK (length(note) BETWEEN 1 AND 2000),
  -- There was no such cleaning.
  is_withdrawn INTEGER NOT NULL CHECK (is_withdrawn IN (0, 1)),
  -- Withdrawn because its pours became drinks, not by a person: it is entered anew when they come back.
  follows_pours INTEGER NOT NULL CHECK (follows_pours IN (0, 1) AND follows_pours <= is_withdrawn)
) STRICT;
CREATE INDEX cleaning_entries_by_cleaning ON cleaning_entries (cleaning_id, id);
CREATE INDEX cleaning_entries_by_time ON cleaning_entries (started_time_ms, id);
CREATE INDEX cleaning_entries_by_user ON cleaning_entries (user_id) WHERE user_id IS NOT NULL;

-- What flowed during cleanings: drinks that are set aside.
CREATE TABLE cleaning_pours (
  drink_id INTEGER PRIMARY KEY REFERENCES drinks (id) ON DELETE CASCADE,
  cleaning_id INTEGER NOT NULL REFERENCES cleanings (id)
) STRICT;
CREATE INDEX cleaning_pours_by_cleaning ON cleaning_pours (cleaning_id);

-- The beer that a cleaning lost.
CREATE TABLE cleaning_losses (
  cleaning_id INTEGER PRIMARY KEY REFERENCES cleanings (id),
  spill_id INTEGER NOT NULL UNIQUE REFERENCES spills (id) ON DELETE CASCADE
) STRICT;

CREATE TABLE cleaning_pictures (
  cleaning_id INTEGER PRIMARY KEY REFERENCES cleanings (id),
  picture_id INTEGER NOT NULL UNIQUE REFERENCES pictures (id) ON DELETE CASCADE
) STRICT;

-- Pours of which staff said that they were no cleaning.
CREATE TABLE no_cleanings (
  drink_id INTEGER PRIMARY KEY REFERENCES drinks (id) ON DELETE CASCADE
) STRICT;
`;
