/** Sessions, drinks and spills. */
export const drinksSchema = `
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  start_time_ms INTEGER NOT NULL CHECK (start_time_ms >= 0),
  end_time_ms INTEGER NOT NULL CHECK (end_time_ms >= start_time_ms),
  volume_ml REAL NOT NULL CHECK (volume_ml >= 0),
  name TEXT CHECK (length(name) <= 256),
  time_zone TEXT NOT NULL CHECK (length(time_zone) BETWEEN 1 AND 64),
  -- Days since 1970 of the day on which it began, in its time zone.
  local_day INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_start ON sessions (start_time_ms);
CREATE INDEX sessions_by_day ON sessions (local_day);

-- Sessions that became part of one with a lower id, which may be merged in turn, or be gone.
CREATE TABLE merged_sessions (
  id INTEGER PRIMARY KEY,
  survivor_id INTEGER NOT NULL CHECK (survivor_id < id)
) STRICT;

-- The time-out after drinks poured from a time on, so that a changed setting leaves earlier sessions as they are.
CREATE TABLE session_timeouts (
  from_ms INTEGER PRIMARY KEY CHECK (from_ms >= 0),
  timeout_minutes INTEGER NOT NULL CHECK (timeout_minutes >= 0)
) STRICT;
INSERT INTO session_timeouts SELECT 0, session_timeout_minutes FROM site;
-- A changed time-out holds for drinks poured after the newest one; without any, from the beginning.
CREATE TRIGGER session_timeout_changed AFTER UPDATE OF session_timeout_minutes ON site
WHEN NEW.session_timeout_minutes <> OLD.session_timeout_minutes BEGIN
  INSERT OR REPLACE INTO session_timeouts VALUES (
    coalesce((SELECT pour_time_ms + 1 FROM drinks WHERE is_valid = 1 ORDER BY pour_time_ms DESC LIMIT 1), 0),
    NEW.session_timeout_minutes);
END;

CREATE TABLE drinks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tap_id INTEGER REFERENCES taps (id) ON DELETE SET NULL,
  -- Of several kegs, the one that most of it came from.
  keg_id INTEGER REFERENCES kegs (id),
  -- What came from which keg, in order, where the keg was changed within the pour: an array of objects with the keys
  -- keg_id, ticks, gas_ticks, foam_ticks and volume_ml.
  parts TEXT CHECK (json_valid(parts)),
  -- Staff chose the keg: it does not follow from tap and time.
  keg_assigned INTEGER NOT NULL DEFAULT 0 CHECK (keg_assigned IN (0, 1)),
  session_id INTEGER REFERENCES sessions (id),
  user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  claimed_username TEXT CHECK (length(claimed_username) BETWEEN 1 AND 128),
  -- The form by which it is compared with usernames.
  claimed_username_key TEXT,
  -- "device|value" where the device is known.
  auth_token TEXT CHECK (length(auth_token) BETWEEN 1 AND 256),
  ticks INTEGER NOT NULL CHECK (ticks BETWEEN 0 AND 2147483647),
  volume_ml REAL NOT NULL CHECK (volume_ml BETWEEN 0 AND 10000000),
  volume_given INTEGER NOT NULL CHECK (volume_given IN (0, 1)),
  pour_time_ms INTEGER NOT NULL CHECK (pour_time_ms >= 0),
  time_certain INTEGER NOT NULL CHECK (time_certain IN (0, 1)),
  -- The end of the pour on the monotonic clock of that boot; a wrong wall time is corrected from it. An empty boot id:
  -- the time is that of a controller's clock and cannot be corrected.
  boot_id TEXT NOT NULL CHECK (length(boot_id) <= 64),
  end_mono_ms REAL NOT NULL,
  duration_ms INTEGER NOT NULL CHECK (duration_ms BETWEEN 0 AND 86400000),
  is_valid INTEGER NOT NULL CHECK (is_valid IN (0, 1)),
  -- The program knows the reasons.
  held_reason TEXT CHECK (length(held_reason) BETWEEN 1 AND 32),
  -- An extension knows what flowed: no drink, and nothing to review.
  is_set_aside INTEGER NOT NULL DEFAULT 0 CHECK (is_set_aside IN (0, 1) AND is_set_aside + is_valid <= 1),
  pour_id TEXT CHECK (length(pour_id) BETWEEN 1 AND 64),
  meter TEXT CHECK (length(meter) <= 257),
  ticks_lost INTEGER CHECK (ticks_lost >= 0),
  rejected_edges INTEGER NOT NULL CHECK (rejected_edges >= 0),
  series TEXT CHECK (length(series) <= 8192),
  -- By its series: the rates that the starts of its beer reached, added up (ticks per second), and the time in which it flowed.
  rise_hz REAL NOT NULL CHECK (rise_hz >= 0),
  flow_ms REAL NOT NULL CHECK (flow_ms >= 0),
  -- Ticks of gas among them, which are in no volume; the first jump above the tap's rate, from the first tick. With an
  -- onset and no gas the pour was foamy.
  gas_ticks INTEGER NOT NULL DEFAULT 0 CHECK (gas_ticks BETWEEN 0 AND ticks),
  -- Ticks of the gas and foam before the beer of a fresh keg, of which a quarter is in the volume.
  foam_ticks INTEGER NOT NULL DEFAULT 0 CHECK (foam_ticks BETWEEN 0 AND ticks - gas_ticks),
  gas_onset_ms INTEGER CHECK (gas_onset_ms >= 0),
  -- What stood in for the tap's usual rate when gas was looked for; null where it was known, or nobody looked.
  rate_default TEXT CHECK (rate_default IN ('model', 'calibration', 'any_meter')),
  shout TEXT CHECK (length(shout) BETWEEN 1 AND 1000),
  recovered INTEGER NOT NULL CHECK (recovered IN (0, 1)),
  -- Beer flowed although the tap's valve was shut.
  flow_while_shut INTEGER NOT NULL CHECK (flow_while_shut IN (0, 1)),
  source TEXT NOT NULL CHECK (source IN ('pin', 'serial', 'device', 'post', 'manual', 'import')),
  -- A valid drink belongs to a session; a held one to neither keg nor session until it has been reviewed.
  CHECK (CASE is_valid WHEN 1 THEN held_reason IS NULL AND session_id IS NOT NULL
    ELSE held_reason IS NOT NULL AND keg_id IS NULL AND session_id IS NULL END),
  CHECK (parts IS NULL OR (is_valid = 1 AND keg_assigned = 0)),
  CHECK ((claimed_username IS NULL) = (claimed_username_key IS NULL))
) STRICT;
-- Values that many rows share are not indexed, which saves a page write per pour.
CREATE UNIQUE INDEX drinks_by_pour_id ON drinks (pour_id) WHERE pour_id IS NOT NULL;
CREATE INDEX drinks_held ON drinks (is_valid) WHERE is_valid <> 1 AND is_set_aside = 0;
CREATE INDEX drinks_with_gas_or_foam ON drinks (id) WHERE gas_ticks + foam_ticks > 0;
-- With the volume: the last days are summed up after every pour, from the index alone.
CREATE INDEX drinks_by_time ON drinks (pour_time_ms, is_valid, id, volume_ml);
-- The index entries of kegs and users contain all that their statistics sum up.
CREATE INDEX drinks_by_keg ON drinks (keg_id, id, user_id, session_id, volume_ml, pour_time_ms, parts)
  WHERE keg_id IS NOT NULL;
CREATE INDEX drinks_of_several_kegs ON drinks (id) WHERE parts IS NOT NULL;
-- Tells who is in a session without reading its drinks.
CREATE INDEX drinks_in_session ON drinks (session_id, id, user_id) WHERE session_id IS NOT NULL;
CREATE INDEX drinks_by_user ON drinks (user_id, is_valid, id, keg_id, session_id, volume_ml, pour_time_ms)
  WHERE user_id IS NOT NULL;
-- Drinks without a user, with the columns of the filters that are not more selective.
CREATE INDEX drinks_unattributed ON drinks (is_valid, id, tap_id) WHERE user_id IS NULL;
CREATE INDEX drinks_by_claim ON drinks (claimed_username_key, is_valid, id, user_id, tap_id)
  WHERE claimed_username_key IS NOT NULL;
CREATE INDEX drinks_by_token ON drinks (auth_token, is_valid, id, user_id, tap_id)
  WHERE user_id IS NULL AND auth_token IS NOT NULL;
-- What was poured with a token, whoever has it now.
CREATE INDEX drinks_of_token ON drinks (auth_token, id) WHERE auth_token IS NOT NULL;
CREATE INDEX drinks_by_tap ON drinks (tap_id, is_valid) WHERE tap_id IS NOT NULL;
-- A page write per pour: a tap has too many drinks to sort them.
CREATE INDEX drinks_by_tap_and_time ON drinks (tap_id, is_valid, pour_time_ms) WHERE tap_id IS NOT NULL;
CREATE INDEX drinks_of_unset_clock ON drinks (boot_id, end_mono_ms) WHERE time_certain = 0;

-- The drinks, with a row for each keg of those that came from several; one of them is the main one. drink_ml is the volume of the
-- whole drink, first_keg_id the keg from which it began.
CREATE VIEW keg_drinks AS
SELECT id, keg_id, tap_id, session_id, user_id, is_valid, pour_time_ms, time_certain, duration_ms, meter, source, recovered,
  ticks_lost, volume_given, gas_onset_ms, is_set_aside, held_reason, rise_hz, flow_ms, ticks, gas_ticks, foam_ticks, volume_ml,
  volume_ml AS drink_ml, keg_id AS first_keg_id, 1 AS is_main
FROM drinks WHERE parts IS NULL
UNION ALL
SELECT d.id, p.value ->> '$.keg_id', d.tap_id, d.session_id, d.user_id, d.is_valid, d.pour_time_ms, d.time_certain, d.duration_ms,
  d.meter, d.source, d.recovered, iif(p.value ->> '$.keg_id' IS d.keg_id, d.ticks_lost, 0), d.volume_given, d.gas_onset_ms,
  d.is_set_aside, d.held_reason, iif(p.key = 0, d.rise_hz, 0), d.flow_ms * (p.value ->> '$.ticks') / max(1, d.ticks), p.value ->> '$.ticks', p.value ->> '$.gas_ticks', p.value ->> '$.foam_ticks',
  p.value ->> '$.volume_ml', d.volume_ml, d.parts ->> '$[0].keg_id', p.value ->> '$.keg_id' IS d.keg_id
FROM drinks d INDEXED BY drinks_of_several_kegs, json_each(d.parts) p WHERE d.parts IS NOT NULL;

-- Drinks that were cancelled, as they were: reported again, they change nothing. Those without a pour id are named by the
-- id that the drink had, "drink 5".
CREATE TABLE cancelled_pours (
  pour_id TEXT PRIMARY KEY CHECK (length(pour_id) BETWEEN 1 AND 64),
  drink TEXT NOT NULL
) STRICT;

CREATE TABLE spills (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tap_id INTEGER REFERENCES taps (id) ON DELETE SET NULL,
  -- Of several kegs, the one that most of it came from.
  keg_id INTEGER REFERENCES kegs (id) ON DELETE CASCADE,
  -- What came from which keg, as in drinks, but the ticks are those of beer.
  parts TEXT CHECK (json_valid(parts)),
  -- Of a drink that was spilled: how it flowed, by which it is divided again when what was on the tap then changes.
  flow TEXT CHECK (json_valid(flow)),
  -- Staff named the keg: it does not follow from tap and time.
  keg_assigned INTEGER NOT NULL DEFAULT 1 CHECK (keg_assigned IN (0, 1)),
  ticks INTEGER NOT NULL CHECK (ticks BETWEEN 0 AND 2147483647),
  volume_ml REAL NOT NULL CHECK (volume_ml BETWEEN 0 AND 10000000),
  time_ms INTEGER NOT NULL CHECK (time_ms >= 0),
  meter TEXT CHECK (length(meter) <= 257),
  pour_id TEXT UNIQUE CHECK (length(pour_id) BETWEEN 1 AND 64),
  -- What lost the beer, where an extension found that out by pours that it set aside: their meter counted its ticks. Null: a person or
  -- a controller reported it.
  cause TEXT CHECK (length(cause) BETWEEN 1 AND 32)
) STRICT;
CREATE INDEX spills_by_keg ON spills (keg_id);
CREATE INDEX spills_by_tap ON spills (tap_id);
CREATE INDEX spills_by_time ON spills (time_ms);
CREATE INDEX spills_of_several_kegs ON spills (id) WHERE parts IS NOT NULL;

-- What was spilled from each keg: a spill from several has a row for each, one of them the main one.
CREATE VIEW keg_spills AS
SELECT id, tap_id, keg_id, ticks, volume_ml, time_ms, meter, cause, 1 AS is_main FROM spills WHERE parts IS NULL
UNION ALL
SELECT s.id, s.tap_id, p.value ->> '$.keg_id', p.value ->> '$.ticks', p.value ->> '$.volume_ml', s.time_ms, s.meter, s.cause,
  p.value ->> '$.keg_id' IS s.keg_id
FROM spills s INDEXED BY spills_of_several_kegs, json_each(s.parts) p WHERE s.parts IS NOT NULL;

-- What was reported of each pour that was sent with an id or an end, so that a report sent again is recognized, however
-- late: a row is kept as long as what was recorded. Neither texts nor pictures: they may differ in a repetition.
CREATE TABLE reported_pours (
  id INTEGER PRIMARY KEY,
  -- The board's name or the user of the key, never the key: "board kegboard-0a1b2c", "user 5".
  sender TEXT NOT NULL CHECK (length(sender) <= 80),
  -- Full name of the meter; "tap 3" for a tap without one.
  meter TEXT NOT NULL CHECK (length(meter) <= 257),
  -- The sender's own id of the pour.
  pour_id TEXT CHECK (length(pour_id) BETWEEN 1 AND 64),
  ticks INTEGER NOT NULL,
  -- As reported; null: computed from the ticks.
  volume_ml REAL,
  duration_ms INTEGER NOT NULL,
  -- The end by our clock, which is provisional until the clock is set, and on the monotonic clock of that boot; null: it
  -- was not reported.
  end_ms INTEGER,
  end_mono_ms REAL,
  boot_id TEXT CHECK (length(boot_id) <= 64),
  -- The end and the time of sending by the sender's clock, Unix seconds; null for a sender without a clock. Right: within a
  -- day of ours, when the report arrived.
  client_end_s INTEGER,
  client_now_s INTEGER,
  is_clock_right INTEGER NOT NULL CHECK (is_clock_right IN (0, 1)),
  -- What was recorded. No references: it may be deleted, and restored.
  drink_id INTEGER,
  spill_id INTEGER,
  CHECK ((drink_id IS NULL) <> (spill_id IS NULL)),
  CHECK ((end_ms IS NULL) = (end_mono_ms IS NULL) AND (end_ms IS NULL) = (boot_id IS NULL)),
  CHECK (pour_id IS NOT NULL OR end_ms IS NOT NULL)
) STRICT;
CREATE INDEX reported_pours_by_id ON reported_pours (pour_id, sender, ticks) WHERE pour_id IS NOT NULL;
CREATE INDEX reported_pours_by_end ON reported_pours (sender, meter, is_clock_right, end_ms) WHERE pour_id IS NULL;
CREATE INDEX reported_pours_by_client_end ON reported_pours (sender, meter, client_end_s, ticks)
  WHERE pour_id IS NULL AND client_end_s IS NOT NULL;
`;
