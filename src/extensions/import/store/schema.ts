/** Sources of imports, and which records came from them. */
export const importSchema = `
-- Where records were imported from: another server, or CSV files of one site. Its drinks have the pour ids
-- \`import.<id>.<key>\`.
CREATE TABLE import_sources (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 300),
  -- All drinks of that server up to this id are imported or were left out; 0 before the first complete import.
  drinks_through INTEGER NOT NULL DEFAULT 0 CHECK (drinks_through >= 0)
) STRICT;

-- Which record here is that user, beverage or keg of the source. No reference: a record deleted here stays deleted.
CREATE TABLE import_records (
  source_id INTEGER NOT NULL REFERENCES import_sources (id),
  kind TEXT NOT NULL CHECK (kind IN ('user', 'beverage', 'keg')),
  key TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 400),
  local_id INTEGER NOT NULL,
  -- Of a keg: what tells it from another one of the same key, and the spilled volume imported so far, millilitres.
  fingerprint TEXT NOT NULL DEFAULT '' CHECK (length(fingerprint) <= 64),
  spilled_ml REAL NOT NULL DEFAULT 0 CHECK (spilled_ml >= 0),
  -- Created by the import; else it was here before.
  is_created INTEGER NOT NULL CHECK (is_created IN (0, 1)),
  PRIMARY KEY (source_id, kind, key)
) STRICT, WITHOUT ROWID;
`;
