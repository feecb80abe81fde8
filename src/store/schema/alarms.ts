/** Alarms, who is told of them, and when. */
export const alarmsSchema = `
-- Conditions that staff should know of. Open until resolved; the history is bounded.
CREATE TABLE alarms (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 64),
  subject TEXT NOT NULL CHECK (length(subject) BETWEEN 1 AND 256),
  -- The values of its text.
  details TEXT NOT NULL CHECK (json_valid(details) AND length(details) <= 16384),
  raised_time_ms INTEGER NOT NULL CHECK (raised_time_ms >= 0),
  acknowledged_time_ms INTEGER CHECK (acknowledged_time_ms >= 0),
  acknowledged_user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  -- Name of the channel whose link was used.
  acknowledged_channel TEXT CHECK (length(acknowledged_channel) BETWEEN 1 AND 64),
  resolved_time_ms INTEGER CHECK (resolved_time_ms >= 0)
) STRICT;
CREATE UNIQUE INDEX alarms_open ON alarms (kind, subject) WHERE resolved_time_ms IS NULL;
CREATE INDEX alarms_by_end ON alarms (resolved_time_ms);
CREATE INDEX alarms_by_user ON alarms (acknowledged_user_id) WHERE acknowledged_user_id IS NOT NULL;

-- Where alarms are sent, besides the e-mails that users choose in notification_settings.
CREATE TABLE alarm_channels (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 16),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
  settings TEXT NOT NULL CHECK (json_valid(settings) AND length(settings) <= 16384),
  -- By name; never shown.
  secrets TEXT NOT NULL CHECK (json_valid(secrets) AND length(secrets) <= 16384),
  -- The person who reads it; null: nobody in particular.
  user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
  -- Null: the language of the person, else of the site.
  language TEXT CHECK (length(language) BETWEEN 2 AND 35),
  only_urgent INTEGER NOT NULL CHECK (only_urgent IN (0, 1)),
  -- A list of alarm kinds; null: all.
  alarm_kinds TEXT CHECK (json_valid(alarm_kinds) AND length(alarm_kinds) <= 4096),
  step INTEGER NOT NULL CHECK (step BETWEEN 1 AND 3),
  is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1)),
  -- Kept for a while, so that the deletion can be undone.
  deleted_time_ms INTEGER CHECK (deleted_time_ms >= 0)
) STRICT;
CREATE INDEX alarm_channels_by_user ON alarm_channels (user_id) WHERE user_id IS NOT NULL;

-- Who was told of which alarm; round 0 is the end of the alarm.
CREATE TABLE alarm_deliveries (
  alarm_id INTEGER NOT NULL REFERENCES alarms (id) ON DELETE CASCADE,
  -- \`channel:<id>\` or \`user:<id>\`.
  receiver TEXT NOT NULL CHECK (length(receiver) BETWEEN 1 AND 64),
  round INTEGER NOT NULL CHECK (round BETWEEN 0 AND 9),
  time_ms INTEGER NOT NULL CHECK (time_ms >= 0),
  message_id INTEGER NOT NULL,
  -- Null until the message was sent.
  sent_time_ms INTEGER CHECK (sent_time_ms >= 0),
  -- Of the secret in the link by which the message's alarms are acknowledged; null without a link, and once it was used.
  link_hash BLOB CHECK (length(link_hash) = 32),
  -- By which the service tells whether its message was acknowledged in its app; null without one, and once that is known.
  receipt TEXT CHECK (length(receipt) BETWEEN 1 AND 64),
  PRIMARY KEY (alarm_id, receiver, round)
) STRICT, WITHOUT ROWID;
CREATE INDEX alarm_deliveries_by_message ON alarm_deliveries (message_id);
CREATE INDEX alarm_deliveries_by_link ON alarm_deliveries (link_hash) WHERE link_hash IS NOT NULL;
CREATE INDEX alarm_deliveries_by_receipt ON alarm_deliveries (receipt) WHERE receipt IS NOT NULL;

CREATE TABLE alarm_policy (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  group_wait_s INTEGER NOT NULL CHECK (group_wait_s BETWEEN 0 AND 600),
  next_step_minutes INTEGER NOT NULL CHECK (next_step_minutes BETWEEN 1 AND 1440),
  repeat_minutes INTEGER NOT NULL CHECK (repeat_minutes BETWEEN 15 AND 10080),
  max_rounds INTEGER NOT NULL CHECK (max_rounds BETWEEN 1 AND 3),
  -- \`22:00-08:00\`, local time; null: no quiet hours.
  quiet_hours TEXT CHECK (length(quiet_hours) = 11)
) STRICT;
INSERT INTO alarm_policy (id, group_wait_s, next_step_minutes, repeat_minutes, max_rounds) VALUES (1, 30, 15, 240, 3);

CREATE TABLE alarm_settings (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- Null: no alarm for warm beer.
  too_warm_c REAL CHECK (too_warm_c BETWEEN -50 AND 125),
  too_warm_minutes INTEGER NOT NULL CHECK (too_warm_minutes BETWEEN 0 AND 1440),
  silent_minutes INTEGER NOT NULL CHECK (silent_minutes BETWEEN 1 AND 10080),
  -- Writes that the maker of the disk states, terabytes; null: an assumption by its size.
  disk_endurance_tb REAL CHECK (disk_endurance_tb BETWEEN 0.1 AND 10000)
) STRICT;
INSERT INTO alarm_settings (id, too_warm_c, too_warm_minutes, silent_minutes) VALUES (1, 12, 30, 15);
`;
