/** What is known of kegs from their deliveries, and counts of the kegs in stock. */
export const stockSchema = `
-- What is known of kegs from their deliveries. Days are YYYY-MM-DD.
CREATE TABLE keg_purchases (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  keg_id INTEGER NOT NULL UNIQUE REFERENCES kegs (id) ON DELETE CASCADE,
  supplier TEXT NOT NULL CHECK (length(supplier) <= 64),
  batch TEXT NOT NULL CHECK (length(batch) <= 64),
  -- Text of the barcode or QR code on it.
  code TEXT NOT NULL CHECK (length(code) <= 128),
  -- Where it stands.
  location TEXT NOT NULL CHECK (length(location) <= 64),
  received_on TEXT CHECK (received_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  -- Day of filling.
  born_on TEXT CHECK (born_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  best_before TEXT CHECK (best_before GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
  -- Without tax and deposit, in the smallest unit of the currency.
  cost_minor INTEGER CHECK (cost_minor BETWEEN 0 AND 100000000),
  deposit_minor INTEGER CHECK (deposit_minor BETWEEN 0 AND 100000000),
  -- Day on which the empty keg went back.
  deposit_returned_on TEXT CHECK (deposit_returned_on GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]')
) STRICT;
CREATE INDEX keg_purchases_by_deposit ON keg_purchases (keg_id) WHERE deposit_minor > 0 AND deposit_returned_on IS NULL;

-- Counts of the kegs in stock. Names are those of that time.
CREATE TABLE stock_counts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  time_ms INTEGER NOT NULL CHECK (time_ms >= 0),
  user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  note TEXT NOT NULL CHECK (length(note) <= 1000),
  -- Whether missing kegs were ended and found ones added.
  is_adjusted INTEGER NOT NULL CHECK (is_adjusted IN (0, 1))
) STRICT;
CREATE INDEX stock_counts_by_user ON stock_counts (user_id) WHERE user_id IS NOT NULL;

CREATE TABLE stock_count_lines (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  count_id INTEGER NOT NULL REFERENCES stock_counts (id) ON DELETE CASCADE,
  beverage_id INTEGER REFERENCES beverages (id) ON DELETE SET NULL,
  beverage TEXT NOT NULL CHECK (length(beverage) <= 255),
  size TEXT NOT NULL CHECK (length(size) <= 128),
  full_volume_ml REAL NOT NULL CHECK (full_volume_ml > 0),
  expected INTEGER NOT NULL CHECK (expected BETWEEN 0 AND 1000),
  counted INTEGER NOT NULL CHECK (counted BETWEEN 0 AND 1000),
  reason TEXT CHECK (reason IN ('unknown', 'returned', 'spoiled', 'given_away', 'not_recorded')),
  -- Cost of the difference in the smallest unit of the currency, negative for missing kegs; null where it is not known.
  value_minor INTEGER,
  CHECK ((reason IS NULL) = (expected = counted))
) STRICT;
CREATE INDEX stock_count_lines_by_count ON stock_count_lines (count_id);
CREATE INDEX stock_count_lines_by_beverage ON stock_count_lines (beverage_id) WHERE beverage_id IS NOT NULL;
`;
