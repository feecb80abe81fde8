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

-- The prices of a beverage from a time on. A list without prices ends the one before. No reference to beverages: the
-- prices of one that was merged into another are those of its earlier drinks, and a deleted one may be restored.
CREATE TABLE price_lists (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  beverage_id INTEGER NOT NULL,
  since_ms INTEGER NOT NULL CHECK (since_ms >= 0),
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
