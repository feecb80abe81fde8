import { foamBeerShare } from '../../core/measurement/fresh-foam.ts';
import type { Database } from '../database.ts';

/** What a meter counted of a keg. */
export interface KegMeasure {
  readonly tapId: number;
  readonly meter: string;
  /** Ticks of beer and foam in its drinks: without gas. */
  readonly ticks: number;
  readonly foamTicks: number;
  /** Drinks that another tap or meter counted, or of which ticks are missing or uncertain. */
  readonly doubtful: number;
  /** Drinks whose ticks are not known: a person, another system or a board without them gave the volume. */
  readonly given: number;
  /** Spilled beer that the meter counted, and that it did not. */
  readonly spilledTicks: number;
  readonly spilledMl: number;
  readonly uncountedSpillMl: number;
}

/** Times after `sinceMs`, up to `untilMs`, Unix milliseconds. */
export interface CountedTimes {
  readonly sinceMs: number;
  readonly untilMs: number;
}

interface CountedSpan extends CountedTimes {
  readonly meter: string;
}

/** What the drinks and spills of a keg tell of the meter of its tap. Reads all of them: for the end of a keg. */
export function kegMeasureTable(db: Database) {
  const mainTap = db.prepare<[number], { tap_id: number; meter: string }>(
    `SELECT tap_id, meter FROM drinks WHERE keg_id = ? AND tap_id IS NOT NULL AND meter IS NOT NULL ORDER BY id DESC LIMIT 1`,
  );
  const drinks = db.prepare<
    { kegId: number; tapId: number } & CountedSpan,
    { ticks: number; foamTicks: number; doubtful: number; given: number }
  >(
    `SELECT total(ticks - gas_ticks) AS ticks, total(foam_ticks) AS foamTicks,
       count(*) FILTER (WHERE source NOT IN ('pin', 'serial', 'device') OR (source = 'device' AND ticks = 0)) AS given,
       -- A board does not tell how many ticks it missed.
       count(*) FILTER (WHERE tap_id IS NOT @tapId OR meter IS NOT @meter OR recovered = 1
         OR (source <> 'device' AND (ticks_lost IS NULL OR ticks_lost > 0))) AS doubtful
     FROM keg_drinks WHERE keg_id = @kegId AND pour_time_ms > @sinceMs AND pour_time_ms <= @untilMs`,
  );
  const drinkTimes = db.prepare<[number], { first: number | null; last: number | null; gas: number | null }>(
    `SELECT min(pour_time_ms) AS first, max(pour_time_ms) AS last, max(iif(gas_ticks > 0, pour_time_ms, NULL)) AS gas
     FROM keg_drinks WHERE keg_id = ?`,
  );
  const kegBefore = db
    .prepare<{ tapId: number; kegId: number; firstMs: number }, number>(
      `SELECT keg_id FROM drinks WHERE tap_id = @tapId AND is_valid = 1 AND pour_time_ms < @firstMs AND keg_id <> @kegId
       ORDER BY pour_time_ms DESC LIMIT 1`,
    )
    .pluck();
  const lastMeters = db
    .prepare<{ tapId: number; untilMs: number }, string | null>(
      `SELECT meter FROM drinks WHERE tap_id = @tapId AND is_valid = 1 AND pour_time_ms <= @untilMs
       ORDER BY pour_time_ms DESC LIMIT 20`,
    )
    .pluck();
  const spills = db.prepare<
    { kegId: number } & CountedSpan,
    { ticks: number; ml: number; uncounted: number; other: number }
  >(
    `SELECT total(ticks) AS ticks, total(volume_ml) AS ml, total(iif(ticks = 0, volume_ml, 0)) AS uncounted,
       count(*) FILTER (WHERE ticks > 0 AND meter IS NOT @meter) AS other
     FROM keg_spills WHERE keg_id = @kegId AND time_ms > @sinceMs AND time_ms <= @untilMs`,
  );
  const held = db
    .prepare<CountedSpan, [count: number, ticks: number]>(
      `SELECT count(*), total(ticks) FROM drinks d WHERE d.is_valid <> 1 AND d.is_valid = 0 AND d.is_set_aside = 0 AND held_reason <> 'gas' AND meter = @meter
         AND pour_time_ms BETWEEN @sinceMs AND @untilMs`,
    )
    .raw();
  const cancelled = db
    .prepare<CountedSpan, number>(
      `SELECT total(drink ->> '$.ticks' - drink ->> '$.gasTicks' - ${1 - foamBeerShare} * (drink ->> '$.foamTicks')) FROM cancelled_pours
       WHERE drink ->> '$.joinedTo' IS NULL AND drink ->> '$.heldReason' IS NOT 'gas' AND drink ->> '$.meter' = @meter AND drink ->> '$.pourTimeMs' BETWEEN @sinceMs AND @untilMs`,
    )
    .pluck();
  const drips = db
    .prepare<{ tapId: number; firstDay: number; lastDay: number }, number>(
      'SELECT total(drip_ticks) FROM tap_losses WHERE tap_id = @tapId AND local_day BETWEEN @firstDay AND @lastDay',
    )
    .pluck();
  const factorChanges = db
    .prepare<{ meterId: string; sinceMs: number; untilMs: number }, number>(
      `SELECT count(*) FROM audit_entries a LEFT JOIN corrections c ON c.id = a.id
       WHERE a.subject_kind = 'flow_meter' AND a.subject_id = @meterId AND a.time_ms > @sinceMs AND a.time_ms < @untilMs
         AND a.action IN ('meter.calibrated', 'flow_meter.changed', 'flow_meter.replaced') AND c.undone_by IS NULL
         AND a.after ->> '$.method' IS NOT 'evidence'
         AND (a.action = 'flow_meter.replaced' OR a.before ->> '$.ticks_per_ml' IS NOT a.after ->> '$.ticks_per_ml'
           OR a.before ->> '$.ticksPerMl' IS NOT a.after ->> '$.ticksPerMl')`,
    )
    .pluck();
  return {
    /** Tap and meter of its newest drink that was counted; null when no meter counted anything of the keg. */
    mainTap(kegId: number): { readonly tapId: number; readonly meter: string } | null {
      const main = mainTap.get(kegId);
      return main === undefined ? null : { tapId: main.tap_id, meter: main.meter };
    },
    /** Times of its first and last drink, and of the last one with gas, Unix milliseconds; null without one. */
    drinkTimes: (kegId: number) => drinkTimes.get(kegId)!,
    /** The keg of which that tap poured before; null for the first one. */
    kegBefore: (tapId: number, kegId: number, firstMs: number): number | null =>
      kegBefore.get({ tapId, kegId, firstMs }) ?? null,
    /** The meters of the tap's newest drinks until then, newest first; without those that no meter counted. */
    lastMeters: (tapId: number, untilMs: number): readonly string[] =>
      lastMeters.all({ tapId, untilMs }).filter((name) => name !== null),
    /** What was counted of the keg in that time. */
    counted(kegId: number, tapId: number, span: CountedSpan): KegMeasure {
      const { meter } = span;
      const counted = drinks.get({ kegId, tapId, ...span })!;
      const spilled = spills.get({ kegId, ...span })!;
      return {
        tapId,
        meter,
        ticks: counted.ticks,
        foamTicks: counted.foamTicks,
        doubtful: counted.doubtful + spilled.other,
        given: counted.given,
        spilledTicks: spilled.ticks,
        spilledMl: spilled.ml,
        uncountedSpillMl: spilled.uncounted,
      };
    },
    /** Pours of the meter that wait for review and may be beer. */
    held(span: CountedSpan): { readonly count: number; readonly ticks: number } {
      const [count, ticks] = held.get(span)!;
      return { count, ticks };
    },
    /** Ticks of beer of drinks that were deleted, as spilled or otherwise. */
    cancelledTicks: (span: CountedSpan): number => cancelled.get(span)!,
    /** Ticks of drips on these days, which are in no drink. */
    dripTicks: (tapId: number, days: { firstDay: number; lastDay: number }): number =>
      drips.get({ tapId, ...days })!,
    /** Times that the meter got another factor, other than one that it had learned, or was replaced. */
    factorChanges: (meterId: number, span: { sinceMs: number; untilMs: number }): number =>
      factorChanges.get({ meterId: String(meterId), ...span })!,
  };
}
