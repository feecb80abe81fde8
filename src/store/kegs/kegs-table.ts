import type { Keg, KegSize, KegState } from '../../core/records.ts';
import type { Database } from '../database.ts';
import { preparePages, type Slice } from '../shared/slice.ts';

/** In the order of `columns`: reading a row by position takes half the time of reading it by name. */
type KegRow = readonly [
  id: number,
  beverageId: number,
  sizeId: number,
  state: KegState,
  fullVolumeMl: number,
  servedVolumeMl: number,
  spilledVolumeMl: number,
  description: string,
  notes: string,
  createdTimeMs: number,
  startedTimeMs: number,
  finishedTimeMs: number | null,
  ranDry: number | null,
  inSeries: number,
];

/** What staff can change of a keg. */
export type KegChange = Pick<
  Keg,
  'beverageId' | 'sizeId' | 'fullVolumeMl' | 'description' | 'notes' | 'startedTimeMs' | 'finishedTimeMs'
>;

type KegStateChange = Pick<Keg, 'state' | 'startedTimeMs' | 'finishedTimeMs'> & Partial<Pick<Keg, 'ranDry'>>;

const kegStates: readonly KegState[] = ['available', 'on_tap', 'finished'];

/** SQL of the volume poured from a row of kegs with that alias, millilitres. */
export const servedVolumeMl = (kegs: string): string =>
  `(SELECT total(volume_nl) / 1000000 FROM drink_totals WHERE kind = 'keg' AND subject = ${kegs}.id)`;

const columns = `id, beverage_id, size_id, state, full_volume_ml, ${servedVolumeMl('kegs')}, spilled_volume_ml, description,
  notes, created_time_ms, started_time_ms, finished_time_ms, ran_dry,
  in_series`;

