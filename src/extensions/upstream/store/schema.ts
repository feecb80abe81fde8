/** Reporting to another Tapster: the token it gave, and the events it has not accepted yet. */
export const upstreamSchema = `
CREATE TABLE upstream (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  url TEXT NOT NULL,
  device TEXT NOT NULL,
  token TEXT CHECK (length(token) BETWEEN 1 AND 256),
  -- Temperatures dropped because too many waited; never decreases.
  events_dropped INTEGER NOT NULL CHECK (events_dropped >= 0)
) STRICT;
INSERT INTO upstream (id, url, device, events_dropped) VALUES (1, '', '', 0);

-- A meter's number there, once sent, is never reused, even if the meter is removed here.
CREATE TABLE upstream_meters (
  meter TEXT PRIMARY KEY,
  number INTEGER NOT NULL UNIQUE CHECK (number >= 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE upstream_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Identifies the opening of the database that wrote it; with event_id, the receiver recognizes a repetition.
  boot_id TEXT NOT NULL,
  event_id INTEGER NOT NULL CHECK (event_id >= 1),
  type TEXT NOT NULL CHECK (type IN ('pour', 'temperature')),
  data TEXT NOT NULL,
  at_ms INTEGER NOT NULL CHECK (at_ms >= 0),
  time_certain INTEGER NOT NULL CHECK (time_certain IN (0, 1)),
  clock_boot TEXT NOT NULL,
  mono_ms REAL NOT NULL,
  -- Why the receiver refused it; null while it waits to be sent.
  refusal TEXT,
  UNIQUE (boot_id, event_id)
) STRICT;
CREATE INDEX upstream_events_waiting ON upstream_events (id) WHERE refusal IS NULL;
CREATE INDEX upstream_events_refused ON upstream_events (id) WHERE refusal IS NOT NULL;
CREATE INDEX upstream_temperatures ON upstream_events (id) WHERE type = 'temperature' AND refusal IS NULL;
CREATE INDEX upstream_events_unset ON upstream_events (clock_boot) WHERE time_certain = 0;
`;
