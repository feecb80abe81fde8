/**
 * Totals that triggers maintain: lengths of lists, and the time spans of blocks of rows. Counting or scanning a million
 * rows for every page would take seconds on a Pi.
 */

/** A list and the column of its subject; `0` for the list of all rows. */
type Lists = readonly (readonly [list: string, subject: string])[];

/** Rows that are added to the lengths together, so that a pour does not write to every length. */
const batch = 64;
/** Ids of drinks or events that share a block. */
const block = 1024;
/** Blocks of `span_blocks` that share a row of `span_groups`. */
const group = 64;
/** Stands for a time that is never reached. */
const never = Number.MAX_SAFE_INTEGER;

/** Triggers that update the lengths with every row. */
export function countEachRow(table: string, lists: Lists): string {
  const columns = lists.map(([, subject]) => subject).filter((subject) => subject !== '0');
  const of = (row: string, subject: string) => (subject === '0' ? '0' : `${row}.${subject}`);
  const add = lists
    .map(
      ([list, subject]) => `
  INSERT INTO list_counters SELECT '${list}', ${of('NEW', subject)}, 1 WHERE ${of('NEW', subject)} IS NOT NULL AND 1
    ON CONFLICT (list, subject) DO UPDATE SET value = value + 1;`,
    )
    .join('');
  const remove = lists
    .map(
      ([list, subject]) => `
  UPDATE list_counters SET value = value - 1 WHERE list = '${list}' AND subject = ${of('OLD', subject)} AND 1;`,
    )
    .join('');
  return `
CREATE TRIGGER ${table}_counted AFTER INSERT ON ${table} BEGIN ${add}
END;
CREATE TRIGGER ${table}_uncounted AFTER DELETE ON ${table} BEGIN ${remove}
END;
${
  columns.length === 0
    ? ''
    : `CREATE TRIGGER ${table}_recounted AFTER UPDATE OF ${columns.join(', ')} ON ${table} BEGIN ${remove} ${add}
END;`
}`;
}

/** Triggers that update the lengths with every 64th row; rows above `list_counters_upto` are not in the lengths yet. */
function countInBatches(
  table: 'drinks' | 'events',
  lists: Lists,
  {
    counts,
    add = () => '',
    remove = '',
  }: {
    /** Column that is 1 for the rows that count; without it, all do. */
    readonly counts?: string;
    /** Further totals that the same rows are added to and removed from. */
    readonly add?: (rows: string) => string;
    readonly remove?: string;
  } = {},
): string {
  const upto = `(SELECT id FROM list_counters_upto WHERE list = '${table}')`;
  const columns = [counts, ...lists.map(([, subject]) => subject)].filter(
    (column) => column && column !== '0',
  );
  const addRows = (first: string, last: string) => {
    const rows = `id BETWEEN ${first} AND ${last}`;
    const statements = lists.map(
      ([list, subject]) => `
  INSERT INTO list_counters SELECT '${list}', ${subject}, count(*) FROM ${table}
    WHERE ${rows} AND ${subject} IS NOT NULL ${counts ? `AND ${counts}` : ''} GROUP BY 2
    ON CONFLICT (list, subject) DO UPDATE SET value = value + excluded.value;`,
    );
    return statements.join('') + add(rows);
  };
  const removeRow =
    lists
      .map(
        ([list, subject]) => `
  UPDATE list_counters SET value = value - 1
    WHERE list = '${list}' AND subject = ${subject === '0' ? '0' : `OLD.${subject}`} ${counts ? `AND OLD.${counts}` : ''};`,
      )
      .join('') + remove;
  return `
INSERT INTO list_counters_upto (list, id) VALUES ('${table}', 0);
CREATE TRIGGER ${table}_counted AFTER INSERT ON ${table} WHEN NEW.id >= ${upto} + ${batch} BEGIN
  ${addRows(`${upto} + 1`, 'NEW.id')}
  UPDATE list_counters_upto SET id = NEW.id WHERE list = '${table}';
END;
-- A restored row has its old id.
CREATE TRIGGER ${table}_counted_late AFTER INSERT ON ${table} WHEN NEW.id <= ${upto} BEGIN
  ${addRows('NEW.id', 'NEW.id')}
END;
CREATE TRIGGER ${table}_uncounted AFTER DELETE ON ${table} WHEN OLD.id <= ${upto} BEGIN
  ${removeRow}
END;
CREATE TRIGGER ${table}_recounted AFTER UPDATE OF ${columns.join(', ')} ON ${table} WHEN NEW.id <= ${upto} BEGIN
  ${removeRow}
  ${addRows('NEW.id', 'NEW.id')}
END;`;
}

