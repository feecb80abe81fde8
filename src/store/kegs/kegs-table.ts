import { type Keg, type KegInputs, type KegState, kegFields } from '../../core/kegs/records/keg-record.ts';
import type { KegSize } from '../../core/records.ts';
import type { Database } from '../database.ts';
import { type RawRow, recordColumns, recordTable } from '../shared/record-table.ts';
import { preparePages, type Slice } from '../shared/slice.ts';

/** What is written of a keg; the rest follows from its drinks. */
const { servedVolumeMl: _served, ...written } = kegFields;
const added = {
  state: 'available',
  spilledVolumeMl: 0,
  finishedTimeMs: null,
  ranDry: null,
  inSeries: false,
} as const;

/** What staff can change of a keg. */
export type KegChange = KegInputs & Pick<Keg, 'beverageId' | 'sizeId' | 'startedTimeMs' | 'finishedTimeMs'>;

type KegStateChange = Pick<Keg, 'state' | 'startedTimeMs' | 'finishedTimeMs'> & Partial<Pick<Keg, 'ranDry'>>;

/** SQL of the volume poured from a row of kegs with that alias, millilitres. */
export const servedVolumeMl = (kegs: string): string =>
  `(SELECT total(volume_nl) / 1000000 FROM drink_totals WHERE kind = 'keg' AND subject = ${kegs}.id)`;

const columns = recordColumns(kegFields, 'kegs', { servedVolumeMl: servedVolumeMl('kegs') });

