import type { DrinkPart } from '../../core/kegs/keg-spans.ts';
import type { Drink, Spill } from '../../core/records.ts';
import type { Database } from '../database.ts';
import { formatParts, parseParts } from './drink-row.ts';

/** How a drink flowed that was spilled. */
export interface SpilledFlow
  extends Pick<Drink, 'series' | 'durationMs' | 'ticks' | 'gasTicks' | 'foamTicks'> {
  /** Its end on the monotonic clock of that boot. */
  readonly bootId: string;
  readonly endMonoMs: number;
}

/** Which keg a spill came from; from several: what came from which, in ticks of beer. */
export interface SpillPlacement {
  readonly kegId: number | null;
  readonly parts: readonly DrinkPart[] | null;
}

/** A spill whose keg follows from tap and time. */
export interface PlacedSpill extends Spill, SpillPlacement {
  readonly flow: SpilledFlow | null;
}

/** A spill to be written. */
export interface NewSpill extends Omit<Spill, 'id'> {
  /** Default true: staff named the keg; false: it follows from tap and time. */
  readonly isKegAssigned?: boolean;
  /** Default null: it came from one keg. */
  readonly parts?: readonly DrinkPart[] | null;
  /** Default null: it is no drink that was spilled. */
  readonly flow?: SpilledFlow | null;
  readonly ticks: number;
  readonly meter: string | null;
  readonly pourId: string | null;
}

interface SpillRow {
  id: number;
  tap_id: number | null;
  keg_id: number | null;
  volume_ml: number;
  time_ms: number;
  parts: string | null;
  flow: string | null;
}

/** Spills. */
export function spillsTable(db: Database) {
  const byPourId = db.prepare<[string], SpillRow>('SELECT * FROM spills WHERE pour_id = ?');
  const byId = db.prepare<[number], SpillRow>('SELECT * FROM spills WHERE id = ?');
  const insert = db.prepare<
    Omit<NewSpill, 'isKegAssigned' | 'parts' | 'flow'> & {
      assigned: number;
      parts: string | null;
      flow: string | null;
    },
    SpillRow
  >(
    `INSERT INTO spills (tap_id, keg_id, parts, flow, keg_assigned, ticks, volume_ml, time_ms, meter, pour_id)
     VALUES (@tapId, @kegId, @parts, @flow, @assigned, @ticks, @volumeMl, @timeMs, @meter, @pourId) RETURNING *`,
  );
  const countByKeg = db.prepare<[number], number>('SELECT count(*) FROM keg_spills WHERE keg_id = ?').pluck();
  const atTap = db.prepare<[tapId: number, sinceMs: number], SpillRow>(
    'SELECT * FROM spills WHERE tap_id = ? AND time_ms >= ? AND keg_assigned = 0',
  );
  const setPlacement = db.prepare<{ id: number; kegId: number | null; parts: string | null }>(
    'UPDATE spills SET keg_id = @kegId, parts = @parts WHERE id = @id',
  );
  const ofKeg = db.prepare<
    [number],
    { id: number; keg_id: number; volume_ml: number; time_ms: number; is_named: number }
  >(
    `SELECT k.id, k.keg_id, k.volume_ml, k.time_ms, s.keg_assigned AND s.cause IS NULL AS is_named
     FROM keg_spills k JOIN spills s ON s.id = k.id WHERE k.keg_id = ?`,
  );
  const kegIds = db
    .prepare<[number], number>('SELECT keg_id FROM keg_spills WHERE id = ? AND keg_id IS NOT NULL')
    .pluck();
  const remove = db.prepare<[number]>('DELETE FROM spills WHERE id = ?');
  return {
    countByKeg: (kegId: number): number => countByKeg.get(kegId)!,
    byId: (id: number): Spill | null => toSpill(byId.get(id)),
    byPourId: (pourId: string): Spill | null => toSpill(byPourId.get(pourId)),
    add: ({ isKegAssigned = true, parts = null, flow = null, ...spill }: NewSpill): Spill =>
      toSpill(
        insert.get({
          ...spill,
          assigned: Number(isKegAssigned),
          parts: formatParts(parts),
          flow: flow && JSON.stringify(flow),
        }),
      )!,
    /** Those at a tap since then whose kegs follow from the time. */
    atTap: (tapId: number, sinceMs: number): readonly PlacedSpill[] =>
      atTap.all(tapId, sinceMs).map((row) => ({
        ...toSpill(row)!,
        parts: parseParts(row.parts),
        flow: toFlow(row.flow),
      })),
    setPlacement: (id: number, { kegId, parts }: SpillPlacement): void =>
      void setPlacement.run({ id, kegId, parts: formatParts(parts) }),
    /** What was spilled from a keg; `isKegNamed` is false where the keg follows from the time. */
    ofKeg: (kegId: number) =>
      ofKeg.all(kegId).map((row) => ({
        id: row.id,
        kegId: row.keg_id,
        volumeMl: row.volume_ml,
        timeMs: row.time_ms,
        isKegNamed: row.is_named === 1,
      })),
    /** When it was, and how it flowed if it was a drink. */
    timeOf(id: number): Pick<PlacedSpill, 'timeMs' | 'flow'> {
      const { time_ms: timeMs, flow } = byId.get(id)!;
      return { timeMs, flow: toFlow(flow) };
    },
    /** The kegs that a spill came from. */
    kegIds: (id: number): readonly number[] => kegIds.all(id),
    /** False when there was none. */
    remove: (id: number): boolean => remove.run(id).changes > 0,
  };
}

const toFlow = (flow: string | null): SpilledFlow | null =>
  flow === null ? null : (JSON.parse(flow) as SpilledFlow);

function toSpill(row: SpillRow | undefined): Spill | null {
  if (row === undefined) return null;
  return {
    id: row.id,
    tapId: row.tap_id,
    kegId: row.keg_id,
    volumeMl: row.volume_ml,
    timeMs: row.time_ms,
  };
}
