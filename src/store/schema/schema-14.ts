/** Reporting to another house: the token it gave us, our meters' numbers there, and what it has not taken yet. */
export const schema14 = `
CREATE TABLE upstream (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  url TEXT NOT NULL,
  device TEXT NOT NULL,
  token TEXT CHECK (length(token) BETWEEN 1 AND 256),
  -- Temperatures let go of because too many waited; grows only.
  events_dropped INTEGER NOT NULL CHECK (events_dropped >= 0)
) STRICT;
INSERT INTO upstream VALUES (1, '', '', NULL, 0);

-- A number once told stays that meter's for good, whatever becomes of it here.
CREATE TABLE upstream_meters (
  meter TEXT PRIMARY KEY,
  number INTEGER NOT NULL UNIQUE CHECK (number >= 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE upstream_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The opening of the ledger that wrote it, and its number within that: the receiver knows it again by both.
  boot_id TEXT NOT NULL,
  event_id INTEGER NOT NULL CHECK (event_id >= 1),
  type TEXT NOT NULL CHECK (type IN ('pour', 'temperature')),
  data TEXT NOT NULL,
  at_ms INTEGER NOT NULL CHECK (at_ms >= 0),
  time_certain INTEGER NOT NULL CHECK (time_certain IN (0, 1)),
  clock_boot TEXT NOT NULL,
  mono_ms REAL NOT NULL,
  -- Why the receiver will not have it; null while it waits to be sent.
  refusal TEXT,
  UNIQUE (boot_id, event_id)
) STRICT;
CREATE INDEX upstream_events_waiting ON upstream_events (id) WHERE refusal IS NULL;
CREATE INDEX upstream_events_refused ON upstream_events (id) WHERE refusal IS NOT NULL;
CREATE INDEX upstream_temperatures ON upstream_events (id) WHERE type = 'temperature' AND refusal IS NULL;
CREATE INDEX upstream_events_unset ON upstream_events (clock_boot) WHERE time_certain = 0;
`;
