/**
 * Speed. What a pour used to write into the lengths of all lists it is in, it now leaves to every 64th row, which adds
 * the last ones up together; whoever reads a length looks at the few rows behind `tallied_upto` as well.
 */

/** Rows that wait before they are added up together. */
const together = 64;

type Lists = readonly (readonly [list: string, of: string])[];

interface Tallied {
  readonly table: 'drinks' | 'events';
  readonly lists: Lists;
  /** A row counts while this column holds; absent where every row counts. */
  readonly counts?: string;
  /** Further sums of the same rows, taken from and added to. */
  readonly add?: (rows: string) => string;
  readonly remove?: string;
}

/** Triggers that keep the lengths; rows behind `tallied_upto` touch nothing. */
function talliedTogether({ table, lists, counts, add, remove }: Tallied): string {
  const upto = `(SELECT id FROM tallied_upto WHERE list = '${table}')`;
  const columns = [counts, ...lists.map(([, of]) => of)].filter((column) => /[a-z]/.test(column ?? ''));
  const old = (of: string) => of.replace(/[a-z_]+/, (column) => `OLD.${column}`);
  const addRows = (first: string, last: string) => {
    const rows = `id BETWEEN ${first} AND ${last}`;
    const lengths = lists.map(
      ([list, of]) => `
    INSERT INTO tallies SELECT '${list}', ${of}, count(*) FROM ${table}
      WHERE ${rows} AND ${of} IS NOT NULL ${counts ? `AND ${counts}` : ''} GROUP BY 2
      ON CONFLICT (list, subject) DO UPDATE SET value = value + excluded.value;`,
    );
    return lengths.join('') + (add?.(rows) ?? '');
  };
  const removeRow =
    lists
      .map(
        ([list, of]) => `
    UPDATE tallies SET value = value - 1
      WHERE list = '${list}' AND subject = ${old(of)} ${counts ? `AND OLD.${counts}` : ''};`,
      )
      .join('') + (remove ?? '');
  return `
  DROP TRIGGER ${table}_tallied;
  DROP TRIGGER ${table}_untallied;
  DROP TRIGGER ${table}_retallied;
  INSERT INTO tallied_upto SELECT '${table}', coalesce(max(id), 0) FROM ${table};
  CREATE TRIGGER ${table}_tallied AFTER INSERT ON ${table} WHEN NEW.id >= ${upto} + ${together} BEGIN
    ${addRows(`${upto} + 1`, 'NEW.id')}
    UPDATE tallied_upto SET id = NEW.id WHERE list = '${table}';
  END;
  -- What was taken back and comes again has its old number.
  CREATE TRIGGER ${table}_tallied_late AFTER INSERT ON ${table} WHEN NEW.id <= ${upto} BEGIN
    ${addRows('NEW.id', 'NEW.id')}
  END;
  CREATE TRIGGER ${table}_untallied AFTER DELETE ON ${table} WHEN OLD.id <= ${upto} BEGIN
    ${removeRow}
  END;
  CREATE TRIGGER ${table}_retallied AFTER UPDATE OF ${columns.join(', ')} ON ${table} WHEN NEW.id <= ${upto} BEGIN
    ${removeRow}
    ${addRows('NEW.id', 'NEW.id')}
  END;`;
}

/** Ids of drinks that share a block of `spans`. */
const block = 1024;
/** Stands for a time that is never reached. */
const never = Number.MAX_SAFE_INTEGER;
const newestBlock = `(SELECT max(block) FROM spans WHERE list = 'drinks')`;
const ofBlock = (row: string) => `list = 'drinks' AND block = ${row}.id / ${block}`;
const widen = 'first_ms = min(first_ms, NEW.pour_time_ms), last_ms = max(last_ms, NEW.pour_time_ms)';
const openBlock = (id: string) => `
  INSERT INTO spans VALUES ('drinks', ${id} / ${block}, 0, ${never}, 0)
    ON CONFLICT (list, block) DO UPDATE SET first_ms = 0, last_ms = ${never}, items = 0;`;

