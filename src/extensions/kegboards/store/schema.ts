/**
 * Boards that report device events over HTTP and that staff allowed or denied: their state, the events handled and the
 * commands that wait.
 */
export const kegboardsSchema = `
CREATE TABLE kegboards (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  device TEXT NOT NULL UNIQUE CHECK (length(device) BETWEEN 1 AND 64),
  state TEXT NOT NULL CHECK (state IN ('allowed', 'paired', 'denied')),
  controller_id INTEGER UNIQUE REFERENCES controllers (id) ON DELETE CASCADE,
  token_hash BLOB UNIQUE CHECK (length(token_hash) = 32),
  address TEXT CHECK (length(address) <= 64),
  first_seen_ms INTEGER NOT NULL CHECK (first_seen_ms >= 0),
  last_seen_ms INTEGER CHECK (last_seen_ms >= 0),
  boot_id TEXT CHECK (length(boot_id) <= 32),
  fw_version TEXT CHECK (length(fw_version) <= 64),
  uptime_ms INTEGER CHECK (uptime_ms >= 0),
  wifi_rssi_dbm INTEGER,
  events_dropped INTEGER CHECK (events_dropped >= 0),
  config TEXT CHECK (length(config) <= 4096),
  meter_numbers TEXT CHECK (length(meter_numbers) <= 4096),
  relay_numbers TEXT CHECK (length(relay_numbers) <= 4096),
  -- What could not be used of its last batch: a JSON array of problems.
  problems TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(problems) AND length(problems) <= 16384)
) STRICT;

-- The events handled of each boot. By name instead of id, so that a kegboard paired again repeats nothing.
CREATE TABLE kegboard_cursors (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  device TEXT NOT NULL CHECK (length(device) <= 64),
  boot_id TEXT NOT NULL CHECK (length(boot_id) <= 32),
  seen TEXT NOT NULL CHECK (length(seen) <= 8192),
  UNIQUE (device, boot_id)
) STRICT;
CREATE INDEX kegboard_cursors_by_age ON kegboard_cursors (device, id);

CREATE TABLE kegboard_commands (
  serial INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 64),
  kegboard_id INTEGER NOT NULL REFERENCES kegboards (id) ON DELETE CASCADE,
  type TEXT NOT NULL CHECK (type IN ('authorize', 'deny', 'deauthorize')),
  data TEXT NOT NULL CHECK (length(data) <= 8192),
  -- The presentment it answers: reader and token.
  presented TEXT,
  -- Its age is measured on the monotonic clock: setting the time must neither open a tap nor keep it shut.
  boot_id TEXT NOT NULL CHECK (length(boot_id) <= 64),
  mono_ms REAL NOT NULL
) STRICT;
CREATE INDEX kegboard_commands_by_kegboard ON kegboard_commands (kegboard_id, serial);

-- Reported pours that were refused, with the reason, stored as received for somebody to review.
CREATE TABLE refused_pours (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  device TEXT NOT NULL CHECK (length(device) <= 64),
  boot_id TEXT NOT NULL CHECK (length(boot_id) <= 32),
  event_id INTEGER NOT NULL,
  reason TEXT NOT NULL CHECK (length(reason) <= 300),
  event TEXT NOT NULL CHECK (length(event) <= 16384),
  time_ms INTEGER NOT NULL CHECK (time_ms >= 0),
  UNIQUE (device, boot_id, event_id)
) STRICT;
`;
