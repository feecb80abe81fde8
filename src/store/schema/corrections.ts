/** Times and records that are corrected later. */
export const correctionsSchema = `
-- One row for each time (except a drink's, which has its own columns) taken before the clock was set. The program knows
-- the kinds.
CREATE TABLE provisional_times (
  kind TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 32),
  row_id INTEGER NOT NULL,
  boot_id TEXT NOT NULL CHECK (length(boot_id) <= 64),
  mono_ms REAL NOT NULL,
  PRIMARY KEY (kind, row_id)
) STRICT;
CREATE INDEX provisional_times_by_boot ON provisional_times (boot_id, mono_ms);

-- The audit entries that can be undone, with what they changed before and after; undone_by is the entry that undid it.
CREATE TABLE corrections (
  id INTEGER PRIMARY KEY REFERENCES audit_entries (id),
  -- The engine knows the kinds.
  kind TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 32),
  before TEXT NOT NULL,
  after TEXT NOT NULL,
  undone_by INTEGER REFERENCES audit_entries (id)
) STRICT;
CREATE INDEX corrections_undone ON corrections (undone_by) WHERE undone_by IS NOT NULL;

-- The drinks that a correction changed. No reference to drinks: a cancelled drink is deleted and may be restored.
CREATE TABLE corrected_drinks (
  drink_id INTEGER NOT NULL,
  correction_id INTEGER NOT NULL REFERENCES corrections (id),
  -- For a calibration, which changes too many drinks to store their rows.
  before_ml REAL,
  after_ml REAL,
  PRIMARY KEY (drink_id, correction_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX corrected_by_correction ON corrected_drinks (correction_id);
`;