/** Triggers that update, with every row, the number of rows and the time span of its block of ids. */
function spanEachRow(table: string, time: string, size: number): string {
  const widen = `first_ms = min(first_ms, NEW.${time}), last_ms = max(last_ms, NEW.${time})`;
  return `
CREATE TRIGGER ${table}_span_inserted AFTER INSERT ON ${table} BEGIN
  INSERT INTO span_blocks VALUES ('${table}', NEW.id / ${size}, NEW.${time}, NEW.${time}, 1)
    ON CONFLICT (list, block) DO UPDATE SET ${widen}, items = items + 1;
END;
CREATE TRIGGER ${table}_span_deleted AFTER DELETE ON ${table} BEGIN
  UPDATE span_blocks SET items = items - 1 WHERE list = '${table}' AND block = OLD.id / ${size};
END;
CREATE TRIGGER ${table}_span_updated AFTER UPDATE OF ${time} ON ${table} BEGIN
  UPDATE span_blocks SET ${widen}, items = items + 1 - 1 WHERE list = '${table}' AND block = NEW.id / ${size};
END;`;
}

const newestBlock = `(SELECT max(block) FROM span_blocks WHERE list = 'drinks')`;
const blockOf = (row: string) => `list = 'drinks' AND block = ${row}.id / ${block}`;
const widenByDrink = 'first_ms = min(first_ms, NEW.pour_time_ms), last_ms = max(last_ms, NEW.pour_time_ms)';

/** The newest block of drinks covers all times, so that a pour writes nothing here; it is measured when it is full. */
const drinkSpans = `
INSERT INTO span_blocks VALUES ('drinks', 0, 0, ${never}, 0);
CREATE TRIGGER drinks_span_inserted AFTER INSERT ON drinks WHEN NEW.id / ${block} > ${newestBlock} BEGIN
  UPDATE span_blocks SET (first_ms, last_ms, items) =
      (SELECT coalesce(min(pour_time_ms), 0), coalesce(max(pour_time_ms), 0), coalesce(sum(is_valid), 0) FROM drinks
       WHERE id BETWEEN block * ${block} AND block * ${block} + ${block - 1})
    WHERE list = 'drinks' AND block = ${newestBlock};
  INSERT INTO span_blocks VALUES ('drinks', NEW.id / ${block}, 0, ${never}, 0)
    ON CONFLICT (list, block) DO UPDATE SET first_ms = 0, last_ms = ${never}, items = 0;
END;
CREATE TRIGGER drinks_span_inserted_late AFTER INSERT ON drinks WHEN NEW.id / ${block} < ${newestBlock} BEGIN
  INSERT INTO span_blocks VALUES ('drinks', NEW.id / ${block}, NEW.pour_time_ms, NEW.pour_time_ms, NEW.is_valid)
    ON CONFLICT (list, block) DO UPDATE SET ${widenByDrink}, items = items + NEW.is_valid;
END;
CREATE TRIGGER drinks_span_deleted AFTER DELETE ON drinks WHEN OLD.id / ${block} < ${newestBlock} BEGIN
  UPDATE span_blocks SET items = items - OLD.is_valid WHERE ${blockOf('OLD')};
END;
CREATE TRIGGER drinks_span_updated AFTER UPDATE OF pour_time_ms, is_valid ON drinks
WHEN NEW.id / ${block} < ${newestBlock} BEGIN
  UPDATE span_blocks SET ${widenByDrink}, items = items + NEW.is_valid - OLD.is_valid WHERE ${blockOf('NEW')};
END;`;

const newestGroup = '(SELECT max(g.grp) FROM span_groups g WHERE g.list = NEW.list)';
const widenByBlock = 'first_ms = min(first_ms, NEW.first_ms), last_ms = max(last_ms, NEW.last_ms)';

/** As with drinks, the newest group covers all times until it is full. */
const spanGroups = `
CREATE TRIGGER span_group_full AFTER INSERT ON span_blocks WHEN NEW.block / ${group} > coalesce(${newestGroup}, -1) BEGIN
  UPDATE span_groups SET (first_ms, last_ms, items) =
      (SELECT coalesce(min(s.first_ms), 0), coalesce(max(s.last_ms), 0), coalesce(sum(s.items), 0) FROM span_blocks s
       WHERE s.list = NEW.list AND s.block BETWEEN grp * ${group} AND grp * ${group} + ${group - 1})
    WHERE list = NEW.list AND grp = ${newestGroup};
  INSERT INTO span_groups VALUES (NEW.list, NEW.block / ${group}, 0, ${never}, 0)
    ON CONFLICT (list, grp) DO UPDATE SET first_ms = 0, last_ms = ${never}, items = 0;
END;
CREATE TRIGGER span_group_late AFTER INSERT ON span_blocks WHEN NEW.block / ${group} < ${newestGroup} BEGIN
  INSERT INTO span_groups VALUES (NEW.list, NEW.block / ${group}, NEW.first_ms, NEW.last_ms, NEW.items)
    ON CONFLICT (list, grp) DO UPDATE SET ${widenByBlock}, items = items + NEW.items;
END;
CREATE TRIGGER span_group_changed AFTER UPDATE ON span_blocks WHEN NEW.block / ${group} < ${newestGroup} BEGIN
  UPDATE span_groups SET ${widenByBlock}, items = items + NEW.items - OLD.items
    WHERE list = NEW.list AND grp = NEW.block / ${group};
END;`;

