/** Serving sizes of the site, and the prices of beverages by size. */
export const pricesSchema = `
CREATE TABLE serving_sizes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  position INTEGER NOT NULL CHECK (position >= 0),
  volume_ml REAL NOT NULL CHECK (volume_ml >= 1 AND volume_ml <= 100000),
  -- Empty: the volume is its name.
  name TEXT NOT NULL CHECK (length(name) <= 64),
  -- Names in further languages by language tag, {"de": "Halbe"}.
  names TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(names) AND length(names) <= 4096)
) STRICT;
-- The default of the default units, as in \`defaultServingSizes\`.
INSERT INTO serving_sizes (position, volume_ml, name, names) VALUES
  (0, 118.29411825, 'Taster', '{"de":"Probierglas"}'),
  (1, 295.735295625, '', '{}'),
  (2, 473.176473, 'Pint', '{}');

-- One row.
CREATE TABLE serving_size_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- 0 once staff have changed the list: it no longer follows from the units.
  are_default INTEGER NOT NULL CHECK (are_default IN (0, 1))
) STRICT;
INSERT INTO serving_size_state VALUES (1, 1);

-- Prices that replace the ordinary ones at times. Of several that hold, the one with the lowest id counts.
CREATE TABLE price_schedules (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
  is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1)),
  -- One bit for each day on which it starts, Monday is 1.
  weekdays INTEGER NOT NULL CHECK (weekdays BETWEEN 1 AND 127),
  starts_minutes INTEGER NOT NULL CHECK (starts_minutes BETWEEN 0 AND 1439),
  ends_minutes INTEGER NOT NULL CHECK (ends_minutes BETWEEN 0 AND 1439),
  first_on TEXT CHECK (first_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  last_on TEXT CHECK (last_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  percent_off INTEGER NOT NULL CHECK (percent_off BETWEEN 0 AND 100),
  -- Of several that hold, the one with the lowest counts.
  sort_order INTEGER NOT NULL CHECK (sort_order >= 0)
) STRICT;

CREATE TABLE schedule_prices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  schedule_id INTEGER NOT NULL REFERENCES price_schedules (id) ON DELETE CASCADE,
  -- No reference, as below.
  beverage_id INTEGER NOT NULL,
  serving_size_id INTEGER NOT NULL REFERENCES serving_sizes (id) ON DELETE CASCADE,
  price_minor INTEGER NOT NULL CHECK (price_minor BETWEEN 0 AND 100000000),
  UNIQUE (schedule_id, beverage_id, serving_size_id)
) STRICT;
CREATE INDEX schedule_prices_by_size ON schedule_prices (serving_size_id);

-- One row: until when the lists below follow the schedules.
CREATE TABLE price_schedule_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  applied_ms INTEGER NOT NULL CHECK (applied_ms >= 0)
) STRICT;
INSERT INTO price_schedule_state VALUES (1, 0);

-- The prices of a beverage from a time on. A list without prices ends the one before. No reference to beverages: the
-- prices of one that was merged into another are those of its earlier drinks, and a deleted one may be restored.
CREATE TABLE price_lists (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  beverage_id INTEGER NOT NULL,
  since_ms INTEGER NOT NULL CHECK (since_ms >= 0),
  -- 1: prices of a schedule; what staff set has 0.
  is_scheduled INTEGER NOT NULL DEFAULT 0 CHECK (is_scheduled IN (0, 1)),
  UNIQUE (beverage_id, since_ms)
) STRICT;

CREATE TABLE prices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  list_id INTEGER NOT NULL REFERENCES price_lists (id) ON DELETE CASCADE,
  -- Null: the size was deleted since.
  serving_size_id INTEGER REFERENCES serving_sizes (id) ON DELETE SET NULL,
  -- Volume of the size at that time.
  volume_ml REAL NOT NULL CHECK (volume_ml >= 1 AND volume_ml <= 100000),
  -- In the smallest unit of the currency (ISO 4217): 480 is 4.80 EUR.
  price_minor INTEGER NOT NULL CHECK (price_minor BETWEEN 0 AND 100000000),
  UNIQUE (list_id, serving_size_id)
) STRICT;
CREATE INDEX prices_by_size ON prices (serving_size_id);

-- The beverage that a keg had until a time, where a merge of two beverages gave it another: drinks until then keep the
-- prices of that beverage, which may no longer exist. Of several the earliest after the drink counts.
CREATE TABLE keg_former_beverages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  keg_id INTEGER NOT NULL REFERENCES kegs (id) ON DELETE CASCADE,
  until_ms INTEGER NOT NULL CHECK (until_ms >= 0),
  beverage_id INTEGER NOT NULL,
  UNIQUE (keg_id, until_ms)
) STRICT;
`;
