/** Settings of MQTT, and what the broker keeps of ours. */
export const mqttSchema = `
CREATE TABLE mqtt_settings (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- The site in topics, unless the settings name another: the same after a restore on another machine.
  site_id TEXT NOT NULL CHECK (length(site_id) BETWEEN 1 AND 32),
  -- Settings of the page by name; an absent one has the default that the program declares.
  settings TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(settings) AND length(settings) <= 262144),
  -- Whether events are queued: the settings of page and file together, which only the daemon knows.
  queues_events INTEGER NOT NULL DEFAULT 0 CHECK (queues_events IN (0, 1))
) STRICT;
INSERT INTO mqtt_settings (id, site_id) VALUES (1, lower(hex(randomblob(4))));

-- Topics on which the broker keeps a message of ours, so that none is left behind when its tap is gone.
CREATE TABLE mqtt_retained_topics (
  topic TEXT PRIMARY KEY CHECK (length(topic) BETWEEN 1 AND 512)
) STRICT, WITHOUT ROWID;
`;
