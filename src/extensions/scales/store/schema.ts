/** Scales under kegs, their readings, and where they disagree with the meters. */
export const scalesSchema = `
CREATE TABLE scales (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
  -- The tap whose keg stands on it; a tap has one scale.
  tap_id INTEGER UNIQUE REFERENCES taps (id) ON DELETE SET NULL,
  -- MQTT topic with its weights; empty for none.
  topic TEXT NOT NULL DEFAULT '' CHECK (length(topic) <= 256),
  -- Name of the weight in a JSON message; empty where the message is a plain number.
  payload_field TEXT NOT NULL DEFAULT '' CHECK (length(payload_field) <= 128),
  unit TEXT NOT NULL DEFAULT 'g' CHECK (unit IN ('g', 'kg')),
  -- What it shows with an empty keg; null when nobody weighed one.
  empty_weight_g REAL CHECK (empty_weight_g BETWEEN 0 AND 300000),
  -- How its zero follows the temperature, with the standard uncertainty; learned in quiet nights.
  drift_g_per_k REAL NOT NULL DEFAULT 0,
  drift_u_g_per_k REAL NOT NULL DEFAULT 10 CHECK (drift_u_g_per_k > 0)
) STRICT;
-- A topic feeds one scale.
CREATE UNIQUE INDEX scales_by_topic ON scales (topic, payload_field) WHERE topic <> '';

-- At most one reading per scale and minute, for 30 days. Those of a deleted scale stay as long, so that its deletion can
-- be undone: its id is never used again.
CREATE TABLE scale_readings (
  scale_id INTEGER NOT NULL,
  minute_ms INTEGER NOT NULL CHECK (minute_ms >= 0 AND minute_ms % 60000 = 0),
  weight_g REAL NOT NULL CHECK (weight_g BETWEEN 0 AND 300000),
  temp_c REAL CHECK (temp_c BETWEEN -50 AND 125),
  PRIMARY KEY (scale_id, minute_ms)
) STRICT, WITHOUT ROWID;

-- Disagreements of a scale with the meter or with the record of the keg; at most one open per scale and kind.
CREATE TABLE scale_findings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  scale_id INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 64),
  keg_id INTEGER REFERENCES kegs (id) ON DELETE SET NULL,
  started_ms INTEGER NOT NULL CHECK (started_ms >= 0),
  updated_ms INTEGER NOT NULL CHECK (updated_ms >= 0),
  -- Null while it is open.
  ended_ms INTEGER CHECK (ended_ms >= 0),
  -- Staff closed it: it is not opened again for a day.
  is_closed INTEGER NOT NULL DEFAULT 0 CHECK (is_closed IN (0, 1)),
  scale_ml REAL NOT NULL,
  meter_ml REAL NOT NULL,
  u_ml REAL NOT NULL CHECK (u_ml >= 0),
  ratio REAL
) STRICT;
CREATE UNIQUE INDEX scale_findings_open ON scale_findings (scale_id, kind) WHERE ended_ms IS NULL;
CREATE INDEX scale_findings_by_scale ON scale_findings (scale_id);
CREATE INDEX scale_findings_by_keg ON scale_findings (keg_id);
CREATE INDEX scale_findings_by_end ON scale_findings (ended_ms);
`;