/** A block that is being filled reaches over all times, so that its rows write nothing here; it is measured when full. */
const drinkSpans = `
DROP TRIGGER drinks_spanned;
DROP TRIGGER drinks_unspanned;
DROP TRIGGER drinks_respanned;
${openBlock('(SELECT coalesce(max(id), 0) FROM drinks)')}
CREATE TRIGGER drinks_spanned AFTER INSERT ON drinks WHEN NEW.id / ${block} > ${newestBlock} BEGIN
  UPDATE spans SET (first_ms, last_ms, items) =
      (SELECT coalesce(min(pour_time_ms), 0), coalesce(max(pour_time_ms), 0), coalesce(sum(is_valid), 0) FROM drinks
       WHERE id BETWEEN block * ${block} AND block * ${block} + ${block - 1})
    WHERE list = 'drinks' AND block = ${newestBlock};
  ${openBlock('NEW.id')}
END;
CREATE TRIGGER drinks_spanned_late AFTER INSERT ON drinks WHEN NEW.id / ${block} < ${newestBlock} BEGIN
  INSERT INTO spans VALUES ('drinks', NEW.id / ${block}, NEW.pour_time_ms, NEW.pour_time_ms, NEW.is_valid)
    ON CONFLICT (list, block) DO UPDATE SET ${widen}, items = items + NEW.is_valid;
END;
CREATE TRIGGER drinks_unspanned AFTER DELETE ON drinks WHEN OLD.id / ${block} < ${newestBlock} BEGIN
  UPDATE spans SET items = items - OLD.is_valid WHERE ${ofBlock('OLD')};
END;
CREATE TRIGGER drinks_respanned AFTER UPDATE OF pour_time_ms, is_valid ON drinks
WHEN NEW.id / ${block} < ${newestBlock} BEGIN
  UPDATE spans SET ${widen}, items = items + NEW.is_valid - OLD.is_valid WHERE ${ofBlock('NEW')};
END;`;

/** Whether a keg was drunk of at a gathering is written once; how often, nobody asks. */
const join = `INSERT INTO keg_sessions VALUES (NEW.keg_id, NEW.session_id) ON CONFLICT DO NOTHING;`;
const isNewPair = `NEW.keg_id IS NOT NULL AND NEW.session_id IS NOT NULL AND NOT EXISTS
  (SELECT 1 FROM keg_sessions WHERE keg_id = NEW.keg_id AND session_id = NEW.session_id)`;
const leave = `DELETE FROM keg_sessions WHERE keg_id = OLD.keg_id AND session_id = OLD.session_id
    AND NOT EXISTS (SELECT 1 FROM drinks WHERE session_id = OLD.session_id AND +keg_id = OLD.keg_id);`;
const kegSessions = `
DROP TRIGGER drink_joined_keg_session;
DROP TRIGGER drink_left_keg_session;
DROP TRIGGER drink_changed_keg_session;
ALTER TABLE keg_sessions DROP COLUMN drinks;
CREATE TRIGGER drink_joined_keg_session AFTER INSERT ON drinks WHEN ${isNewPair} BEGIN
  ${join}
END;
CREATE TRIGGER drink_left_keg_session AFTER DELETE ON drinks
WHEN OLD.keg_id IS NOT NULL AND OLD.session_id IS NOT NULL BEGIN
  ${leave}
END;
CREATE TRIGGER drink_changed_keg_session AFTER UPDATE OF keg_id, session_id ON drinks
WHEN OLD.keg_id IS NOT NEW.keg_id OR OLD.session_id IS NOT NEW.session_id BEGIN
  ${leave}
  INSERT INTO keg_sessions SELECT NEW.keg_id, NEW.session_id WHERE ${isNewPair};
END;`;

export const schema12 = `
-- A gathering's drinks are put in order of time where that is wanted: only when one of them is corrected.
DROP INDEX drinks_by_session;

CREATE TABLE tallied_upto (
  list TEXT PRIMARY KEY CHECK (list IN ('drinks', 'events')),
  id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
DROP TRIGGER drink_counted;
DROP TRIGGER drink_uncounted;
DROP TRIGGER drink_recounted;
${talliedTogether({
  table: 'drinks',
  lists: [
    ['drinks of user', 'user_id'],
    ['drinks of keg', 'keg_id'],
    ['drinks of session', 'session_id'],
    ['drinks of tap', 'tap_id'],
  ],
  counts: 'is_valid',
  add: (rows) => `
    UPDATE counters SET value = value + (SELECT count(*) FROM drinks WHERE ${rows} AND is_valid = (name = 'drinks'))
      WHERE name IN ('drinks', 'held_drinks');`,
  remove: `
    UPDATE counters SET value = value - 1 WHERE name = iif(OLD.is_valid, 'drinks', 'held_drinks');`,
})}
${talliedTogether({
  table: 'events',
  lists: [
    ['events', '0'],
    ['events of kind', 'kind'],
    ['events of user', 'user_id'],
    ['events of keg', 'keg_id'],
    ['events of session', 'session_id'],
  ],
})}
${drinkSpans}
${kegSessions}
`;
