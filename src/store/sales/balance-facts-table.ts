import type { Database } from '../database.ts';

interface TimeSpan {
  readonly sinceMs: number;
  /** Exclusive. */
  readonly untilMs: number;
}

/** What a balance needs of a drink or held pour. */
export interface PourFact {
  readonly timeMs: number;
  readonly durationMs: number;
  readonly tapId: number | null;
  /** Null: held, or the tap had no keg. */
  readonly beverageId: number | null;
  /** Null: the volume was given, or no meter counted it. */
  readonly meter: string | null;
  readonly volumeMl: number;
  readonly ticksLost: number;
  readonly gasTicks: number;
  readonly isHeld: boolean;
  /** The flow jumped, and it was no gas. */
  readonly isFoamy: boolean;
}

/** Beer that was lost at the tap. */
export interface SpillFact {
  readonly kind: 'spilled' | 'cleaning';
  readonly timeMs: number;
  readonly tapId: number | null;
  readonly beverageId: number | null;
  readonly volumeMl: number;
}

/** What a tap counted on a day that is no drink. */
export interface TapLossFact {
  readonly tapId: number;
  /** Days since 1970 at the bar. */
  readonly localDay: number;
  readonly dripTicks: number;
  readonly gasTicks: number;
}

type PourRow = readonly [
  timeMs: number,
  durationMs: number,
  tapId: number | null,
  kegId: number | null,
  meter: string | null,
  volumeMl: number,
  ticksLost: number | null,
  gasTicks: number,
  isValid: number,
  gasOnsetMs: number | null,
];
type SpillRow = readonly [
  kind: SpillFact['kind'],
  timeMs: number,
  tapId: number | null,
  kegId: number | null,
  volumeMl: number,
];

/** The rows that poured against sold is computed from, by time span. */
export function balanceFactsTable(db: Database) {
  // As arrays: a month has ten thousand rows, and an object for each would take as long as reading them.
  const poured = db
    .prepare<TimeSpan, PourRow>(
      `SELECT pour_time_ms, duration_ms, tap_id, keg_id, iif(volume_given, NULL, meter), volume_ml, ticks_lost, gas_ticks,
         is_valid, gas_onset_ms
       FROM drinks WHERE pour_time_ms >= @sinceMs AND pour_time_ms < @untilMs AND cleaning_id IS NULL ORDER BY pour_time_ms`,
    )
    .raw();
  const spilled = db
    .prepare<TimeSpan, SpillRow>(
      `SELECT iif(cleaning_id IS NULL, 'spilled', 'cleaning'), time_ms, tap_id, keg_id, volume_ml FROM spills
       WHERE time_ms >= @sinceMs AND time_ms < @untilMs ORDER BY time_ms, id`,
    )
    .raw();
  const losses = db.prepare<
    { first: number; last: number },
    { tap_id: number; local_day: number; drip_ticks: number; gas_ticks: number }
  >(
    `SELECT tap_id, local_day, drip_ticks, gas_ticks FROM tap_losses
     WHERE tap_id IN (SELECT id FROM taps) AND local_day BETWEEN @first AND @last`,
  );
  const beverageOf = db.prepare<[number], number>('SELECT beverage_id FROM kegs WHERE id = ?').pluck();
  const formerOf = db.prepare<[number], { until_ms: number; beverage_id: number }>(
    'SELECT until_ms, beverage_id FROM keg_former_beverages WHERE keg_id = ? ORDER BY until_ms',
  );
  const lineTimes = db
    .prepare<TimeSpan, number>(
      `SELECT time_ms FROM sales WHERE time_ms >= @sinceMs AND time_ms < @untilMs AND is_current = 1
       AND kind <> 'training'`,
    )
    .pluck();

  /** Returns a function that finds the beverage of a keg at a time: a merge of beverages keeps those of earlier drinks. */
  function findBeverage() {
    const kegs = new Map<
      number,
      { readonly now: number | null; readonly former: ReturnType<typeof formerOf.all> }
    >();
    return (kegId: number | null, timeMs: number): number | null => {
      if (kegId === null) return null;
      let keg = kegs.get(kegId);
      if (keg === undefined) {
        keg = { now: beverageOf.get(kegId) ?? null, former: formerOf.all(kegId) };
        kegs.set(kegId, keg);
      }
      return keg.former.find(({ until_ms }) => until_ms > timeMs)?.beverage_id ?? keg.now;
    };
  }

  return {
    /** Drinks and held pours, oldest first. What flowed during a cleaning is none: its beer is a spill. */
    poured(span: TimeSpan): readonly PourFact[] {
      const beverageAt = findBeverage();
      return poured.all(span).map((row) => {
        const [timeMs, durationMs, tapId, kegId, meter, volumeMl, ticksLost, gasTicks, isValid, onsetMs] =
          row;
        return {
          timeMs,
          durationMs,
          tapId,
          beverageId: beverageAt(kegId, timeMs),
          meter,
          volumeMl,
          ticksLost: ticksLost ?? 0,
          gasTicks,
          isHeld: isValid === 0,
          isFoamy: onsetMs !== null && gasTicks === 0,
        };
      });
    },
    /** Oldest first. */
    spilled(span: TimeSpan): readonly SpillFact[] {
      const beverageAt = findBeverage();
      return spilled.all(span).map(([kind, timeMs, tapId, kegId, volumeMl]) => ({
        kind,
        timeMs,
        tapId,
        beverageId: beverageAt(kegId, timeMs),
        volumeMl,
      }));
    },
    /** Of the days from `first` to `last`, both included. */
    losses: (first: number, last: number): readonly TapLossFact[] =>
      losses.all({ first, last }).map((row) => ({
        tapId: row.tap_id,
        localDay: row.local_day,
        dripTicks: row.drip_ticks,
        gasTicks: row.gas_ticks,
      })),
    /** Times of all lines of all tills, also of what is no beer. */
    lineTimes: (span: TimeSpan): readonly number[] => lineTimes.all(span),
  };
}
