import { foamBeerShare } from '../../core/measurement/fresh-foam.ts';
import type { Database } from '../database.ts';
import type { Caches } from '../shared/caches.ts';

/** Valid drinks of one meter; `meter` is null for those whose volume was given, and those that no meter counted. */
export interface MeterTotal {
  readonly meter: string | null;
  readonly pours: number;
  readonly volumeMl: number;
  readonly ticksLost: number;
  readonly foamTicks: number;
  /** Starts, time of flow and ticks of beer of all of them. */
  readonly riseHz: number;
  readonly flowMs: number;
  readonly beerTicks: number;
  /** How many of them ended in gas. */
  readonly endedInGas: number;
  /** When the last of them was poured, Unix milliseconds. */
  readonly untilMs: number;
}

/**
 * SQL: a held pour whose volume may be beer. Those of noise, of a flow that no tap has, and beyond the largest pour are not that much
 * beer in any case.
 */
export const mayBeBeer = `held_reason IN ('unbound_meter', 'simultaneous', 'no_end', 'gas', 'possible_repeat')`;

/** SQL: what the uncertainty of a sum of drinks needs of their starts. */
export const startTotals = `total(rise_hz) AS riseHz, total(flow_ms) AS flowMs,
  total(ticks - gas_ticks - ${1 - foamBeerShare} * foam_ticks) AS beerTicks, count(*) FILTER (WHERE gas_ticks > 0) AS endedInGas`;

/** Totals of a keg up to a drink. */
interface ReadTotals {
  readonly untilId: number;
  readonly totals: readonly MeterTotal[];
}

const nothingRead: ReadTotals = { untilId: 0, totals: [] };

/** Totals of the valid drinks of a keg or session by meter. */
export function meterTotalsTable(db: Database, caches: Caches) {
  const of = (rows: 'drinks WHERE keg_id' | 'keg_drinks WHERE keg_id' | 'drinks WHERE session_id') =>
    db.prepare<[number, untilId: number], MeterTotal>(
      `SELECT iif(volume_given, NULL, meter) AS meter, count(*) AS pours, total(volume_ml) AS volumeMl,
         total(ticks_lost) AS ticksLost, total(iif(volume_given, 0, foam_ticks)) AS foamTicks,
         ${startTotals}, max(pour_time_ms) AS untilMs
       FROM ${rows} = ? AND id > ? AND +is_valid = 1 GROUP BY 1`,
    );
  const [keg, session] = [of('drinks WHERE keg_id'), of('drinks WHERE session_id')];
  // Few kegs have a part of a drink: the view takes longer, and each pour asks.
  const kegWithParts = of('keg_drinks WHERE keg_id');
  const newestId = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM drinks').pluck();
  const hasParts = db
    .prepare<[number], number>(
      `SELECT 1 FROM drinks d INDEXED BY drinks_of_several_kegs, json_each(d.parts) p
       WHERE d.parts IS NOT NULL AND p.value ->> '$.keg_id' = ? LIMIT 1`,
    )
    .pluck();
  const held = db
    .prepare<{ tapId: number | null; sinceMs: number; untilMs: number }, number>(
      `SELECT total(volume_ml) FROM drinks INDEXED BY drinks_held
       WHERE is_valid <> 1 AND is_set_aside = 0 AND ${mayBeBeer} AND pour_time_ms >= @sinceMs AND pour_time_ms <= @untilMs
         AND (@tapId IS NULL OR tap_id = @tapId)`,
    )
    .pluck();
  /** By keg. Recordings only add drinks, so that what was read of a keg stays true until anything else is written. */
  const read = caches.untilChange(() => new Map<number, ReadTotals>());

  function ofKeg(kegId: number): readonly MeterTotal[] {
    const known = read();
    const before = known.get(kegId) ?? nothingRead;
    const untilId = newestId.get()!;
    if (untilId === before.untilId) return before.totals;
    const rows = hasParts.get(kegId) === undefined ? keg : kegWithParts;
    const totals = rows.all(kegId, before.untilId).reduce(addTotal, before.totals);
    // The drinks of an open transaction may be rolled back, and others get their ids.
    if (!db.inTransaction) known.set(kegId, { untilId, totals });
    return totals;
  }

  return {
    ofKeg,
    ofSession: (sessionId: number): readonly MeterTotal[] => session.all(sessionId, 0),
    /** Volume of the held pours that may be beer, of a tap or of all taps in a time span, millilitres. */
    heldMl: (of: {
      readonly tapId: number | null;
      readonly sinceMs: number;
      readonly untilMs: number;
    }): number => held.get(of)!,
  };
}

/** The totals with those of later drinks of one meter. */
function addTotal(totals: readonly MeterTotal[], later: MeterTotal): readonly MeterTotal[] {
  const earlier = totals.find(({ meter }) => meter === later.meter);
  if (earlier === undefined) return [...totals, later];
  const sum: MeterTotal = {
    meter: later.meter,
    pours: earlier.pours + later.pours,
    volumeMl: earlier.volumeMl + later.volumeMl,
    ticksLost: earlier.ticksLost + later.ticksLost,
    foamTicks: earlier.foamTicks + later.foamTicks,
    riseHz: earlier.riseHz + later.riseHz,
    flowMs: earlier.flowMs + later.flowMs,
    beerTicks: earlier.beerTicks + later.beerTicks,
    endedInGas: earlier.endedInGas + later.endedInGas,
    untilMs: Math.max(earlier.untilMs, later.untilMs),
  };
  return totals.map((one) => (one === earlier ? sum : one));
}
