import type { DrinkPart } from '../../core/kegs/keg-spans.ts';
import type { Database } from '../database.ts';
import { parseParts } from './drink-row.ts';

/** What a row of `drink_totals` sums up. */
export type TotalKind = 'site' | 'user' | 'keg' | 'session' | 'tap';

/** The values of a valid drink that the totals depend on. */
interface CountedDrink {
  readonly id: number;
  readonly tapId: number | null;
  readonly kegId: number | null;
  /** Where it came from several kegs. */
  readonly parts: readonly DrinkPart[] | null;
  readonly sessionId: number;
  readonly userId: number | null;
  readonly volumeMl: number;
  readonly pourTimeMs: number;
}

/** Totals of the drinks of one subject. */
interface DrinkTotals {
  readonly pours: number;
  readonly volumeNl: number;
  readonly lastId: number;
  readonly largestId: number | null;
  readonly largestMl: number | null;
}

/** Volume of a row of `drinks d`, whole nanolitres. */
export const nanolitres = 'CAST(round(d.volume_ml * 1000000) AS INTEGER)';
/** Year of the pour of a row of `drinks d`, UTC. */
export const pourYear = `CAST(strftime('%Y', d.pour_time_ms / 1000, 'unixepoch') AS INTEGER)`;

/** The valid drinks `d` of a subject, each found through an index. */
const drinksOf = {
  session: 'drinks d WHERE d.session_id = @subject',
  keg: 'keg_drinks d WHERE d.keg_id = @subject',
  user: 'drinks d WHERE d.user_id = @subject AND d.is_valid = 1',
  nobody: 'drinks d WHERE d.user_id IS NULL AND d.is_valid = 1',
  tap: 'drinks d WHERE d.tap_id = @subject AND d.is_valid = 1',
  site: 'drinks d WHERE +d.is_valid = 1',
} as const;

/** What a drink adds to, and how much, millilitres. */
type Subject = readonly [key: keyof typeof drinksOf, subject: number, volumeMl: number];

/** The subjects of a drink. The site is last: its largest drink is found among those of the sessions. */
function subjectsOf(drink: CountedDrink): readonly Subject[] {
  const { sessionId, tapId, volumeMl } = drink;
  return [
    ['session', sessionId, volumeMl],
    ...kegVolumes(drink).map(([kegId, ml]) => ['keg', kegId, ml] as const),
    userSubject(drink),
    ...(tapId === null ? [] : [['tap', tapId, volumeMl] as const]),
    ['site', 0, volumeMl],
  ];
}

/** What came from each keg, millilitres. */
function kegVolumes({ kegId, parts, volumeMl }: CountedDrink): readonly (readonly [number, number])[] {
  if (parts === null) return kegId === null ? [] : [[kegId, volumeMl]];
  return parts.flatMap((part) => (part.kegId === null ? [] : [[part.kegId, part.volumeMl] as const]));
}

const userSubject = ({ userId, volumeMl }: Pick<CountedDrink, 'userId' | 'volumeMl'>): Subject =>
  userId === null ? ['nobody', 0, volumeMl] : ['user', userId, volumeMl];

const toKind = (key: keyof typeof drinksOf): TotalKind => (key === 'nobody' ? 'user' : key);
const hasLargest = (key: keyof typeof drinksOf): boolean => key !== 'nobody' && key !== 'tap';
const toNanolitres = (ml: number): number => Math.round(ml * 1e6);
const toYear = (ms: number): number => new Date(ms).getUTCFullYear();

/**
 * Totals of drinks. Every function of the store that writes a drink or moves a session to another day calls this in the
 * same transaction.
 */
