/** What keeps a page of a long list as quick as a page of a short one: kept lengths, and where times lie. */

/** A list's length by what it is the list of: its name, and the column that says so. */
type Lists = readonly (readonly [list: string, of: string])[];

/** Triggers that keep the lengths, and their first values. A row counts while `counts` holds. */
function tallied(table: string, lists: Lists, { counts = '1' } = {}): string {
  const columns = [...new Set(`${counts} ${lists.map(([, of]) => of).join(' ')}`.match(/[a-z_]+/g) ?? [])];
  const on = (row: string, term: string) => term.replace(/[a-z_]+/g, (column) => `${row}.${column}`);
  const add = lists
    .map(
      ([list, of]) => `INSERT INTO tallies SELECT '${list}', ${on('NEW', of)}, 1
      WHERE ${on('NEW', of)} IS NOT NULL AND ${on('NEW', counts)}
      ON CONFLICT (list, subject) DO UPDATE SET value = value + 1;`,
    )
    .join('\n');
  const remove = lists.map(
    ([list, of]) => `UPDATE tallies SET value = value - 1
      WHERE list = '${list}' AND subject = ${on('OLD', of)} AND ${on('OLD', counts)};`,
  );
  const fill = lists.map(
    ([list, of]) => `INSERT INTO tallies SELECT '${list}', ${of}, count(*) FROM ${table}
      WHERE ${of} IS NOT NULL AND ${counts} GROUP BY ${of === '0' ? '1' : of};`,
  );
  return `
    CREATE TRIGGER ${table}_tallied AFTER INSERT ON ${table} BEGIN ${add} END;
    CREATE TRIGGER ${table}_untallied AFTER DELETE ON ${table} BEGIN ${remove.join('\n')} END;
    ${
      columns.length === 0
        ? ''
        : `CREATE TRIGGER ${table}_retallied AFTER UPDATE OF ${columns.join(', ')} ON ${table} BEGIN
      ${remove.join('\n')} ${add} END;`
    }
    ${fill.join('\n')}`;
}

/** Triggers that keep, for each block of ids, how many rows count in it and between which times all of them lie. */
export function spanned(
  table: string,
  time: string,
  { size, counts = '1' }: { size: number; counts?: string },
) {
  const on = (row: string) => (counts === '1' ? '1' : `${row}.${counts}`);
  const widen = `first_ms = min(first_ms, NEW.${time}), last_ms = max(last_ms, NEW.${time})`;
  return `
    CREATE TRIGGER ${table}_spanned AFTER INSERT ON ${table} BEGIN
      INSERT INTO spans VALUES ('${table}', NEW.id / ${size}, NEW.${time}, NEW.${time}, ${on('NEW')})
      ON CONFLICT (list, block) DO UPDATE SET ${widen}, items = items + ${on('NEW')};
    END;
    CREATE TRIGGER ${table}_unspanned AFTER DELETE ON ${table} BEGIN
      UPDATE spans SET items = items - ${on('OLD')} WHERE list = '${table}' AND block = OLD.id / ${size};
    END;
    CREATE TRIGGER ${table}_respanned AFTER UPDATE OF ${time}${counts === '1' ? '' : `, ${counts}`} ON ${table} BEGIN
      UPDATE spans SET ${widen}, items = items + ${on('NEW')} - ${on('OLD')}
      WHERE list = '${table}' AND block = NEW.id / ${size};
    END;
    INSERT INTO spans SELECT '${table}', id / ${size}, min(${time}), max(${time}), sum(${counts})
      FROM ${table} GROUP BY id / ${size};`;
}

