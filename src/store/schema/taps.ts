/** Taps, and the controllers, flow meters and toggles they are connected to. */
export const tapsSchema = `
CREATE TABLE taps (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
  notes TEXT NOT NULL CHECK (length(notes) <= 10000),
  sort_order INTEGER NOT NULL CHECK (sort_order >= 0),
  -- Shown to guests. Null once the tap is deleted, so that another one can have it.
  number INTEGER UNIQUE CHECK (number BETWEEN 1 AND 999),
  -- A deleted tap keeps its row: its drinks keep their tap and their totals, and it can be restored.
  is_deleted INTEGER NOT NULL DEFAULT 0 CHECK (is_deleted IN (0, 1)),
  -- What comes next: a keg in stock, or a beverage whose keg has not been delivered yet; one of them at most.
  next_keg_id INTEGER REFERENCES kegs (id) ON DELETE SET NULL,
  next_beverage_id INTEGER REFERENCES beverages (id) ON DELETE SET NULL
    CHECK (next_beverage_id IS NULL OR next_keg_id IS NULL),
  thermo_sensor_id INTEGER REFERENCES thermo_sensors (id) ON DELETE SET NULL,
  -- Volume of the beer line from keg to tap, and of the part of it before the meter; null where nobody entered it.
  line_volume_ml REAL CHECK (line_volume_ml BETWEEN 1 AND 50000),
  line_to_meter_ml REAL CHECK (line_to_meter_ml BETWEEN 0 AND 50000),
  -- A foam-on-beer detector stops the flow when the keg is empty: no gas comes, and the line stays full.
  has_fob INTEGER NOT NULL DEFAULT 0 CHECK (has_fob IN (0, 1)),
  -- The tap's usual rate is learned from pours after this time.
  rates_since_ms INTEGER NOT NULL DEFAULT 0 CHECK (rates_since_ms >= 0),
  CHECK (line_to_meter_ml <= line_volume_ml)
) STRICT;

-- The kegs connected to a tap, in the order in which they empty; the first one has the lowest position. A keg can be at several
-- taps (a split line).
CREATE TABLE tap_kegs (
  tap_id INTEGER NOT NULL REFERENCES taps (id) ON DELETE CASCADE,
  position INTEGER NOT NULL CHECK (position >= 0),
  keg_id INTEGER NOT NULL REFERENCES kegs (id),
  PRIMARY KEY (tap_id, position),
  UNIQUE (keg_id, tap_id)
) STRICT, WITHOUT ROWID;

-- Which keg a tap poured from at which time: from the start to the end, null while it does. A time is known by both clocks; the
-- monotonic one is that of the boot, an empty boot id where it is unknown. Where two spans of a tap overlap, the newer row counts.
CREATE TABLE keg_spans (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tap_id INTEGER NOT NULL REFERENCES taps (id) ON DELETE CASCADE,
  keg_id INTEGER NOT NULL REFERENCES kegs (id) ON DELETE CASCADE,
  start_ms INTEGER NOT NULL CHECK (start_ms >= 0),
  start_boot TEXT NOT NULL CHECK (length(start_boot) <= 64),
  start_mono_ms REAL NOT NULL,
  end_ms INTEGER CHECK (end_ms >= 0),
  end_boot TEXT CHECK (length(end_boot) <= 64),
  end_mono_ms REAL,
  -- The count ended it, for the next keg of a series: the end moves when the count is corrected.
  by_count INTEGER NOT NULL DEFAULT 0 CHECK (by_count IN (0, 1)),
  -- It was taken off with what was left: put on again, it was not on the tap meanwhile.
  taken_off INTEGER NOT NULL DEFAULT 0 CHECK (taken_off IN (0, 1)),
  -- It was connected behind the keg before, and the tap poured from it at once when that one left: nobody knows whose beer stood in
  -- the line.
  follows INTEGER NOT NULL DEFAULT 0 CHECK (follows IN (0, 1)),
  CHECK ((end_ms IS NULL) = (end_boot IS NULL) AND (end_ms IS NULL) = (end_mono_ms IS NULL))
) STRICT;
CREATE INDEX keg_spans_by_tap ON keg_spans (tap_id, id);
CREATE INDEX keg_spans_by_keg ON keg_spans (keg_id);

-- What a tap's meter counted on a day (days since 1970 at the bar) that is no drink.
CREATE TABLE tap_losses (
  tap_id INTEGER NOT NULL REFERENCES taps (id) ON DELETE CASCADE,
  local_day INTEGER NOT NULL,
  drips INTEGER NOT NULL CHECK (drips >= 0),
  drip_ticks INTEGER NOT NULL CHECK (drip_ticks >= 0),
  -- Of liquid that moved to and fro in the line and stayed there.
  back_flow_ticks INTEGER NOT NULL CHECK (back_flow_ticks >= 0),
  PRIMARY KEY (tap_id, local_day)
) STRICT, WITHOUT ROWID;

-- Kegs on tap that are probably empty, since gas came out of the tap, until staff say so or not.
CREATE TABLE suspected_empty_kegs (
  tap_id INTEGER PRIMARY KEY REFERENCES taps (id) ON DELETE CASCADE,
  keg_id INTEGER NOT NULL REFERENCES kegs (id) ON DELETE CASCADE,
  -- The first drink or held pour with gas. It may be deleted; then the time is the one it had.
  first_drink_id INTEGER NOT NULL,
  time_ms INTEGER NOT NULL CHECK (time_ms >= 0)
) STRICT;
CREATE INDEX suspected_empty_by_keg ON suspected_empty_kegs (keg_id);

CREATE INDEX taps_in_order ON taps (sort_order, id);
CREATE INDEX taps_by_sensor ON taps (thermo_sensor_id);
-- A keg can be the next one of a single tap only.
CREATE UNIQUE INDEX taps_by_next_keg ON taps (next_keg_id) WHERE next_keg_id IS NOT NULL;
CREATE INDEX taps_by_next_beverage ON taps (next_beverage_id) WHERE next_beverage_id IS NOT NULL;

-- The serving sizes of the site that a tap offers; without rows it offers all.
CREATE TABLE tap_serving_sizes (
  tap_id INTEGER NOT NULL REFERENCES taps (id) ON DELETE CASCADE,
  serving_size_id INTEGER NOT NULL REFERENCES serving_sizes (id) ON DELETE CASCADE,
  PRIMARY KEY (tap_id, serving_size_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX tap_serving_sizes_by_size ON tap_serving_sizes (serving_size_id);

-- Taps as the configuration file declared them last, so that later changes by people are kept.
CREATE TABLE declared_taps (
  key TEXT PRIMARY KEY CHECK (length(key) BETWEEN 1 AND 400),
  tap_id INTEGER REFERENCES taps (id) ON DELETE SET NULL,
  name TEXT NOT NULL,
  toggle_port TEXT,
  thermo_sensor TEXT
) STRICT;
CREATE INDEX declared_taps_by_tap ON declared_taps (tap_id);

CREATE TABLE controllers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- A full meter name is split at its first dot, so the controller's part has none.
  name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 128 AND instr(name, '.') = 0),
  model_name TEXT CHECK (length(model_name) <= 128),
  serial_number TEXT CHECK (length(serial_number) <= 128),
  nice_name TEXT NOT NULL DEFAULT '' CHECK (length(nice_name) <= 128),
  notes TEXT NOT NULL DEFAULT '' CHECK (length(notes) <= 10000)
) STRICT;

CREATE TABLE flow_meters (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  controller_id INTEGER NOT NULL REFERENCES controllers (id) ON DELETE CASCADE,
  port_name TEXT NOT NULL CHECK (length(port_name) BETWEEN 1 AND 128),
  tap_id INTEGER UNIQUE REFERENCES taps (id) ON DELETE SET NULL,
  ticks_per_ml REAL NOT NULL CHECK (ticks_per_ml >= 0.001 AND ticks_per_ml <= 1000),
  calibrated INTEGER NOT NULL CHECK (calibrated IN (0, 1)),
  -- Standard uncertainty of ticks_per_ml as a share of it; null where nobody measured it.
  u_factor REAL CHECK (u_factor BETWEEN 0 AND 1),
  -- Factors at several rates, as JSON with the ticks_per_ml for which they were set; null where one factor serves all.
  curve TEXT CHECK (json_valid(curve) AND length(curve) <= 2048),
  -- Mean rate, ticks per second, and ticks of the pours by which the factor was measured; null where nobody measured it.
  measured_hz REAL CHECK (measured_hz > 0),
  measured_ticks REAL CHECK (measured_ticks > 0),
  -- Standard uncertainty of the time by which the wheel lags at start and stop, seconds; null: that of any meter.
  u_lag_s REAL CHECK (u_lag_s BETWEEN 0 AND 1),
  -- The value in the configuration file at the last start; only a change there overrides what people set.
  declared_ticks_per_ml REAL,
  -- Standard uncertainty of its model before any calibration, as a share; null where the model or its accuracy is not known.
  u_model REAL CHECK (u_model > 0 AND u_model <= 1),
  -- Ticks per second of an open tap by the figures of its model; null where the model is not known.
  model_hz REAL CHECK (model_hz > 0 AND model_hz <= 100000),
  -- Least flow of the range of its model, mL/s; null where it is not known.
  least_ml_per_s REAL CHECK (least_ml_per_s > 0),
  -- The factor of its model, to tell it from a measured one; null where the model is not known.
  model_ticks_per_ml REAL CHECK (model_ticks_per_ml > 0),
  -- The factor from which it learns, with its standard uncertainty; null: that in use.
  prior_ticks_per_ml REAL CHECK (prior_ticks_per_ml >= 0.001 AND prior_ticks_per_ml <= 1000),
  u_prior REAL CHECK (u_prior > 0 AND u_prior <= 1),
  -- Evidence with a higher id is learned from, is in the chart of deviations, and has not been applied by itself yet.
  evidence_after INTEGER NOT NULL DEFAULT 0 CHECK (evidence_after >= 0),
  chart_after INTEGER NOT NULL DEFAULT 0 CHECK (chart_after >= 0),
  applied_evidence INTEGER NOT NULL DEFAULT 0 CHECK (applied_evidence >= 0),
  ticks_total INTEGER NOT NULL DEFAULT 0 CHECK (ticks_total >= 0),
  nice_name TEXT NOT NULL DEFAULT '' CHECK (length(nice_name) <= 128),
  notes TEXT NOT NULL DEFAULT '' CHECK (length(notes) <= 10000),
  -- Newest pour that it counted; null before the first, and while the clock was never set.
  last_counted_ms INTEGER CHECK (last_counted_ms >= 0),
  UNIQUE (controller_id, port_name),
  CHECK ((prior_ticks_per_ml IS NULL) = (u_prior IS NULL)),
  CHECK ((measured_hz IS NULL) = (measured_ticks IS NULL))
) STRICT;

-- Measurements of meters' factors, from which they learn. No reference to the meter: a deleted one can be restored.
CREATE TABLE meter_evidence (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  meter_id INTEGER NOT NULL,
  -- One of the base, or one that an extension declares.
  kind TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 32),
  ticks INTEGER NOT NULL CHECK (ticks >= 1),
  volume_ml REAL NOT NULL CHECK (volume_ml > 0 AND volume_ml <= 100000000),
  -- Standard uncertainty as a share.
  u REAL NOT NULL CHECK (u > 0 AND u <= 1),
  -- Kegs of one size and brewery are filled alike, and what one instrument measured is wrong alike.
  fill_group TEXT CHECK (length(fill_group) BETWEEN 1 AND 64),
  time_ms INTEGER NOT NULL CHECK (time_ms >= 0),
  -- Where it comes from: a keg, the correction of a calibration, or a keg whose pours something measured beside the meter.
  keg_id INTEGER UNIQUE REFERENCES kegs (id) ON DELETE CASCADE,
  calibration_id INTEGER UNIQUE,
  poured_keg_id INTEGER REFERENCES kegs (id) ON DELETE CASCADE,
  -- A keg's: 0 when some of its beer or ticks are not known; a correction may change that.
  is_fit INTEGER NOT NULL CHECK (is_fit IN (0, 1)),
  -- Why it is not fit, see core/measurement/counted-keg.ts.
  incomplete_reason TEXT CHECK (incomplete_reason IN ('end_unknown', 'not_full', 'too_little', 'spilled', 'deleted', 'given', 'doubtful', 'held', 'series',
    'meter_changed')),
  -- Staff said that it is wrong.
  is_discarded INTEGER NOT NULL DEFAULT 0 CHECK (is_discarded IN (0, 1)),
  CHECK ((incomplete_reason IS NULL) = is_fit),
  UNIQUE (poured_keg_id, kind),
  CHECK ((keg_id IS NULL) + (calibration_id IS NULL) + (poured_keg_id IS NULL) = 2)
) STRICT;
CREATE INDEX meter_evidence_by_meter ON meter_evidence (meter_id, id);

-- Ticks counted under a name that no meter has now. A meter that takes the name takes them over, so that its
-- lifetime total never falls below the drinks recorded under its name.
CREATE TABLE unassigned_ticks (
  meter TEXT PRIMARY KEY CHECK (length(meter) <= 257),
  ticks INTEGER NOT NULL CHECK (ticks >= 0)
) STRICT;

CREATE TABLE flow_toggles (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  controller_id INTEGER NOT NULL REFERENCES controllers (id) ON DELETE CASCADE,
  port_name TEXT NOT NULL CHECK (length(port_name) BETWEEN 1 AND 128),
  tap_id INTEGER UNIQUE REFERENCES taps (id) ON DELETE SET NULL,
  UNIQUE (controller_id, port_name)
) STRICT;

-- Flow meters and relays on pins of this machine that superusers chose on the page, beside those of the settings file.
CREATE TABLE pin_entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('meter', 'relay')),
  port TEXT NOT NULL UNIQUE CHECK (length(port) BETWEEN 1 AND 128),
  pin INTEGER NOT NULL UNIQUE CHECK (pin BETWEEN 0 AND 63),
  -- Of meters.
  model TEXT CHECK (length(model) BETWEEN 1 AND 64),
  ticks_per_ml REAL CHECK (ticks_per_ml >= 0.001 AND ticks_per_ml <= 1000),
  -- Null: what follows from the model.
  min_gap_ms REAL CHECK (min_gap_ms BETWEEN 0 AND 100),
  bias TEXT CHECK (bias IN ('pull-up', 'pull-down', 'none')),
  edge TEXT CHECK (edge IN ('falling', 'rising')),
  -- Of relays.
  active_low INTEGER CHECK (active_low IN (0, 1)),
  -- The machine they were wired to, as salt and hash of its id; null when it had none.
  machine TEXT CHECK (length(machine) BETWEEN 1 AND 128),
  CHECK ((kind = 'meter') = (bias IS NOT NULL AND edge IS NOT NULL)),
  CHECK ((kind = 'relay') = (active_low IS NOT NULL)),
  CHECK (kind = 'relay' OR machine IS NULL)
) STRICT;

-- The newest change of pin_entries, so that it can be undone, and those that were: entry and record before and after, as JSON.
CREATE TABLE pin_entry_changes (
  id INTEGER PRIMARY KEY REFERENCES audit_entries (id) ON DELETE CASCADE,
  before TEXT NOT NULL CHECK (json_valid(before) AND length(before) <= 4096),
  after TEXT NOT NULL CHECK (json_valid(after) AND length(after) <= 4096),
  undone_by INTEGER REFERENCES audit_entries (id)
) STRICT;
CREATE INDEX pin_entry_changes_undone ON pin_entry_changes (undone_by) WHERE undone_by IS NOT NULL;
`;