/** Kegs with their totals, and keg sizes. */
export function kegsTable(db: Database) {
  const table = recordTable(db, 'kegs', written);
  const select = <T extends unknown[]>(where: string) =>
    db.prepare<T, RawRow>(`SELECT ${columns.sql} FROM kegs WHERE ${where}`).raw();
  const byId = select<[number]>('id = ?');
  const newestOf = select<[number]>('beverage_id = ? ORDER BY id DESC LIMIT 1');
  const endedIn = select<[number, number]>('finished_time_ms >= ? AND finished_time_ms < ? ORDER BY id');
  const pages = (where?: string) =>
    preparePages<RawRow>(db, {
      select: `SELECT ${columns.sql} FROM kegs`,
      ...(where && { where }),
      isRaw: true,
    });
  const page = pages();
  const pageByState = pages('state = @state');
  // Few kegs are on a tap at once, so skipping them costs nothing.
  const offline = pages(`+state <> 'on_tap'`);
  const addSpilled = db.prepare<{ id: number; ml: number }>(
    'UPDATE kegs SET spilled_volume_ml = spilled_volume_ml + @ml WHERE id = @id',
  );
  const recomputeSpilled = db.prepare<{ id: number }>(
    `UPDATE kegs SET spilled_volume_ml = (SELECT total(volume_ml) FROM keg_spills WHERE keg_id = @id) WHERE id = @id`,
  );
  const drinkSpan = db.prepare<[number], { first: number | null; last: number | null }>(
    `SELECT min(pour_time_ms) AS first, max(pour_time_ms) AS last
     FROM drinks WHERE keg_id = ? AND time_certain = 1`,
  );
  const countByState = db.prepare<[KegState], number>('SELECT count(*) FROM kegs WHERE state = ?').pluck();
  const idsByBeverage = db
    .prepare<[number, number], number>('SELECT id FROM kegs WHERE beverage_id = ? ORDER BY id LIMIT ?')
    .pluck();
  const extendTimeSpan = db.prepare<{ id: number }>(
    `UPDATE kegs SET started_time_ms = min(started_time_ms, first), finished_time_ms = max(finished_time_ms, last)
     FROM (SELECT min(pour_time_ms) AS first, max(pour_time_ms) AS last
           FROM drinks WHERE keg_id = @id AND time_certain = 1 AND parts IS NULL)
     WHERE id = @id AND state <> 'on_tap' AND first IS NOT NULL`,
  );
  const isUsedUntil = db
    .prepare<{ id: number; untilMs: number }, number>(
      `SELECT EXISTS (SELECT 1 FROM keg_drinks WHERE keg_id = @id AND pour_time_ms <= @untilMs)
         OR EXISTS (SELECT 1 FROM keg_spills WHERE keg_id = @id AND time_ms <= @untilMs)`,
    )
    .pluck();
  const sizes = db.prepare<[], { id: number; key: string; name: string; volume_ml: number }>(
    'SELECT * FROM keg_sizes ORDER BY id',
  );
  let knownSizes: readonly KegSize[] | undefined;
  return {
    byId: (id: number): Keg | null => toKeg(byId.get(id)),
    /** Kegs that ended in a time span; `untilMs` is exclusive. */
    endedIn: ({ sinceMs, untilMs }: { readonly sinceMs: number; readonly untilMs: number }): readonly Keg[] =>
      endedIn.all(sinceMs, untilMs).map((row) => toKeg(row)!),
    /** The newest keg of a beverage; null without any. */
    newestOf: (beverageId: number): Keg | null => toKeg(newestOf.get(beverageId)),
    page: (slice: Slice): readonly Keg[] => page(slice).map((row) => toKeg(row)!),
    pageByState: (state: KegState, slice: Slice): readonly Keg[] =>
      pageByState(slice, { state }).map((row) => toKeg(row)!),
    count: (state: KegState): number => countByState.get(state)!,
    countAll: (): number => kegFields.state.of.reduce((sum, state) => sum + countByState.get(state)!, 0),
    /** Kegs that are not on a tap. */
    pageOffline: (slice: Slice): readonly Keg[] => offline(slice).map((row) => toKeg(row)!),
    add: ({ timeMs, ...keg }: KegInputs & Pick<Keg, 'beverageId' | 'sizeId'> & { timeMs: number }): number =>
      table.add({ ...keg, ...added, createdTimeMs: timeMs, startedTimeMs: timeMs }),
    change: (id: number, to: Partial<KegChange & Pick<Keg, 'inSeries'>>): void => table.change(id, to),
    /** Times of its first and last drink with a certain time, Unix milliseconds; null without one. */
    drinkSpan: (id: number): { readonly first: number | null; readonly last: number | null } =>
      drinkSpan.get(id)!,
    /** Also removes its events and spills. */
    remove: table.remove,
    /** Ids of the kegs of a beverage, at most `limit`. */
    idsByBeverage: (beverageId: number, limit: number): readonly number[] =>
      idsByBeverage.all(beverageId, limit),
    /** `ranDry` is what staff said of a finished keg. */
    setState: (id: number, { state, startedTimeMs, finishedTimeMs, ranDry = null }: KegStateChange): void =>
      table.change(id, { state, startedTimeMs, finishedTimeMs, ranDry }),
    /** Whether something was poured or spilled from it until then, Unix milliseconds. */
    isUsedUntil: (id: number, untilMs: number): boolean => isUsedUntil.get({ id, untilMs }) === 1,
    addSpilled: (id: number, ml: number): void => void addSpilled.run({ id, ml }),
    /** Recomputes the spilled volume, so that corrections leave no rounding errors. */
    recomputeSpilled: (id: number): void => void recomputeSpilled.run({ id }),
    /** Extends the time span of a keg that is off its tap to its first and last drink with a certain time. */
    extendTimeSpan: (id: number): void => void extendTimeSpan.run({ id }),
    /** Part of the schema and never written, so they are read once. */
    sizes(): readonly KegSize[] {
      knownSizes ??= sizes
        .all()
        .map((row) => ({ id: row.id, key: row.key, name: row.name, volumeMl: row.volume_ml }));
      return knownSizes;
    },
  };
}

const toKeg = (row: RawRow | undefined): Keg | null => (row === undefined ? null : columns.read(row));
