/** Finished messages kept for people to look at. */
const maxDone = 500;
const maxDead = 1000;
const deleteOldest = (state: string, keep: number): string =>
  `DELETE FROM outbox WHERE state = '${state}' AND id <=
    (SELECT id FROM outbox WHERE state = '${state}' ORDER BY id DESC LIMIT 1 OFFSET ${keep});`;

/** Messages sent after the commit (mail, webhooks), and who receives them. */
export const notificationsSchema = `
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The same at every attempt, so that a receiver recognizes a repetition.
  uid TEXT NOT NULL DEFAULT (lower(hex(randomblob(16)))) CHECK (length(uid) = 32),
  kind TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 32),
  -- A URL, a mail address, \`channel:<id>\` for an alarm channel, or \`user:<id>\` for a user whose address is looked up when
  -- the mail is sent.
  target TEXT NOT NULL CHECK (length(target) BETWEEN 1 AND 2048),
  -- The kind of an event, or the name of a mail template.
  topic TEXT NOT NULL CHECK (length(topic) BETWEEN 1 AND 64),
  payload TEXT NOT NULL CHECK (json_valid(payload) AND length(payload) <= 65536),
  event_id INTEGER,
  created_time_ms INTEGER NOT NULL CHECK (created_time_ms >= 0),
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'skipped', 'dead')),
  not_before_ms INTEGER NOT NULL DEFAULT 0 CHECK (not_before_ms >= 0),
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  -- A problem: code, parameters and English text.
  last_error TEXT CHECK (json_valid(last_error) AND length(last_error) <= 8192)
) STRICT;
CREATE UNIQUE INDEX outbox_once ON outbox (event_id, kind, target) WHERE event_id IS NOT NULL;
CREATE INDEX outbox_waiting ON outbox (kind, target, id, not_before_ms) WHERE state = 'waiting';
CREATE INDEX outbox_by_state ON outbox (state);

CREATE TRIGGER outbox_done AFTER UPDATE OF state ON outbox WHEN NEW.state IN ('sent', 'skipped') BEGIN
  ${deleteOldest('sent', maxDone)}
  ${deleteOldest('skipped', maxDone)}
END;
CREATE TRIGGER outbox_dead AFTER UPDATE OF state ON outbox WHEN NEW.state = 'dead' BEGIN
  ${deleteOldest('dead', maxDead)}
END;

CREATE TABLE mail_settings (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- Empty: no mail is sent.
  host TEXT NOT NULL CHECK (length(host) <= 253),
  port INTEGER NOT NULL CHECK (port BETWEEN 1 AND 65535),
  security TEXT NOT NULL CHECK (security IN ('none', 'starttls', 'tls')),
  username TEXT NOT NULL CHECK (length(username) <= 254),
  password TEXT NOT NULL CHECK (length(password) <= 1024),
  from_address TEXT NOT NULL CHECK (length(from_address) <= 254),
  -- The start of links in mails; empty: mails have no links.
  base_url TEXT NOT NULL CHECK (length(base_url) <= 512)
) STRICT;
INSERT INTO mail_settings (id, host, port, security, username, password, from_address, base_url)
  VALUES (1, '', 587, 'starttls', '', '', '', '');

CREATE TABLE notification_settings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  backend TEXT NOT NULL CHECK (length(backend) BETWEEN 1 AND 255),
  keg_tapped INTEGER NOT NULL CHECK (keg_tapped IN (0, 1)),
  session_started INTEGER NOT NULL CHECK (session_started IN (0, 1)),
  keg_volume_low INTEGER NOT NULL CHECK (keg_volume_low IN (0, 1)),
  keg_ended INTEGER NOT NULL CHECK (keg_ended IN (0, 1)),
  -- Names of the kinds of alarms that the user wants.
  alarm_kinds TEXT NOT NULL CHECK (json_valid(alarm_kinds) AND json_type(alarm_kinds) = 'array' AND length(alarm_kinds) <= 4096),
  UNIQUE (user_id, backend)
) STRICT;

CREATE TABLE webhook_targets (
  id INTEGER PRIMARY KEY,
  url TEXT NOT NULL UNIQUE CHECK (length(url) BETWEEN 1 AND 2048),
  is_enabled INTEGER NOT NULL DEFAULT 1 CHECK (is_enabled IN (0, 1)),
  -- The kinds of events that it receives, a JSON list; null: all, also those of later versions.
  event_kinds TEXT CHECK (json_valid(event_kinds) AND length(event_kinds) <= 1024)
) STRICT;

CREATE TABLE plugin_secrets (
  plugin_name TEXT PRIMARY KEY CHECK (length(plugin_name) BETWEEN 1 AND 127),
  secret TEXT NOT NULL CHECK (length(secret) BETWEEN 1 AND 1024)
) STRICT, WITHOUT ROWID;

CREATE TABLE plugin_data (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  plugin_name TEXT NOT NULL CHECK (length(plugin_name) BETWEEN 1 AND 127),
  key TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 127),
  value TEXT NOT NULL CHECK (json_valid(value) AND length(value) <= 65536),
  UNIQUE (plugin_name, key)
) STRICT;
`;
