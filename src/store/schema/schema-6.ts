/** Corrections: who changed what, and what is needed to take a correction of drinks back. */
export const schema6 = `
-- The list of what may be dated by an unset clock grows with the house; the program keeps it, not the ledger.
CREATE TABLE unset_stamps_anew (
  kind TEXT NOT NULL CHECK (length(kind) BETWEEN 1 AND 32),
  row_id INTEGER NOT NULL,
  boot_id TEXT NOT NULL CHECK (length(boot_id) <= 64),
  mono_ms REAL NOT NULL,
  PRIMARY KEY (kind, row_id)
) STRICT;
INSERT INTO unset_stamps_anew SELECT kind, row_id, boot_id, mono_ms FROM unset_stamps;
DROP TABLE unset_stamps;
ALTER TABLE unset_stamps_anew RENAME TO unset_stamps;
CREATE INDEX unset_stamps_by_boot ON unset_stamps (boot_id, mono_ms);

-- What people changed by hand. An entry is never changed but for its time, when that was read from an unset clock.
CREATE TABLE audit_entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  time_ms INTEGER NOT NULL CHECK (time_ms >= 0),
  user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  via TEXT NOT NULL CHECK (via IN ('page', 'key', 'console', 'house')),
  action TEXT NOT NULL CHECK (length(action) BETWEEN 1 AND 64),
  subject_kind TEXT NOT NULL CHECK (length(subject_kind) BETWEEN 1 AND 32),
  subject_id TEXT NOT NULL CHECK (length(subject_id) <= 256),
  before TEXT CHECK (length(before) <= 16384),
  after TEXT CHECK (length(after) <= 16384)
) STRICT;
CREATE INDEX audit_by_user ON audit_entries (user_id);
CREATE INDEX audit_by_action ON audit_entries (action);
CREATE INDEX audit_by_subject ON audit_entries (subject_kind, subject_id);

-- The corrections of drinks among them, with the rows they touched before and after; undone_by names the entry that
-- took one back.
CREATE TABLE corrections (
  id INTEGER PRIMARY KEY REFERENCES audit_entries (id),
  kind TEXT NOT NULL CHECK (kind IN ('rows', 'calibration')),
  before TEXT NOT NULL,
  after TEXT NOT NULL,
  undone_by INTEGER REFERENCES audit_entries (id)
) STRICT;
CREATE INDEX corrections_undone ON corrections (undone_by) WHERE undone_by IS NOT NULL;

-- Which drinks a correction touched. No reference to them: a cancelled drink is gone, and may come back.
CREATE TABLE corrected_drinks (
  drink_id INTEGER NOT NULL,
  correction_id INTEGER NOT NULL REFERENCES corrections (id),
  -- Kept for a calibration, which touches too many drinks to keep their rows.
  before_ml REAL,
  after_ml REAL,
  PRIMARY KEY (drink_id, correction_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX corrected_by_correction ON corrected_drinks (correction_id);

-- Holds a row only within a transaction that puts the diary in order: what is written then is no news to anybody.
CREATE TABLE diary_mending (
  id INTEGER PRIMARY KEY CHECK (id = 1)
) STRICT;

-- Pictures whose drink was taken back: shown to nobody, their files kept for as long as this row is.
CREATE TABLE pictures_set_aside (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE CHECK (length(name) = 32)
) STRICT;
`;
