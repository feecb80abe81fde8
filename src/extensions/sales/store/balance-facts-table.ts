import type { Database } from '../../../store/database.ts';

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
  /** Null: no meter counted it, or a person or another system gave its volume. */
  readonly meter: string | null;
  /** The volume is not that of the ticks: the board of the meter gave it. */
  readonly isByBoard: boolean;
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
}

type PourRow = readonly [
  timeMs: number,
  durationMs: number,
  tapId: number | null,
  beverageId: number | null,
  meter: string | null,
  volumeMl: number,
  ticksLost: number | null,
  gasTicks: number,
  isValid: number,
  gasOnsetMs: number | null,
  volumeGiven: number,
];
type SpillRow = readonly [
  kind: SpillFact['kind'],
  timeMs: number,
  tapId: number | null,
  beverageId: number | null,
  volumeMl: number,
];

/**
 * The rows that poured against sold is computed from, by time span. A keg is of the beverage that it has now, also in the past:
 * a merge of beverages moves the products of tills for all time, too.
 */
export function balanceFactsTable(db: Database) {
  // As arrays: a month has ten thousand rows, and an object for each would take as long as reading them.
  const poured = db
    .prepare<TimeSpan, PourRow>(
      `SELECT d.pour_time_ms, d.duration_ms, d.tap_id, k.beverage_id, iif(d.volume_given AND d.source <> 'device', NULL, d.meter), d.volume_ml,
         d.ticks_lost, d.gas_ticks, d.is_valid, d.gas_onset_ms, d.volume_given
       FROM keg_drinks d LEFT JOIN kegs k ON k.id = d.keg_id
       WHERE d.pour_time_ms >= @sinceMs AND d.pour_time_ms < @untilMs AND d.is_set_aside = 0 ORDER BY d.pour_time_ms`,
    )
    .raw();
  const spilled = db
    .prepare<TimeSpan, SpillRow>(
      `SELECT coalesce(s.cause, 'spilled'), s.time_ms, s.tap_id, k.beverage_id, s.volume_ml
       FROM keg_spills s LEFT JOIN kegs k ON k.id = s.keg_id
       WHERE s.time_ms >= @sinceMs AND s.time_ms < @untilMs ORDER BY s.time_ms, s.id`,
    )
    .raw();
  const losses = db.prepare<
    { first: number; last: number },
    { tap_id: number; local_day: number; drip_ticks: number }
  >(
    `SELECT tap_id, local_day, drip_ticks FROM tap_losses
     WHERE tap_id IN (SELECT id FROM taps) AND local_day BETWEEN @first AND @last`,
  );
  const lineTimes = db
    .prepare<TimeSpan, number>(
      `SELECT time_ms FROM sales WHERE time_ms >= @sinceMs AND time_ms < @untilMs AND is_current = 1
       AND kind <> 'training'`,
    )
    .pluck();

  return {
    /** Drinks and held pours, oldest first. What flowed during a cleaning is none: its beer is a spill. */
    poured(span: TimeSpan): readonly PourFact[] {
      return poured.all(span).map((row) => {
        const [
          timeMs,
          durationMs,
          tapId,
          beverageId,
          meter,
          volumeMl,
          ticksLost,
          gasTicks,
          isValid,
          onsetMs,
          volumeGiven,
        ] = row;
        return {
          timeMs,
          durationMs,
          tapId,
          beverageId,
          meter,
          isByBoard: meter !== null && volumeGiven === 1,
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
      return spilled.all(span).map(([kind, timeMs, tapId, beverageId, volumeMl]) => ({
        kind,
        timeMs,
        tapId,
        beverageId,
        volumeMl,
      }));
    },
    /** Of the days from `first` to `last`, both included. */
    losses: (first: number, last: number): readonly TapLossFact[] =>
      losses.all({ first, last }).map((row) => ({
        tapId: row.tap_id,
        localDay: row.local_day,
        dripTicks: row.drip_ticks,
      })),
    /** Times of all lines of all tills, also of what is no beer. */
    lineTimes: (span: TimeSpan): readonly number[] => lineTimes.all(span),
  };
}