export function drinkTotalsTable(db: Database) {
  const add = addStatements(db);
  const remove = removeStatements(db);
  const countedRow = db.prepare<[number], Omit<CountedDrink, 'parts'> & { parts: string | null }>(
    `SELECT id, tap_id AS tapId, keg_id AS kegId, parts, session_id AS sessionId, user_id AS userId, volume_ml AS volumeMl,
       pour_time_ms AS pourTimeMs
     FROM drinks WHERE id = ? AND +is_valid = 1`,
  );
  const counted = (id: number): CountedDrink | undefined => {
    const row = countedRow.get(id);
    return row && { ...row, parts: parseParts(row.parts) };
  };
  const addToNobody = db.prepare<[number]>(
    `INSERT INTO drink_totals (kind, subject, pours, volume_nl, first_id, last_id)
     SELECT kind, 0, pours, volume_nl, first_id, last_id FROM drink_totals WHERE kind = 'user' AND subject = ?
     ON CONFLICT (kind, subject) DO UPDATE SET
       pours = pours + excluded.pours,
       volume_nl = volume_nl + excluded.volume_nl,
       first_id = min(first_id, excluded.first_id),
       last_id = max(last_id, excluded.last_id)`,
  );
  const removeUser = db.prepare<[number]>(`DELETE FROM drink_totals WHERE kind = 'user' AND subject = ?`);
  const pours = db
    .prepare<[TotalKind, number], number>('SELECT pours FROM drink_totals WHERE kind = ? AND subject = ?')
    .pluck();
  const totals = db.prepare<[TotalKind, number], DrinkTotals>(
    `SELECT pours, volume_nl AS volumeNl, last_id AS lastId, largest_id AS largestId, largest_ml AS largestMl
     FROM drink_totals WHERE kind = ? AND subject = ?`,
  );
  const years = db.prepare<[number], { year: number; pours: number; nl: number }>(
    `SELECT ${pourYear} AS year, count(*) AS pours, sum(${nanolitres}) AS nl FROM drinks d
     WHERE d.session_id = ? GROUP BY 1`,
  );
  return {
    /** Adds a valid drink, or with sign -1 removes one that is still stored as it was added. */
    add(drink: CountedDrink, sign: 1 | -1): void {
      (sign === 1 ? add : remove)(drink);
    },
    /** Adds a drink that has just been stored. */
    addStored(drinkId: number): void {
      const drink = counted(drinkId);
      if (drink !== undefined) add(drink);
    },
    /** Runs `write`, which inserts, changes or deletes the drink, and updates the totals. */
    writing<T>(drinkId: number, write: () => T): T {
      const before = counted(drinkId);
      if (before !== undefined) remove(before);
      const result = write();
      const after = counted(drinkId);
      if (after !== undefined) add(after);
      return result;
    },
    /** Runs `write`, which changes nothing but the user of the drink, and updates the totals of both users. */
    writingUser(drinkId: number, write: () => void): void {
      const before = counted(drinkId);
      if (before !== undefined) remove.from(before, userSubject(before));
      write();
      const after = counted(drinkId);
      if (after !== undefined) add.to(after, [userSubject(after)]);
    },
    /** Moves the drinks of a session to another local day. */
    moveSession(sessionId: number, from: number, to: number): void {
      for (const { year, pours: count, nl } of years.all(sessionId)) {
        remove.day(from, year, count, nl);
        add.day(to, year, count, nl);
      }
    },
    /** Call it when a user is erased, before the drinks lose their reference to the user. */
    moveToNobody(userId: number): void {
      addToNobody.run(userId);
      removeUser.run(userId);
    },
    /** Number of valid drinks. */
    pours: (kind: TotalKind, subject = 0): number => pours.get(kind, subject) ?? 0,
    /** Null without drinks. */
    read: (kind: TotalKind, subject = 0): DrinkTotals | null => totals.get(kind, subject) ?? null,
  };
}

export type DrinkTotalsTable = ReturnType<typeof drinkTotalsTable>;

/** Adds one drink to the totals of `subjects` subjects. */
const addToTotals = (subjects: number): string =>
  `INSERT INTO drink_totals (kind, subject, pours, volume_nl, first_id, last_id, largest_id, largest_ml)
   VALUES ${Array(subjects).fill('(?, ?, 1, ?, ?, ?, ?, ?)').join(', ')}
   ON CONFLICT (kind, subject) DO UPDATE SET
     pours = pours + excluded.pours,
     volume_nl = volume_nl + excluded.volume_nl,
     first_id = min(first_id, excluded.first_id),
     last_id = max(last_id, excluded.last_id),
     largest_id = iif((excluded.largest_ml, -excluded.largest_id) > (largest_ml, -largest_id),
       excluded.largest_id, largest_id),
     largest_ml = max(largest_ml, excluded.largest_ml)`;

function addStatements(db: Database) {
  /** By number of subjects: one statement for all of them is faster than one for each. */
  const statements = new Map<number, ReturnType<Database['prepare']>>();
  const addDay = db.prepare<[day: number, year: number, pours: number, nl: number]>(
    `INSERT INTO drink_days (local_day, year, pours, volume_nl) VALUES (?, ?, ?, ?)
     ON CONFLICT (local_day, year) DO UPDATE SET
       pours = pours + excluded.pours, volume_nl = volume_nl + excluded.volume_nl`,
  );
  const addKegSession = db.prepare<[kegId: number, sessionId: number]>(
    'INSERT OR IGNORE INTO keg_sessions (keg_id, session_id) VALUES (?, ?)',
  );
  const localDay = selectLocalDay(db);
  const addTo = ({ id }: CountedDrink, subjects: readonly Subject[]): void => {
    const values = subjects.flatMap(([key, subject, volumeMl]) => {
      const [largestId, largestMl] = hasLargest(key) ? [id, volumeMl] : [null, null];
      return [toKind(key), subject, toNanolitres(volumeMl), id, id, largestId, largestMl];
    });
    const statement = statements.get(subjects.length) ?? db.prepare(addToTotals(subjects.length));
    statements.set(subjects.length, statement);
    statement.run(values);
  };
  const add = (drink: CountedDrink): void => {
    const { sessionId, volumeMl, pourTimeMs } = drink;
    const nl = toNanolitres(volumeMl);
    addTo(drink, subjectsOf(drink));
    addDay.run(localDay.get(sessionId)!, toYear(pourTimeMs), 1, nl);
    for (const [kegId] of kegVolumes(drink)) addKegSession.run(kegId, sessionId);
  };
  add.to = addTo;
  add.day = (day: number, year: number, pours: number, nl: number): void =>
    void addDay.run(day, year, pours, nl);
  return add;
}

