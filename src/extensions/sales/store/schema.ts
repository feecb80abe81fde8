/** What the till sells, and the lines that it recorded. */
export const salesSchema = `
-- What a serving of a beverage holds and how it is taxed, where that differs from its serving size.
CREATE TABLE servings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  beverage_id INTEGER NOT NULL REFERENCES beverages (id) ON DELETE CASCADE,
  serving_size_id INTEGER NOT NULL REFERENCES serving_sizes (id) ON DELETE CASCADE,
  -- Beer without the head: a glass of 16 oz to the brim holds some 14.5 oz. Null: as much as the size.
  liquid_ml REAL CHECK (liquid_ml BETWEEN 1 AND 100000),
  -- Hundredths of a percent, in the amounts that contain tax. Null: that of the till.
  tax_basis_points INTEGER CHECK (tax_basis_points BETWEEN 0 AND 10000),
  UNIQUE (beverage_id, serving_size_id)
) STRICT;
CREATE INDEX servings_by_size ON servings (serving_size_id);

-- Names and numbers (PLU) of a serving at any till, by which its products are found.
CREATE TABLE serving_codes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL UNIQUE CHECK (length(code) BETWEEN 1 AND 128),
  serving_id INTEGER NOT NULL REFERENCES servings (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX serving_codes_by_serving ON serving_codes (serving_id);

CREATE TABLE tills (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 64),
  -- How its files are read, see core/sales/sales-format.ts. Null: it sends its lines by the API.
  format TEXT CHECK (json_valid(format) AND length(format) <= 16384),
  -- Tax in its amounts, hundredths of a percent; 0: they are without tax. Null: nobody said.
  included_tax_basis_points INTEGER CHECK (included_tax_basis_points BETWEEN 0 AND 10000)
) STRICT;

-- Categories of a till without draught beer: their products are ignored, unless one is mapped.
CREATE TABLE till_ignored_categories (
  till_id INTEGER NOT NULL REFERENCES tills (id) ON DELETE CASCADE,
  category TEXT NOT NULL CHECK (length(category) <= 128),
  PRIMARY KEY (till_id, category)
) STRICT, WITHOUT ROWID;

-- Products of a till, as its lines name them.
CREATE TABLE till_items (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  till_id INTEGER NOT NULL REFERENCES tills (id) ON DELETE CASCADE,
  -- Its number (PLU, SKU), else its name.
  key TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 128),
  variant TEXT NOT NULL CHECK (length(variant) <= 128),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
  category TEXT NOT NULL CHECK (length(category) <= 128),
  is_ignored INTEGER NOT NULL DEFAULT 0 CHECK (is_ignored IN (0, 1)),
  UNIQUE (till_id, key, variant)
) STRICT;

-- What a product contains from a time on; 0 is also for the past. Without components it contains no draught beer.
CREATE TABLE till_item_mappings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  item_id INTEGER NOT NULL REFERENCES till_items (id) ON DELETE CASCADE,
  since_ms INTEGER NOT NULL CHECK (since_ms >= 0),
  UNIQUE (item_id, since_ms)
) STRICT;

CREATE TABLE till_item_components (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  mapping_id INTEGER NOT NULL REFERENCES till_item_mappings (id) ON DELETE CASCADE,
  position INTEGER NOT NULL CHECK (position BETWEEN 0 AND 23),
  -- No reference: a merge of beverages moves it, and a deleted one may be restored.
  beverage_id INTEGER NOT NULL,
  -- Null: the component has a volume of its own, as in a pitcher, or the size was deleted since.
  serving_size_id INTEGER REFERENCES serving_sizes (id) ON DELETE SET NULL,
  -- Servings in one product: 4 tasters of a flight.
  count INTEGER NOT NULL CHECK (count BETWEEN 1 AND 1000),
  -- Beer in one of them; of a serving size what it held when it was mapped.
  liquid_ml REAL NOT NULL CHECK (liquid_ml BETWEEN 1 AND 100000),
  UNIQUE (mapping_id, position)
) STRICT;
CREATE INDEX till_item_components_by_size ON till_item_components (serving_size_id);
CREATE INDEX till_item_components_by_beverage ON till_item_components (beverage_id);

CREATE TABLE sales_imports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  till_id INTEGER NOT NULL REFERENCES tills (id) ON DELETE CASCADE,
  source TEXT NOT NULL CHECK (source IN ('file', 'folder', 'api')),
  file_name TEXT NOT NULL CHECK (length(file_name) <= 255),
  -- SHA-256 of the content with the format by which it was read; empty for lines by the API.
  content_hash TEXT NOT NULL CHECK (length(content_hash) <= 64),
  started_ms INTEGER NOT NULL CHECK (started_ms >= 0),
  -- running: not all lines are stored yet, or the daemon ended meanwhile.
  state TEXT NOT NULL CHECK (state IN ('running', 'complete', 'undoing', 'undone')),
  -- When the till stamps a line: as it is rung up, sent to the bar, or when the check is closed.
  time_meaning TEXT NOT NULL CHECK (time_meaning IN ('ring', 'send', 'close')),
  -- Rows of the file: with a sale, of these new, changed and known from another import; skipped by a rule; not understood.
  lines INTEGER NOT NULL DEFAULT 0 CHECK (lines >= 0),
  new_lines INTEGER NOT NULL DEFAULT 0 CHECK (new_lines >= 0),
  changed_lines INTEGER NOT NULL DEFAULT 0 CHECK (changed_lines >= 0),
  skipped_rows INTEGER NOT NULL DEFAULT 0 CHECK (skipped_rows >= 0),
  bad_rows INTEGER NOT NULL DEFAULT 0 CHECK (bad_rows >= 0),
  -- The first bad rows, [{"line": 7, "reason": "time"}].
  faults TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(faults) AND length(faults) <= 65536),
  -- Times of the first and the last line.
  first_ms INTEGER CHECK (first_ms >= 0),
  last_ms INTEGER CHECK (last_ms >= 0),
  -- It has all lines of its till from its first to its last one: those of earlier imports that it does not have are gone.
  is_complete INTEGER NOT NULL DEFAULT 0 CHECK (is_complete IN (0, 1)),
  gone_lines INTEGER NOT NULL DEFAULT 0 CHECK (gone_lines >= 0)
) STRICT;
CREATE INDEX sales_imports_complete ON sales_imports (till_id, id) WHERE is_complete = 1;
CREATE INDEX sales_imports_by_hash ON sales_imports (till_id, content_hash);

-- Lines of the till. A line that another import has with other values, such as one that was voided meanwhile, has a row
-- for each; one of them counts, unless a later import that is complete for its span does not have the line.
CREATE TABLE sales (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  till_id INTEGER NOT NULL REFERENCES tills (id) ON DELETE CASCADE,
  import_id INTEGER NOT NULL REFERENCES sales_imports (id) ON DELETE CASCADE,
  item_id INTEGER NOT NULL REFERENCES till_items (id) ON DELETE CASCADE,
  -- What identifies the line at its till, see core/sales/line-key.ts.
  key TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 64),
  check_id TEXT NOT NULL CHECK (length(check_id) <= 128),
  time_ms INTEGER NOT NULL CHECK (time_ms >= 0),
  kind TEXT NOT NULL CHECK (kind IN ('sale', 'void', 'refund', 'comp', 'staff', 'sample', 'training')),
  -- Negative: a line that takes back an earlier one.
  quantity REAL NOT NULL CHECK (quantity BETWEEN -10000 AND 10000),
  -- In the smallest unit of the currency; null: the till does not say.
  gross_minor INTEGER CHECK (gross_minor BETWEEN -1000000000000 AND 1000000000000),
  discount_minor INTEGER CHECK (discount_minor BETWEEN -1000000000000 AND 1000000000000),
  net_minor INTEGER CHECK (net_minor BETWEEN -1000000000000 AND 1000000000000),
  is_current INTEGER NOT NULL CHECK (is_current IN (0, 1)),
  -- Who rang it up; only while figures by person are on.
  seller TEXT CHECK (length(seller) BETWEEN 1 AND 64),
  UNIQUE (till_id, key, import_id)
) STRICT;
CREATE INDEX sales_by_time ON sales (time_ms, is_current);
CREATE INDEX sales_by_item ON sales (item_id, is_current, time_ms);
CREATE INDEX sales_by_import ON sales (import_id);
CREATE INDEX sales_with_seller ON sales (time_ms, seller) WHERE seller IS NOT NULL;

-- Figures by person; without a reason they are off.
CREATE TABLE by_person_settings (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  reason TEXT CHECK (length(reason) BETWEEN 10 AND 500),
  since_ms INTEGER CHECK (since_ms >= 0),
  -- Names of sellers are removed after so many days.
  days INTEGER NOT NULL CHECK (days BETWEEN 7 AND 400),
  CHECK ((reason IS NULL) = (since_ms IS NULL))
) STRICT;
INSERT INTO by_person_settings (id, days) VALUES (1, 92);

-- Imports that contain a line of another import unchanged: it stays when that one is undone.
CREATE TABLE sale_repeats (
  import_id INTEGER NOT NULL REFERENCES sales_imports (id) ON DELETE CASCADE,
  sale_id INTEGER NOT NULL REFERENCES sales (id) ON DELETE CASCADE,
  PRIMARY KEY (import_id, sale_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX sale_repeats_by_sale ON sale_repeats (sale_id);

-- Files of the watched folder, so that each is taken once.
CREATE TABLE sales_files (
  path TEXT PRIMARY KEY CHECK (length(path) BETWEEN 1 AND 1024),
  size_bytes INTEGER NOT NULL CHECK (size_bytes >= 0),
  modified_ms INTEGER NOT NULL,
  read_ms INTEGER NOT NULL CHECK (read_ms >= 0),
  import_id INTEGER REFERENCES sales_imports (id) ON DELETE SET NULL,
  -- Why it was not imported: {"code": …, "params": {…}, "message": …}, see core/health/problems.ts. Null when it was.
  problem TEXT CHECK (json_valid(problem) AND length(problem) <= 4096)
) STRICT, WITHOUT ROWID;

-- The last month, YYYY-MM, whose balance of poured and sold was mailed.
CREATE TABLE mailed_month (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  month TEXT CHECK (month GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]')
) STRICT;
INSERT INTO mailed_month (id) VALUES (1);

-- Months whose balance is frozen.
CREATE TABLE closed_months (
  -- 2026-05, by business days.
  month TEXT PRIMARY KEY CHECK (length(month) = 7),
  closed_ms INTEGER NOT NULL CHECK (closed_ms >= 0),
  -- The parts of each beverage in whole microlitres, the currency and the sentence when it was closed, see engine/sales/balance/closed-months.ts.
  content TEXT NOT NULL CHECK (json_valid(content) AND length(content) <= 1048576)
) STRICT, WITHOUT ROWID;
`;