/** Kegs with their totals, and keg sizes. */
export function kegsTable(db: Database) {
  const select = <T extends unknown[]>(where: string) =>
    db.prepare<T, KegRow>(`SELECT ${columns} FROM kegs WHERE ${where}`).raw();
  const byId = select<[number]>('id = ?');
  const newestOf = select<[number]>('beverage_id = ? ORDER BY id DESC LIMIT 1');
  const endedIn = select<[number, number]>('finished_time_ms >= ? AND finished_time_ms < ? ORDER BY id');
  const pages = (where?: string) =>
    preparePages<KegRow>(db, { select: `SELECT ${columns} FROM kegs`, ...(where && { where }), isRaw: true });
  const page = pages();
  const pageByState = pages('state = @state');
  // Few kegs are on a tap at once, so skipping them costs nothing.
  const offline = pages(`+state <> 'on_tap'`);
  const insert = db
    .prepare<
      {
        beverageId: number;
        sizeId: number;
        fullVolumeMl: number;
        description: string;
        notes: string;
        timeMs: number;
      },
      number
    >(
      `INSERT INTO kegs (beverage_id, size_id, state, full_volume_ml, description, notes, created_time_ms, started_time_ms)
       VALUES (@beverageId, @sizeId, 'available', @fullVolumeMl, @description, @notes, @timeMs, @timeMs) RETURNING id`,
    )
    .pluck();
  const setState = db.prepare<{
    id: number;
    state: KegState;
    startedTimeMs: number;
    finishedTimeMs: number | null;
    ranDry: number | null;
  }>(
    `UPDATE kegs SET state = @state, started_time_ms = @startedTimeMs, finished_time_ms = @finishedTimeMs, ran_dry = @ranDry
     WHERE id = @id`,
  );
  const setInSeries = db.prepare<[inSeries: number, id: number]>(
    'UPDATE kegs SET in_series = ? WHERE id = ?',
  );
  const addSpilled = db.prepare<{ id: number; ml: number }>(
    'UPDATE kegs SET spilled_volume_ml = spilled_volume_ml + @ml WHERE id = @id',
  );
  const recomputeSpilled = db.prepare<{ id: number }>(
    `UPDATE kegs SET spilled_volume_ml = (SELECT total(volume_ml) FROM spills WHERE keg_id = @id) WHERE id = @id`,
  );
  const change = db.prepare<KegChange & { id: number }>(
    `UPDATE kegs SET beverage_id = @beverageId, size_id = @sizeId, full_volume_ml = @fullVolumeMl,
       description = @description, notes = @notes, started_time_ms = @startedTimeMs, finished_time_ms = @finishedTimeMs
     WHERE id = @id`,
  );
  const drinkSpan = db.prepare<[number], { first: number | null; last: number | null }>(
    `SELECT min(pour_time_ms) AS first, max(pour_time_ms) AS last
     FROM drinks WHERE keg_id = ? AND time_certain = 1`,
  );
  const countByState = db.prepare<[KegState], number>('SELECT count(*) FROM kegs WHERE state = ?').pluck();
  const remove = db.prepare<[number]>('DELETE FROM kegs WHERE id = ?');
  const idsByBeverage = db
    .prepare<[number, number], number>('SELECT id FROM kegs WHERE beverage_id = ? ORDER BY id LIMIT ?')
    .pluck();
  const extendTimeSpan = db.prepare<{ id: number }>(
    `UPDATE kegs SET started_time_ms = min(started_time_ms, first), finished_time_ms = max(finished_time_ms, last)
     FROM (SELECT min(pour_time_ms) AS first, max(pour_time_ms) AS last
           FROM drinks WHERE keg_id = @id AND time_certain = 1 AND parts IS NULL)
     WHERE id = @id AND state <> 'on_tap' AND first IS NOT NULL`,
  );
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
    countAll: (): number => kegStates.reduce((sum, state) => sum + countByState.get(state)!, 0),
    /** Kegs that are not on a tap. */
    pageOffline: (slice: Slice): readonly Keg[] => offline(slice).map((row) => toKeg(row)!),
    add: (keg: {
      beverageId: number;
      sizeId: number;
      fullVolumeMl: number;
      description: string;
      notes: string;
      timeMs: number;
    }): number => insert.get(keg)!,
    change: (id: number, to: KegChange): void => void change.run({ id, ...to }),
    /** Times of its first and last drink with a certain time, Unix milliseconds; null without one. */
    drinkSpan: (id: number): { readonly first: number | null; readonly last: number | null } =>
      drinkSpan.get(id)!,
    /** Also removes its events and spills. */
    remove: (id: number): void => void remove.run(id),
    /** Ids of the kegs of a beverage, at most `limit`. */
    idsByBeverage: (beverageId: number, limit: number): readonly number[] =>
      idsByBeverage.all(beverageId, limit),
    /** `ranDry` is what staff said of a finished keg. */
    setState: (id: number, { state, startedTimeMs, finishedTimeMs, ranDry = null }: KegStateChange): void =>
      void setState.run({
        ...{ id, state, startedTimeMs, finishedTimeMs },
        ranDry: ranDry === null ? null : Number(ranDry),
      }),
    /** Whether its share of the ticks is computed, since it emptied before or after another keg of the same tap. */
    setInSeries: (id: number, inSeries: boolean): void => void setInSeries.run(Number(inSeries), id),
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

function toKeg(row: KegRow | undefined): Keg | null {
  if (row === undefined) return null;
  const [id, beverageId, sizeId, state, fullVolumeMl, servedVolumeMl, spilledVolumeMl, ...rest] = row;
  const [description, notes, createdTimeMs, startedTimeMs, finishedTimeMs, ranDry, inSeries] = rest;
  return {
    id,
    beverageId,
    sizeId,
    state,
    fullVolumeMl,
    servedVolumeMl,
    spilledVolumeMl,
    description,
    notes,
    createdTimeMs,
    startedTimeMs,
    finishedTimeMs,
    ranDry: ranDry === null ? null : ranDry === 1,
    inSeries: inSeries === 1,
  };
}
