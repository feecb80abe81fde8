import { spanned } from './schema-4.ts';

/** Blocks of `spans` that share a row of `span_groups`. */
const group = 64;
/** Stands for a time that is never reached. */
const never = Number.MAX_SAFE_INTEGER;

const newestGroup = '(SELECT max(g.grp) FROM span_groups g WHERE g.list = NEW.list)';
const widen = 'first_ms = min(first_ms, NEW.first_ms), last_ms = max(last_ms, NEW.last_ms)';
const openGroup = (what: string) => `
  INSERT INTO span_groups ${what} ON CONFLICT (list, grp) DO UPDATE SET first_ms = 0, last_ms = ${never}, items = 0;`;

/**
 * Statistics, and temperatures of long ago.
 *
 * A pour writes nothing for them: `drink_sums_upto` says how far the drinks are added up, and who reads
 * looks at the few behind it as well. A drink that is in the sums and changes is noted with what is in them of it.
 * Volumes are whole nanolitres: whatever is added and taken away again, no rounding stays behind.
 */
export const schema7 = `
-- Days since 1970 of the day on which it began, by the bar's zone of that evening; null until somebody has reckoned it.
ALTER TABLE sessions ADD COLUMN local_day INTEGER;
CREATE INDEX sessions_without_day ON sessions (id) WHERE local_day IS NULL;
CREATE TRIGGER session_day_tallied AFTER INSERT ON sessions WHEN NEW.local_day IS NOT NULL BEGIN
  INSERT INTO tallies VALUES ('sessions of day', NEW.local_day, 1)
    ON CONFLICT (list, subject) DO UPDATE SET value = value + 1;
END;
CREATE TRIGGER session_day_untallied AFTER DELETE ON sessions WHEN OLD.local_day IS NOT NULL BEGIN
  UPDATE tallies SET value = value - 1 WHERE list = 'sessions of day' AND subject = OLD.local_day;
END;
CREATE TRIGGER session_day_changed AFTER UPDATE OF local_day ON sessions WHEN OLD.local_day IS NOT NEW.local_day BEGIN
  UPDATE tallies SET value = value - 1 WHERE list = 'sessions of day' AND subject = OLD.local_day;
  INSERT INTO tallies SELECT 'sessions of day', NEW.local_day, 1 WHERE NEW.local_day IS NOT NULL
    ON CONFLICT (list, subject) DO UPDATE SET value = value + 1;
  INSERT OR IGNORE INTO session_changes VALUES (NEW.id);
END;

CREATE TABLE drink_sums_upto (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  drink_id INTEGER NOT NULL
) STRICT;
INSERT INTO drink_sums_upto VALUES (1, 0);

-- Whose: the house's (a), a user's (u), a keg's (k), a session's (s). Of each block of 4096 ids, since the largest
-- drink of a block is soon found again when it goes.
CREATE TABLE drink_sums (
  view TEXT NOT NULL CHECK (view IN ('a', 'u', 'k', 's')),
  subject INTEGER NOT NULL,
  block INTEGER NOT NULL,
  pours INTEGER NOT NULL CHECK (pours >= 0),
  volume_nl INTEGER NOT NULL,
  -- The first one where several are equal.
  greatest_ml REAL,
  greatest_id INTEGER,
  PRIMARY KEY (view, subject, block)
) STRICT, WITHOUT ROWID;

-- By weekday of the session's beginning (0 is Sunday) and by year of the pour in UTC.
CREATE TABLE drink_calendar (
  view TEXT NOT NULL CHECK (view IN ('a', 'u', 'k', 's')),
  subject INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  volume_nl INTEGER NOT NULL,
  PRIMARY KEY (view, subject, slot)
) STRICT, WITHOUT ROWID;

-- Whose, and by what, in first letters: 'uk' are a user's kegs, 'as' all sessions. Nobody in particular is user 0.
CREATE TABLE drink_shares (
  pair TEXT NOT NULL CHECK (length(pair) = 2),
  subject INTEGER NOT NULL,
  part INTEGER NOT NULL,
  pours INTEGER NOT NULL CHECK (pours >= 0),
  volume_nl INTEGER NOT NULL,
  first_id INTEGER,
  last_id INTEGER,
  PRIMARY KEY (pair, subject, part)
) STRICT, WITHOUT ROWID;
CREATE INDEX drinkers_by_last_drink ON drink_shares (last_id) WHERE pair = 'au';
CREATE INDEX sessions_by_volume ON drink_shares (volume_nl, part) WHERE pair = 'as';
CREATE TRIGGER user_came_to_session AFTER INSERT ON drink_shares WHEN NEW.pair = 'us' BEGIN
  INSERT INTO tallies VALUES ('sessions of user', NEW.subject, 1)
    ON CONFLICT (list, subject) DO UPDATE SET value = value + 1;
END;
CREATE TRIGGER user_left_session AFTER DELETE ON drink_shares WHEN OLD.pair = 'us' BEGIN
  UPDATE tallies SET value = value - 1 WHERE list = 'sessions of user' AND subject = OLD.subject;
END;

-- Drinks that have changed, as the sums still have them; without a session they are not in the sums.
CREATE TABLE drink_changes (
  drink_id INTEGER PRIMARY KEY,
  user_id INTEGER,
  keg_id INTEGER,
  session_id INTEGER,
  volume_ml REAL NOT NULL,
  pour_time_ms INTEGER NOT NULL
) STRICT;
-- Sessions that may lie on another day than the sums say.
CREATE TABLE session_changes (session_id INTEGER PRIMARY KEY) STRICT;

-- A cancelled drink that comes back has its old number.
CREATE TRIGGER drink_came_back AFTER INSERT ON drinks WHEN NEW.id <= (SELECT drink_id FROM drink_sums_upto) BEGIN
  INSERT OR IGNORE INTO drink_changes VALUES (NEW.id, NULL, NULL, NULL, NEW.volume_ml, NEW.pour_time_ms);
END;
CREATE TRIGGER drink_gone AFTER DELETE ON drinks WHEN OLD.id <= (SELECT drink_id FROM drink_sums_upto) BEGIN
  INSERT OR IGNORE INTO drink_changes
    VALUES (OLD.id, OLD.user_id, OLD.keg_id, OLD.session_id, OLD.volume_ml, OLD.pour_time_ms);
END;
CREATE TRIGGER drink_changed AFTER UPDATE OF user_id, keg_id, session_id, volume_ml, pour_time_ms, is_valid ON drinks
WHEN OLD.id <= (SELECT drink_id FROM drink_sums_upto) BEGIN
  INSERT OR IGNORE INTO drink_changes
    VALUES (OLD.id, OLD.user_id, OLD.keg_id, OLD.session_id, OLD.volume_ml, OLD.pour_time_ms);
END;

-- Temperatures of more than a month ago, by the hour.
CREATE TABLE thermo_hours (
  sensor_id INTEGER NOT NULL REFERENCES thermo_sensors (id) ON DELETE CASCADE,
  hour_ms INTEGER NOT NULL CHECK (hour_ms >= 0 AND hour_ms % 3600000 = 0),
  readings INTEGER NOT NULL CHECK (readings >= 1),
  min_c REAL NOT NULL,
  mean_c REAL NOT NULL,
  max_c REAL NOT NULL,
  PRIMARY KEY (sensor_id, hour_ms)
) STRICT, WITHOUT ROWID;

-- How many events lie in each full block of 1024 ids: what happened since one of long ago is not counted one by one.
CREATE TABLE event_blocks (
  block INTEGER PRIMARY KEY,
  items INTEGER NOT NULL CHECK (items >= 0)
) STRICT;
INSERT INTO event_blocks SELECT id / 1024, count(*) FROM events
  WHERE id / 1024 < (SELECT max(id) / 1024 FROM events) GROUP BY 1;
CREATE TRIGGER event_block_full AFTER INSERT ON events
WHEN NEW.id / 1024 > (SELECT coalesce(max(block) + 1, 0) FROM event_blocks) BEGIN
  INSERT INTO event_blocks SELECT id / 1024, count(*) FROM events
    WHERE id >= (SELECT coalesce(max(block) + 1, 0) * 1024 FROM event_blocks) AND id < NEW.id / 1024 * 1024 GROUP BY 1;
END;
CREATE TRIGGER event_came_back AFTER INSERT ON events
WHEN NEW.id / 1024 <= (SELECT max(block) FROM event_blocks) BEGIN
  INSERT INTO event_blocks VALUES (NEW.id / 1024, 1) ON CONFLICT (block) DO UPDATE SET items = items + 1;
END;
CREATE TRIGGER event_gone AFTER DELETE ON events
WHEN OLD.id / 1024 <= (SELECT max(block) FROM event_blocks) BEGIN
  UPDATE event_blocks SET items = items - 1 WHERE block = OLD.id / 1024;
END;

-- A page of an old hour is sought in one block or two, row by row: smaller blocks are quicker.
DROP TRIGGER thermo_logs_spanned;
DROP TRIGGER thermo_logs_unspanned;
DROP TRIGGER thermo_logs_respanned;
DELETE FROM spans WHERE list = 'thermo_logs';
${spanned('thermo_logs', 'time_ms', { size: 512 })}
${spanned('audit_entries', 'time_ms', { size: 256 })}

-- What spans is to rows, this is to blocks: a time of long ago is found without a walk through all of them. The group
-- that is being filled reaches over all times, so that new rows write nothing here; it is measured when full.
CREATE TABLE span_groups (
  list TEXT NOT NULL CHECK (length(list) <= 64),
  grp INTEGER NOT NULL,
  first_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  items INTEGER NOT NULL CHECK (items >= 0),
  PRIMARY KEY (list, grp)
) STRICT, WITHOUT ROWID;
INSERT INTO span_groups SELECT list, block / ${group}, min(first_ms), max(last_ms), sum(items) FROM spans GROUP BY 1, 2;
${openGroup(`SELECT list, max(block) / ${group}, 0, ${never}, 0 FROM spans WHERE true GROUP BY list`)}
CREATE TRIGGER span_group_full AFTER INSERT ON spans WHEN NEW.block / ${group} > coalesce(${newestGroup}, -1) BEGIN
  UPDATE span_groups SET (first_ms, last_ms, items) =
      (SELECT coalesce(min(s.first_ms), 0), coalesce(max(s.last_ms), 0), coalesce(sum(s.items), 0) FROM spans s
       WHERE s.list = NEW.list AND s.block BETWEEN grp * ${group} AND grp * ${group} + ${group - 1})
    WHERE list = NEW.list AND grp = ${newestGroup};
  ${openGroup(`VALUES (NEW.list, NEW.block / ${group}, 0, ${never}, 0)`)}
END;
CREATE TRIGGER span_group_late AFTER INSERT ON spans WHEN NEW.block / ${group} < ${newestGroup} BEGIN
  INSERT INTO span_groups VALUES (NEW.list, NEW.block / ${group}, NEW.first_ms, NEW.last_ms, NEW.items)
    ON CONFLICT (list, grp) DO UPDATE SET ${widen}, items = items + NEW.items;
END;
CREATE TRIGGER span_group_changed AFTER UPDATE ON spans WHEN NEW.block / ${group} < ${newestGroup} BEGIN
  UPDATE span_groups SET ${widen}, items = items + NEW.items - OLD.items
    WHERE list = NEW.list AND grp = NEW.block / ${group};
END;
`;
