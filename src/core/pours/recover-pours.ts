import type { Moment } from '../clock/moment.ts';
import { omitUndefined } from '../omit-undefined.ts';
import type { CounterPosition } from './counter-position.ts';
import { reachesRate } from './least-rate.ts';
import type { JournaledPour, MeterPour } from './meter-pour.ts';
import type { EndedPour, Pour } from './pour.ts';
import { findDoubts } from './pour-judgement.ts';
import { parseTickSeries, sumTicks } from './tick-series.ts';

/** Result for the pours that the last run left in the journal. */
interface RecoveredPours {
  /** Pours that continue, since their idle time is not over. */
  readonly resumed: readonly MeterPour[];
  /** To be recorded; those that had not ended by themselves are marked recovered. */
  readonly ended: readonly EndedPour[];
  /** To be counted in the meters' lifetime totals. */
  readonly drips: readonly {
    readonly pourId: string;
    readonly meter: string;
    readonly ticks: number;
    readonly position?: CounterPosition;
  }[];
}

/**
 * Processes the journal at start. A pour continues when its stamps are of this boot, its meter still exists
 * and its silence is no longer than the meter's idle time; any other open pour is finished at its last known
 * tick.
 */
export function recoverPours({
  journaled,
  now,
  meters,
  noiseShare,
}: {
  readonly journaled: readonly JournaledPour[];
  readonly now: Moment;
  readonly meters: readonly { readonly name: string; readonly idleMs: number }[];
  /** Share of rejected edges, 0…1, above which the pulses are noise. */
  readonly noiseShare: number;
}): RecoveredPours {
  const resumed: MeterPour[] = [];
  const ended: EndedPour[] = [];
  const drips: RecoveredPours['drips'][number][] = [];
  const resumedMeters = new Set<string>();

  for (const one of journaled) {
    if (one.kind === 'ended') {
      ended.push(withEndTime(one.pour, one.at, now));
      continue;
    }
    const { pour } = one;
    const idleMs = meters.find(({ name }) => name === pour.meter)?.idleMs;
    if (idleMs !== undefined && !resumedMeters.has(pour.meter) && canResume(pour, idleMs, now)) {
      resumedMeters.add(pour.meter);
      // Nothing was counted while the daemon was down, so completeness is no longer proven.
      resumed.push({ ...pour, ticksLost: null });
    } else if (isDrip(pour)) {
      const { pourId, meter, ticks, position } = pour;
      drips.push({ pourId, meter, ticks, ...omitUndefined({ position }) });
    } else {
      ended.push(withEndTime(finishPour(pour, noiseShare), one.at, now));
    }
  }
  return { resumed, ended, drips };
}

function canResume(pour: MeterPour, idleMs: number, now: Moment): boolean {
  if (pour.bootId !== now.bootId) return false;
  const silenceMs = now.monoMs - pour.lastTickMonoMs;
  return silenceMs >= 0 && silenceMs <= idleMs;
}

function isDrip({ ticks, minTicks, minTicksPerS = 0, series }: MeterPour): boolean {
  if (ticks < minTicks) return true;
  const pairs = parseTickSeries(series);
  return pairs !== null && sumTicks(pairs) === ticks && !reachesRate(pairs, minTicksPerS);
}

function finishPour(pour: MeterPour, noiseShare: number): EndedPour {
  const { pourId, meter, bootId, ticks, startedMonoMs, lastTickMonoMs, series, rejectedEdges } = pour;
  const position = omitUndefined({ position: pour.position });
  return {
    pourId,
    meter,
    bootId,
    ticks,
    startedMonoMs,
    durationMs: lastTickMonoMs - startedMonoMs,
    series,
    reachedMaxDuration: false,
    rejectedEdges,
    ticksLost: null,
    doubts: findDoubts({ ticks, rejectedEdges, reachedMaxDuration: false, simultaneous: false, noiseShare }),
    recovered: true,
    ...position,
  };
}

/** Stamps of another boot are not comparable, so such a pour gets the wall time of its checkpoint. */
function withEndTime(pour: EndedPour, at: Moment, now: Moment): EndedPour {
  if (pour.bootId === now.bootId || pour.endedWallMs !== undefined) return pour;
  // A checkpoint from a later boot than the pour's only shows that the pour was earlier.
  const sinceEndMs = at.bootId === pour.bootId ? at.monoMs - endMonoMs(pour) : 0;
  return { ...pour, endedWallMs: Math.round(at.wallMs - sinceEndMs), endedWallSynced: at.synced };
}

function endMonoMs({ startedMonoMs, durationMs }: Pour): number {
  return startedMonoMs + durationMs;
}
