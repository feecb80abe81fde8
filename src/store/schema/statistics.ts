import { countEachRow } from './totals.ts';

const isNewPair = `NEW.keg_id IS NOT NULL AND NEW.session_id IS NOT NULL AND NOT EXISTS
  (SELECT 1 FROM keg_sessions WHERE keg_id = NEW.keg_id AND session_id = NEW.session_id)`;
const deletePair = `DELETE FROM keg_sessions WHERE keg_id = OLD.keg_id AND session_id = OLD.session_id
    AND NOT EXISTS (SELECT 1 FROM drinks WHERE session_id = OLD.session_id AND +keg_id = OLD.keg_id);`;

/** Which sessions drank of which keg. */
const kegSessions = `
CREATE TABLE keg_sessions (
  keg_id INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  PRIMARY KEY (keg_id, session_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER drink_joined_keg_session AFTER INSERT ON drinks WHEN ${isNewPair} BEGIN
  INSERT INTO keg_sessions VALUES (NEW.keg_id, NEW.session_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER drink_left_keg_session AFTER DELETE ON drinks
WHEN OLD.keg_id IS NOT NULL AND OLD.session_id IS NOT NULL BEGIN
  ${deletePair}
END;
CREATE TRIGGER drink_changed_keg_session AFTER UPDATE OF keg_id, session_id ON drinks
WHEN OLD.keg_id IS NOT NEW.keg_id OR OLD.session_id IS NOT NEW.session_id BEGIN
  ${deletePair}
  INSERT INTO keg_sessions SELECT NEW.keg_id, NEW.session_id WHERE ${isNewPair};
END;
${countEachRow('keg_sessions', [['sessions of keg', 'keg_id']])}`;

/** The number of events in each full block of ids, so that the events after an old one need not be counted one by one. */
const eventBlocks = `
CREATE TABLE event_blocks (
  block INTEGER PRIMARY KEY,
  items INTEGER NOT NULL CHECK (items >= 0)
) STRICT;
CREATE TRIGGER event_block_full AFTER INSERT ON events
WHEN NEW.id / 1024 > (SELECT coalesce(max(block) + 1, 0) FROM event_blocks) BEGIN
  INSERT INTO event_blocks SELECT id / 1024, count(*) FROM events
    WHERE id >= (SELECT coalesce(max(block) + 1, 0) * 1024 FROM event_blocks) AND id < NEW.id / 1024 * 1024 GROUP BY 1;
END;
CREATE TRIGGER event_restored AFTER INSERT ON events
WHEN NEW.id / 1024 <= (SELECT max(block) FROM event_blocks) BEGIN
  INSERT INTO event_blocks VALUES (NEW.id / 1024, 1) ON CONFLICT (block) DO UPDATE SET items = items + 1;
END;
CREATE TRIGGER event_deleted AFTER DELETE ON events
WHEN OLD.id / 1024 <= (SELECT max(block) FROM event_blocks) BEGIN
  UPDATE event_blocks SET items = items - 1 WHERE block = OLD.id / 1024;
END;`;

/** The number of sessions per local day. */
const sessionDays = `
CREATE TRIGGER session_day_counted AFTER INSERT ON sessions WHEN NEW.local_day IS NOT NULL BEGIN
  INSERT INTO list_counters VALUES ('sessions of day', NEW.local_day, 1)
    ON CONFLICT (list, subject) DO UPDATE SET value = value + 1;
END;
CREATE TRIGGER session_day_uncounted AFTER DELETE ON sessions WHEN OLD.local_day IS NOT NULL BEGIN
  UPDATE list_counters SET value = value - 1 WHERE list = 'sessions of day' AND subject = OLD.local_day;
END;
CREATE TRIGGER session_day_changed AFTER UPDATE OF local_day ON sessions WHEN OLD.local_day IS NOT NEW.local_day BEGIN
  UPDATE list_counters SET value = value - 1 WHERE list = 'sessions of day' AND subject = OLD.local_day;
  INSERT INTO list_counters SELECT 'sessions of day', NEW.local_day, 1 WHERE NEW.local_day IS NOT NULL
    ON CONFLICT (list, subject) DO UPDATE SET value = value + 1;
  INSERT OR IGNORE INTO session_changes VALUES (NEW.id);
END;`;