export const schema4 = `
-- A user's or tap's held drinks lie apart from the real ones; a page of either is read in one go.
DROP INDEX drinks_by_user;
DROP INDEX drinks_by_tap;
CREATE INDEX drinks_by_user ON drinks (user_id, is_valid) WHERE user_id IS NOT NULL;
CREATE INDEX drinks_by_tap ON drinks (tap_id, is_valid) WHERE tap_id IS NOT NULL;
CREATE INDEX drinks_in_session ON drinks (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX events_by_kind ON events (kind);
CREATE INDEX thermo_logs_by_sensor ON thermo_logs (sensor_id);

CREATE TABLE tallies (
  list TEXT NOT NULL CHECK (length(list) <= 64),
  subject ANY NOT NULL,
  value INTEGER NOT NULL CHECK (value >= 0),
  PRIMARY KEY (list, subject)
) STRICT, WITHOUT ROWID;

-- Ids follow time but for late deliveries and mended clocks. A list cut by time skips the blocks that lie elsewhere;
-- a block's times only ever widen.
CREATE TABLE spans (
  list TEXT NOT NULL CHECK (length(list) <= 64),
  block INTEGER NOT NULL,
  first_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  items INTEGER NOT NULL CHECK (items >= 0),
  PRIMARY KEY (list, block)
) STRICT, WITHOUT ROWID;

-- Which gatherings drank of which keg, and how often.
CREATE TABLE keg_sessions (
  keg_id INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  drinks INTEGER NOT NULL CHECK (drinks >= 0),
  PRIMARY KEY (keg_id, session_id)
) STRICT, WITHOUT ROWID;
INSERT INTO keg_sessions SELECT keg_id, session_id, count(*) FROM drinks
  WHERE keg_id IS NOT NULL AND session_id IS NOT NULL GROUP BY keg_id, session_id;
CREATE TRIGGER drink_joined_keg_session AFTER INSERT ON drinks
WHEN NEW.keg_id IS NOT NULL AND NEW.session_id IS NOT NULL BEGIN
  INSERT INTO keg_sessions VALUES (NEW.keg_id, NEW.session_id, 1)
    ON CONFLICT (keg_id, session_id) DO UPDATE SET drinks = drinks + 1;
END;
CREATE TRIGGER drink_left_keg_session AFTER DELETE ON drinks
WHEN OLD.keg_id IS NOT NULL AND OLD.session_id IS NOT NULL BEGIN
  UPDATE keg_sessions SET drinks = drinks - 1 WHERE keg_id = OLD.keg_id AND session_id = OLD.session_id;
  DELETE FROM keg_sessions WHERE keg_id = OLD.keg_id AND session_id = OLD.session_id AND drinks = 0;
END;
CREATE TRIGGER drink_changed_keg_session AFTER UPDATE OF keg_id, session_id ON drinks
WHEN OLD.keg_id IS NOT NEW.keg_id OR OLD.session_id IS NOT NEW.session_id BEGIN
  UPDATE keg_sessions SET drinks = drinks - 1 WHERE keg_id = OLD.keg_id AND session_id = OLD.session_id;
  DELETE FROM keg_sessions WHERE keg_id = OLD.keg_id AND session_id = OLD.session_id AND drinks = 0;
  INSERT INTO keg_sessions SELECT NEW.keg_id, NEW.session_id, 1
    WHERE NEW.keg_id IS NOT NULL AND NEW.session_id IS NOT NULL
    ON CONFLICT (keg_id, session_id) DO UPDATE SET drinks = drinks + 1;
END;
${tallied(
  'drinks',
  [
    ['drinks of user', 'user_id'],
    ['drinks of keg', 'keg_id'],
    ['drinks of session', 'session_id'],
    ['drinks of tap', 'tap_id'],
  ],
  { counts: 'is_valid' },
)}
${tallied('keg_sessions', [['sessions of keg', 'keg_id']])}
${tallied('sessions', [['sessions', '0']])}
${tallied('events', [
  ['events', '0'],
  ['events of kind', 'kind'],
  ['events of user', 'user_id'],
  ['events of keg', 'keg_id'],
  ['events of session', 'session_id'],
])}
${tallied('thermo_logs', [
  ['thermo logs', '0'],
  ['thermo logs of sensor', 'sensor_id'],
])}
${tallied('users', [['users', '0']])}
${tallied('auth_tokens', [['auth tokens', '0']])}
${tallied('beverages', [['beverages', '0']])}
${tallied('producers', [['producers', '0']])}
${spanned('drinks', 'pour_time_ms', { size: 1024, counts: 'is_valid' })}
${spanned('sessions', 'start_time_ms', { size: 256 })}
${spanned('thermo_logs', 'time_ms', { size: 4096 })}
`;