export const totalsSchema = `
CREATE TABLE counters (
  name TEXT PRIMARY KEY CHECK (name IN ('drinks', 'held_drinks', 'available', 'on_tap', 'finished')),
  value INTEGER NOT NULL CHECK (value >= 0)
) STRICT, WITHOUT ROWID;
INSERT INTO counters VALUES ('drinks', 0), ('held_drinks', 0), ('available', 0), ('on_tap', 0), ('finished', 0);
CREATE TRIGGER keg_counted AFTER INSERT ON kegs BEGIN
  UPDATE counters SET value = value + 1 WHERE name = NEW.state;
END;
CREATE TRIGGER keg_uncounted AFTER DELETE ON kegs BEGIN
  UPDATE counters SET value = value - 1 WHERE name = OLD.state;
END;
CREATE TRIGGER keg_recounted AFTER UPDATE OF state ON kegs WHEN OLD.state <> NEW.state BEGIN
  UPDATE counters SET value = value - 1 WHERE name = OLD.state;
  UPDATE counters SET value = value + 1 WHERE name = NEW.state;
END;

CREATE TABLE list_counters (
  list TEXT NOT NULL CHECK (length(list) <= 64),
  subject ANY NOT NULL,
  value INTEGER NOT NULL CHECK (value >= 0),
  PRIMARY KEY (list, subject)
) STRICT, WITHOUT ROWID;
CREATE TABLE list_counters_upto (
  list TEXT PRIMARY KEY CHECK (list IN ('drinks', 'events')),
  id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
${countInBatches(
  'drinks',
  [
    ['drinks of user', 'user_id'],
    ['drinks of keg', 'keg_id'],
    ['drinks of session', 'session_id'],
    ['drinks of tap', 'tap_id'],
  ],
  {
    counts: 'is_valid',
    add: (rows) => `
  UPDATE counters SET value = value + (SELECT count(*) FROM drinks WHERE ${rows} AND is_valid = (name = 'drinks'))
    WHERE name IN ('drinks', 'held_drinks');`,
    remove: `
  UPDATE counters SET value = value - 1 WHERE name = iif(OLD.is_valid, 'drinks', 'held_drinks');`,
  },
)}
${countInBatches('events', [
  ['events', '0'],
  ['events of kind', 'kind'],
  ['events of user', 'user_id'],
  ['events of keg', 'keg_id'],
  ['events of session', 'session_id'],
])}
${countEachRow('thermo_logs', [
  ['thermo logs', '0'],
  ['thermo logs of sensor', 'sensor_id'],
])}
${['sessions', 'users', 'auth_tokens', 'beverages', 'producers']
  .map((table) => countEachRow(table, [[table.replace('_', ' '), '0']]))
  .join('\n')}

-- Ids follow time, except for late deliveries and corrected clocks. A list filtered by time skips the blocks outside the
-- span; the times of a block only ever widen.
CREATE TABLE span_blocks (
  list TEXT NOT NULL CHECK (length(list) <= 64),
  block INTEGER NOT NULL,
  first_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  items INTEGER NOT NULL CHECK (items >= 0),
  PRIMARY KEY (list, block)
) STRICT, WITHOUT ROWID;
-- The same for groups of blocks, so that an old time is found without reading all blocks.
CREATE TABLE span_groups (
  list TEXT NOT NULL CHECK (length(list) <= 64),
  grp INTEGER NOT NULL,
  first_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  items INTEGER NOT NULL CHECK (items >= 0),
  PRIMARY KEY (list, grp)
) STRICT, WITHOUT ROWID;
${spanGroups}
${drinkSpans}
${spanEachRow('sessions', 'start_time_ms', 256)}
${spanEachRow('thermo_logs', 'time_ms', 512)}
${spanEachRow('audit_entries', 'time_ms', 256)}
`;
