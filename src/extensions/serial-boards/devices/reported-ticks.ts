import type { CounterReading, KeptTotal } from '../../../core/pours/counter-position.ts';

/** Most ticks that can have fallen since the board's last look at its counter, 101 ms before the report. */
const maxSinceLook = 84;

/** Ticks that one report added to its meter's total. */
export interface ReportedTicks {
  /** The meter's name on its board: `flow0`. */
  readonly meter: string;
  readonly ticks: number;
  /** When the report was received, kernel-monotonic milliseconds. */
  readonly arrivedMonoMs: number;
  /**
   * False when earlier reports may be missing: the ticks may have occurred at any time since the last report.
   */
  readonly isContinuous: boolean;
  /**
   * `flow`: they continue the flow before the gap. `unobserved`: they fell at unknown times in the gap, and
   * belong to nobody's pour. Absent: the flow that is reported now.
   */
  readonly gap?: 'flow' | 'unobserved';
  /** 0 when the totals prove that no tick is missing and whose they are; null when unknown. */
  readonly lost: 0 | null;
  /** The board's total after these ticks; absent when it is not accepted. */
  readonly counter?: CounterReading;
  /** A change of the total that was rejected as implausible, for the log. */
  readonly jumpedBy?: number;
}

/** The last total of one meter from an earlier run of the daemon. */
export interface KeptMeterTotal extends KeptTotal {
  readonly meter: string;
  /** Until when ticks still belong to the pour that was interrupted; absent when none was. */
  readonly flowUntilMonoMs?: number;
}

/**
 * What the ticks of the first report after a gap belong to; null for the flow that is reported now: so few may
 * all have fallen since the board's last look at its counter.
 */
export function findGap(
  ticks: number,
  arrivedMonoMs: number,
  flowUntilMonoMs: number,
): 'flow' | 'unobserved' | null {
  if (ticks === 0) return null;
  if (arrivedMonoMs <= flowUntilMonoMs) return 'flow';
  return ticks > maxSinceLook ? 'unobserved' : null;
}
