/**
 * Totals of the valid drinks. `store/drinks/drink-totals-table.ts` writes them in the transaction that writes the drink.
 * Volumes are integer nanolitres, so that adding and subtracting leaves no rounding error.
 */
export const drinkTotalsSchema = `
CREATE TABLE drink_totals (
  kind TEXT NOT NULL CHECK (kind IN ('site', 'user', 'keg', 'session', 'tap')),
  -- The id; 0 for the site, and for drinks without a user.
  subject INTEGER NOT NULL,
  pours INTEGER NOT NULL CHECK (pours >= 0),
  volume_nl INTEGER NOT NULL,
  first_id INTEGER NOT NULL,
  last_id INTEGER NOT NULL,
  -- The first of several equal ones. Null for taps and for drinks without a user, where nothing needs it.
  largest_id INTEGER,
  largest_ml REAL,
  PRIMARY KEY (kind, subject)
) STRICT, WITHOUT ROWID;

-- By day of the session's start (days since 1970 in its time zone) and by year of the pour in UTC.
CREATE TABLE drink_days (
  local_day INTEGER NOT NULL,
  year INTEGER NOT NULL,
  pours INTEGER NOT NULL CHECK (pours >= 0),
  volume_nl INTEGER NOT NULL,
  PRIMARY KEY (local_day, year)
) STRICT, WITHOUT ROWID;

-- Which sessions drank of which keg.
CREATE TABLE keg_sessions (
  keg_id INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  PRIMARY KEY (keg_id, session_id)
) STRICT, WITHOUT ROWID;
`;
