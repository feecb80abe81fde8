/** Producers, beverages, keg sizes and kegs. */
export const kegsSchema = `
CREATE TABLE producers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 255),
  -- ISO 3166, three letters; empty when unknown.
  country TEXT NOT NULL DEFAULT '' CHECK (length(country) IN (0, 3)),
  origin_state TEXT NOT NULL DEFAULT '' CHECK (length(origin_state) <= 128),
  origin_city TEXT NOT NULL DEFAULT '' CHECK (length(origin_city) <= 128),
  is_homebrew INTEGER NOT NULL DEFAULT 0 CHECK (is_homebrew IN (0, 1)),
  url TEXT NOT NULL DEFAULT '' CHECK (length(url) <= 200),
  description TEXT NOT NULL DEFAULT '' CHECK (length(description) <= 10000)
) STRICT;
CREATE INDEX producers_by_name ON producers (name);

CREATE TABLE beverages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 255),
  producer_id INTEGER NOT NULL REFERENCES producers (id) ON DELETE RESTRICT,
  beverage_type TEXT NOT NULL CHECK (beverage_type IN ('beer', 'wine', 'soda', 'kombucha', 'other')),
  style TEXT CHECK (length(style) BETWEEN 1 AND 255),
  description TEXT NOT NULL DEFAULT '' CHECK (length(description) <= 10000),
  -- A day, YYYY-MM-DD.
  vintage_year TEXT CHECK (vintage_year GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  abv_percent REAL CHECK (abv_percent BETWEEN 0 AND 100),
  calories_per_ml REAL CHECK (calories_per_ml BETWEEN 0 AND 100),
  carbs_per_ml REAL CHECK (carbs_per_ml BETWEEN 0 AND 100),
  original_gravity REAL CHECK (original_gravity BETWEEN 0.99 AND 1.2),
  specific_gravity REAL CHECK (specific_gravity BETWEEN 0.99 AND 1.2),
  srm REAL CHECK (srm BETWEEN 0 AND 1000),
  ibu REAL CHECK (ibu BETWEEN 0 AND 10000),
  color_hex TEXT NOT NULL CHECK (color_hex GLOB '#[0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f]'),
  star_rating REAL CHECK (star_rating BETWEEN 0 AND 5),
  untappd_beer_id INTEGER CHECK (untappd_beer_id >= 1),
  -- Shown on the menu; empty when nothing is noted.
  allergens TEXT NOT NULL DEFAULT '' CHECK (length(allergens) <= 255)
) STRICT;
CREATE INDEX beverages_by_name ON beverages (name, producer_id);
CREATE INDEX beverages_by_producer ON beverages (producer_id);

-- Merges of two beverages or producers, with what undo restores. The id is that of the entry in the audit log.
CREATE TABLE catalogue_merges (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('beverage', 'producer')),
  kept_id INTEGER NOT NULL,
  removed_id INTEGER NOT NULL,
  -- The removed record and the ids that were moved from it, as JSON.
  removed TEXT NOT NULL,
  undone INTEGER NOT NULL DEFAULT 0 CHECK (undone IN (0, 1))
) STRICT;

CREATE TABLE keg_sizes (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE CHECK (length(key) BETWEEN 1 AND 64),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
  volume_ml REAL NOT NULL CHECK (volume_ml >= 0)
) STRICT;
INSERT INTO keg_sizes (id, key, name, volume_ml) VALUES
  (1, 'mini', 'Mini Keg (5 L)', 5000),
  (2, 'corny-2_5-gal', 'Corny Keg (2.5 gal)', 9463.53),
  (3, 'corny-3-gal', 'Corny Keg (3.0 gal)', 11356.2),
  (4, 'corny', 'Corny Keg (5 gal)', 18927.1),
  (5, 'sixth', 'Sixth Barrel (5.17 gal)', 19570.6),
  (6, 'quarter', 'Quarter Barrel (7.75 gal)', 29336.9),
  (7, 'euro-30-liter', 'European DIN (30 L)', 30000),
  (8, 'euro-half', 'European Half Barrel (50 L)', 50000),
  (9, 'half-barrel', 'Half Barrel (15.5 gal)', 58673.9),
  (10, 'euro', 'European Full Barrel (100 L)', 100000),
  (11, 'other', 'Other', 0);

CREATE TABLE kegs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  beverage_id INTEGER NOT NULL REFERENCES beverages (id) ON DELETE RESTRICT,
  size_id INTEGER NOT NULL REFERENCES keg_sizes (id),
  state TEXT NOT NULL CHECK (state IN ('available', 'on_tap', 'finished')),
  full_volume_ml REAL NOT NULL CHECK (full_volume_ml > 0 AND full_volume_ml <= 10000000),
  spilled_volume_ml REAL NOT NULL DEFAULT 0 CHECK (spilled_volume_ml >= 0),
  description TEXT NOT NULL CHECK (length(description) <= 10000),
  notes TEXT NOT NULL CHECK (length(notes) <= 10000),
  created_time_ms INTEGER NOT NULL CHECK (created_time_ms >= 0),
  started_time_ms INTEGER NOT NULL CHECK (started_time_ms >= 0),
  finished_time_ms INTEGER CHECK (finished_time_ms >= 0),
  -- Whether it was empty when it was finished, as staff said; null where nobody said so.
  ran_dry INTEGER CHECK (ran_dry IN (0, 1)),
  -- Derived from its spans: it emptied before or after another keg of the same tap without a pause, so that its share of the ticks is
  -- computed; or it was taken off before it was empty.
  in_series INTEGER NOT NULL DEFAULT 0 CHECK (in_series IN (0, 1)),
  CHECK (ran_dry IS NULL OR state = 'finished')
) STRICT;
-- Kegs that staff weighed. A weighing changes no drink; meters learn from it.
CREATE TABLE keg_weighings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  keg_id INTEGER NOT NULL REFERENCES kegs (id) ON DELETE CASCADE,
  time_ms INTEGER NOT NULL CHECK (time_ms >= 0),
  -- With the keg.
  weight_g REAL NOT NULL CHECK (weight_g BETWEEN 500 AND 300000),
  -- As stamped on the keg; null: that of its size.
  empty_weight_g REAL CHECK (empty_weight_g BETWEEN 100 AND 100000),
  -- ± of the balance, half width of the 95 % interval.
  balance_g REAL NOT NULL CHECK (balance_g BETWEEN 1 AND 5000),
  -- Who entered it.
  user_id INTEGER REFERENCES users (id) ON DELETE SET NULL
) STRICT;
CREATE INDEX keg_weighings_by_keg ON keg_weighings (keg_id, time_ms);
CREATE INDEX keg_weighings_by_user ON keg_weighings (user_id) WHERE user_id IS NOT NULL;

CREATE INDEX kegs_by_state ON kegs (state);
CREATE INDEX kegs_by_finished_time ON kegs (finished_time_ms);
CREATE INDEX kegs_by_beverage ON kegs (beverage_id);
`;