function removeStatements(db: Database) {
  const subtract = db.prepare<[nl: number, kind: TotalKind, subject: number]>(
    'UPDATE drink_totals SET pours = pours - 1, volume_nl = volume_nl - ? WHERE kind = ? AND subject = ?',
  );
  const removeEmpty = db.prepare<[kind: TotalKind, subject: number]>(
    'DELETE FROM drink_totals WHERE kind = ? AND subject = ? AND pours = 0',
  );
  const subtractDay = db.prepare<[pours: number, nl: number, day: number, year: number]>(
    'UPDATE drink_days SET pours = pours - ?, volume_nl = volume_nl - ? WHERE local_day = ? AND year = ?',
  );
  const removeEmptyDay = db.prepare<[day: number, year: number]>(
    'DELETE FROM drink_days WHERE local_day = ? AND year = ? AND pours = 0',
  );
  const removeKegSession = db.prepare<{ kegId: number; sessionId: number; id: number }>(
    `DELETE FROM keg_sessions WHERE keg_id = @kegId AND session_id = @sessionId AND NOT EXISTS
       (SELECT 1 FROM drinks WHERE session_id = @sessionId AND +keg_id = @kegId AND id <> @id)
       AND NOT EXISTS (SELECT 1 FROM drinks d, json_each(d.parts) p WHERE d.session_id = @sessionId AND d.parts IS NOT NULL
         AND p.value ->> '$.keg_id' = @kegId AND d.id <> @id)`,
  );
  const localDay = selectLocalDay(db);
  const replacements = new Map(
    (Object.keys(drinksOf) as (keyof typeof drinksOf)[]).map((key) => [
      key,
      replaceStatements(key).map((sql) => db.prepare<{ subject: number; id: number }>(sql)),
    ]),
  );
  const subtractFromDay = (day: number, year: number, pours: number, nl: number): void => {
    subtractDay.run(pours, nl, day, year);
    removeEmptyDay.run(day, year);
  };
  const removeFrom = ({ id }: CountedDrink, [key, subject, volumeMl]: Subject): void => {
    subtract.run(toNanolitres(volumeMl), toKind(key), subject);
    removeEmpty.run(toKind(key), subject);
    for (const statement of replacements.get(key)!) statement.run({ subject, id });
  };
  const remove = (drink: CountedDrink): void => {
    const { id, sessionId, volumeMl, pourTimeMs } = drink;
    const nl = toNanolitres(volumeMl);
    for (const subject of subjectsOf(drink)) removeFrom(drink, subject);
    subtractFromDay(localDay.get(sessionId)!, toYear(pourTimeMs), 1, nl);
    for (const [kegId] of kegVolumes(drink)) removeKegSession.run({ kegId, sessionId, id });
  };
  remove.from = removeFrom;
  remove.day = subtractFromDay;
  return remove;
}

/** Statements that find the next first, last or largest drink of a subject if the drink `@id` was it. */
function replaceStatements(key: keyof typeof drinksOf): readonly string[] {
  const row = (column: string) => `kind = '${toKind(key)}' AND subject = @subject AND ${column} = @id`;
  const next = (order: string) => `SELECT d.id FROM ${drinksOf[key]} AND d.id ${order} LIMIT 1`;
  const largest =
    key === 'site'
      ? `SELECT largest_id, largest_ml FROM drink_totals WHERE kind = 'session' ORDER BY largest_ml DESC, largest_id LIMIT 1`
      : `SELECT d.id, d.volume_ml FROM ${drinksOf[key]} AND d.id <> @id
         ORDER BY d.volume_ml DESC, d.id LIMIT 1`;
  return [
    `UPDATE drink_totals SET first_id = (${next('> @id ORDER BY d.id')}) WHERE ${row('first_id')}`,
    `UPDATE drink_totals SET last_id = (${next('< @id ORDER BY d.id DESC')}) WHERE ${row('last_id')}`,
    ...(hasLargest(key)
      ? [`UPDATE drink_totals SET (largest_id, largest_ml) = (${largest}) WHERE ${row('largest_id')}`]
      : []),
  ];
}

const selectLocalDay = (db: Database) =>
  db.prepare<[number], number>('SELECT local_day FROM sessions WHERE id = ?').pluck();
