/** Business days, prices and who wants the report of each day. */
export const schema9 = `
CREATE TABLE business_settings (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- Minutes after midnight: what is poured before belongs to the evening.
  day_ends_minutes INTEGER NOT NULL CHECK (day_ends_minutes BETWEEN 0 AND 720),
  nightly_backups INTEGER NOT NULL CHECK (nightly_backups IN (0, 1)),
  -- ISO 4217; prices mean nothing without it.
  currency TEXT NOT NULL CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
  -- The date of the last business day whose report was mailed, so that none goes out twice.
  reported_date TEXT CHECK (reported_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]')
) STRICT;
INSERT INTO business_settings VALUES (1, 240, 1, 'EUR', NULL);

-- What a serving costs at a tap from when on. Yesterday's takings stay what they were when a price changes.
CREATE TABLE tap_prices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  tap_id INTEGER NOT NULL REFERENCES taps (id) ON DELETE CASCADE,
  since_ms INTEGER NOT NULL CHECK (since_ms >= 0),
  -- Both null: from here on the tap has no price.
  serving_ml REAL CHECK (serving_ml > 0 AND serving_ml <= 100000),
  price_cents INTEGER CHECK (price_cents BETWEEN 0 AND 100000000),
  CHECK ((serving_ml IS NULL) = (price_cents IS NULL)),
  UNIQUE (tap_id, since_ms)
) STRICT;

CREATE TABLE report_readers (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE
) STRICT;

CREATE INDEX spills_by_time ON spills (time_ms);
`;
