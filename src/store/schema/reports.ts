/** The audit log, the business settings with the readers of the daily report, and what was imported. */
export const reportsSchema = `
-- Manual changes. An entry never changes, except for a time taken before the clock was set.
CREATE TABLE audit_entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  time_ms INTEGER NOT NULL CHECK (time_ms >= 0),
  user_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
  via TEXT NOT NULL CHECK (length(via) BETWEEN 1 AND 16),
  -- The name of the shared tablet on which the change was confirmed with a PIN; null if there was none.
  tablet TEXT CHECK (length(tablet) BETWEEN 1 AND 64) CHECK ((tablet IS NOT NULL) = (via = 'tablet')),
  action TEXT NOT NULL CHECK (length(action) BETWEEN 1 AND 64),
  subject_kind TEXT NOT NULL CHECK (length(subject_kind) BETWEEN 1 AND 32),
  subject_id TEXT NOT NULL CHECK (length(subject_id) <= 256),
  before TEXT CHECK (length(before) <= 16384),
  after TEXT CHECK (length(after) <= 16384)
) STRICT;
CREATE INDEX audit_by_time ON audit_entries (time_ms);
CREATE INDEX audit_by_user ON audit_entries (user_id);
CREATE INDEX audit_by_action ON audit_entries (action);
CREATE INDEX audit_by_subject ON audit_entries (subject_kind, subject_id);
-- Logins and attempts: the only entries that are removed after a time, and that only superusers see.
CREATE INDEX audit_logins ON audit_entries (id) WHERE subject_kind = 'login';

CREATE TABLE business_settings (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- Minutes after midnight: pours before belong to the business day of the day before.
  day_ends_minutes INTEGER NOT NULL CHECK (day_ends_minutes BETWEEN 0 AND 720),
  nightly_backups INTEGER NOT NULL CHECK (nightly_backups IN (0, 1)),
  -- The ISO 4217 code of all prices.
  currency TEXT NOT NULL CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
  -- Parts of the day for poured against sold, '10:00 Lunch, 17:00 Evening'; empty for none.
  shifts TEXT NOT NULL DEFAULT '' CHECK (length(shifts) <= 400),
  -- After so many days a keg has been on its tap for too long; NULL: without limit.
  max_days_on_tap INTEGER CHECK (max_days_on_tap BETWEEN 1 AND 365),
  -- The date of the last business day whose report was mailed, so that none is sent twice.
  reported_date TEXT CHECK (reported_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]')
) STRICT;
INSERT INTO business_settings (id, day_ends_minutes, nightly_backups, currency) VALUES (1, 240, 1, 'EUR');

CREATE TABLE report_readers (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE
) STRICT;
`;
