/** The events feed. */
export const eventsSchema = `
CREATE TABLE events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN
    ('keg_tapped', 'keg_ended', 'session_started', 'session_joined', 'session_merged', 'drink_poured', 'keg_volume_low')),
  time_ms INTEGER NOT NULL CHECK (time_ms >= 0),
  drink_id INTEGER REFERENCES drinks (id) ON DELETE CASCADE,
  keg_id INTEGER REFERENCES kegs (id) ON DELETE CASCADE,
  session_id INTEGER REFERENCES sessions (id) ON DELETE CASCADE,
  user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  -- Of session_merged: the session that became part of session_id.
  merged_session_id INTEGER CHECK ((merged_session_id IS NOT NULL) = (kind = 'session_merged'))
) STRICT;
CREATE INDEX events_by_drink ON events (drink_id) WHERE drink_id IS NOT NULL;
CREATE INDEX events_by_keg ON events (keg_id) WHERE keg_id IS NOT NULL;
-- With all rows, so that it also serves to count them.
CREATE INDEX events_by_session ON events (session_id);
-- With the time, so that the events of a user are sorted by it without being read.
CREATE INDEX events_by_user ON events (user_id, id, time_ms) WHERE user_id IS NOT NULL;
-- Without the most frequent kind, which saves a page write per pour.
CREATE INDEX events_by_kind ON events (kind) WHERE kind <> 'drink_poured';
CREATE INDEX events_by_kind_and_time ON events (kind, time_ms) WHERE kind <> 'drink_poured';
-- A page write per pour: nothing else has the order of all events' times.
CREATE INDEX events_by_time ON events (time_ms);
CREATE UNIQUE INDEX keg_tapped_once ON events (keg_id) WHERE kind = 'keg_tapped';
CREATE UNIQUE INDEX keg_ended_once ON events (keg_id) WHERE kind = 'keg_ended';
CREATE UNIQUE INDEX session_started_once ON events (session_id) WHERE kind = 'session_started';
`;