/**
 * Sums of drinks. A pour writes nothing here: `drink_sums_upto` is the last drink in the sums, and readers add the few
 * newer ones. A drink in the sums that changes is noted with the values that are in them. Volumes are integer nanolitres,
 * so that adding and subtracting leaves no rounding error.
 */
export const statisticsSchema = `
${kegSessions}
${eventBlocks}
${sessionDays}

CREATE TABLE drink_sums_upto (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  drink_id INTEGER NOT NULL
) STRICT;
INSERT INTO drink_sums_upto VALUES (1, 0);

-- Of the whole site (a), a user (u), a keg (k) or a session (s), per block of 4096 ids, so that the largest drink of a
-- block is found quickly when the present one is removed.
CREATE TABLE drink_sums (
  view TEXT NOT NULL CHECK (view IN ('a', 'u', 'k', 's')),
  subject INTEGER NOT NULL,
  block INTEGER NOT NULL,
  pours INTEGER NOT NULL CHECK (pours >= 0),
  volume_nl INTEGER NOT NULL,
  -- The first one of several equal ones.
  greatest_ml REAL,
  greatest_id INTEGER,
  PRIMARY KEY (view, subject, block)
) STRICT, WITHOUT ROWID;

-- By weekday of the session's start (0 is Sunday) and by year of the pour in UTC.
CREATE TABLE drink_calendar (
  view TEXT NOT NULL CHECK (view IN ('a', 'u', 'k', 's')),
  subject INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  volume_nl INTEGER NOT NULL,
  PRIMARY KEY (view, subject, slot)
) STRICT, WITHOUT ROWID;

-- Of what, and by what, in first letters: 'uk' are the kegs of a user, 'as' all sessions. User 0 are anonymous drinks.
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
CREATE TRIGGER user_joined_session AFTER INSERT ON drink_shares WHEN NEW.pair = 'us' BEGIN
  INSERT INTO list_counters VALUES ('sessions of user', NEW.subject, 1)
    ON CONFLICT (list, subject) DO UPDATE SET value = value + 1;
END;
CREATE TRIGGER user_left_session AFTER DELETE ON drink_shares WHEN OLD.pair = 'us' BEGIN
  UPDATE list_counters SET value = value - 1 WHERE list = 'sessions of user' AND subject = OLD.subject;
END;

-- Drinks that changed, with the values in the sums; without a session they are not in the sums.
CREATE TABLE drink_changes (
  drink_id INTEGER PRIMARY KEY,
  user_id INTEGER,
  keg_id INTEGER,
  session_id INTEGER,
  volume_ml REAL NOT NULL,
  pour_time_ms INTEGER NOT NULL
) STRICT;
-- Sessions whose day may differ from the one in the sums.
CREATE TABLE session_changes (session_id INTEGER PRIMARY KEY) STRICT;

-- A restored drink has its old id.
CREATE TRIGGER drink_restored AFTER INSERT ON drinks WHEN NEW.id <= (SELECT drink_id FROM drink_sums_upto) BEGIN
  INSERT OR IGNORE INTO drink_changes VALUES (NEW.id, NULL, NULL, NULL, NEW.volume_ml, NEW.pour_time_ms);
END;
CREATE TRIGGER drink_deleted AFTER DELETE ON drinks WHEN OLD.id <= (SELECT drink_id FROM drink_sums_upto) BEGIN
  INSERT OR IGNORE INTO drink_changes
    VALUES (OLD.id, OLD.user_id, OLD.keg_id, OLD.session_id, OLD.volume_ml, OLD.pour_time_ms);
END;
CREATE TRIGGER drink_changed AFTER UPDATE OF user_id, keg_id, session_id, volume_ml, pour_time_ms, is_valid ON drinks
WHEN OLD.id <= (SELECT drink_id FROM drink_sums_upto) BEGIN
  INSERT OR IGNORE INTO drink_changes
    VALUES (OLD.id, OLD.user_id, OLD.keg_id, OLD.session_id, OLD.volume_ml, OLD.pour_time_ms);
END;
`;
