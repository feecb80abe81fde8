import type { IdSource } from '../core/clock/moment.ts';
import { areEvenlySpaced } from '../core/measurement/edge-rhythm.ts';
import { omitUndefined } from '../core/omit-undefined.ts';
import type { CounterPosition, CounterReading } from '../core/pours/counter-position.ts';
import { createEdgeFilter } from '../core/pours/edge-filter.ts';
import type { MeterPour } from '../core/pours/meter-pour.ts';
import type { PourFacts, PourStep } from '../core/pours/pour.ts';
import { type PourLimits, PourTracker } from '../core/pours/pour-tracker.ts';
import type { LineBatch } from './device-interfaces.ts';

/** A board's total is an unsigned 32-bit number. */
const counterSize = 2 ** 32;

/** Settings of one meter of a feed. */
export interface MeterSettings extends PourLimits {
  /** Full meter name, `<controller>.<port>`. */
  readonly name: string;
  /** Edges closer than this to the last counted one are bounce. */
  readonly minGapMs: number;
}

/** What is recorded of a pour besides its ticks. */
interface PourDetails {
  readonly pourId: string;
  readonly rejectedEdges: number;
  readonly ticksLost: number | null;
  /** Those of the rejected edges that a wheel made which turns faster than the filter allows. */
  readonly fastEdges: number;
}

/** A step of one meter's tracker, with the details of its pour. */
export interface ChannelStep {
  readonly step: PourStep;
  readonly details: PourDetails;
  /** The board's own total at the end of a pour or drip; absent for GPIO lines. */
  readonly position?: CounterPosition;
}

/** Totals of one meter's edges since counting began. */
export interface ChannelCounts {
  readonly ticks: number;
  /** Edges rejected as bounce. */
  readonly refused: number;
}

/** Turns the edges of one meter into pours. */
export interface MeterChannel {
  readonly name: string;
  /** True where each tick has its own exact stamp. */
  readonly hasExactStamps: boolean;
  readonly counts: ChannelCounts;
  /** Takes the edges of one drain, `null` for none; `untilMonoMs` alone can end an idle pour. */
  step(batch: LineBatch | null, untilMonoMs: number): ChannelStep[];
  running(): MeterPour | null;
  resume(pour: MeterPour): void;
  finish(): ChannelStep[];
}

interface ChannelOptions {
  readonly ids: IdSource;
  /** The kernel's boot id, to which the time stamps belong. */
  readonly bootId: string;
  /** What the database knows of a meter, by its full name; null while it knows nothing. */
  readonly findFacts?: ((meter: string) => PourFacts | null) | undefined;
}

/** Combines edge filter, pour tracker and pour details of one meter. */
export function createMeterChannel(
  settings: MeterSettings,
  { ids, bootId, findFacts }: ChannelOptions,
): MeterChannel {
  const filter = createEdgeFilter(settings);
  const tracker = new PourTracker(settings, () => findFacts?.(settings.name) ?? null);
  let details: PourDetails | null = null;
  let ticks = 0;
  let counter: CounterReading | null = null;
  /** True when ticks may be missing before the next pour: a drip has no record that could say so. */
  let isLossUnknown = false;

  /** Takes one train of edges without a silence: edges rejected in it belong to the newest pour. */
  function stepTrain(stamps: ArrayLike<number>, untilMonoMs: number, lost: number | null): ChannelStep[] {
    const rejectedBefore = filter.rejected;
    const accepted = filter.accept(stamps);
    ticks += accepted.length;
    const rejected = filter.rejected - rejectedBefore;
    // Gas may turn the wheel so fast that every second edge is rejected; bounce is not evenly spaced.
    const fast = rejected > 0 && areEvenlySpaced(stamps) ? rejected : 0;
    const edgesPerTick = fast === 0 ? 1 : stamps.length / Math.max(1, accepted.length);
    const steps = tracker.step(accepted, untilMonoMs, edgesPerTick);
    const newest = steps.findLastIndex((step) => step.kind === 'started');
    if (newest < 0 && details !== null && rejected > 0) {
      const { rejectedEdges, fastEdges } = details;
      details = { ...details, rejectedEdges: rejectedEdges + rejected, fastEdges: fastEdges + fast };
    }
    return steps.map((step, i) => {
      if (step.kind === 'started') {
        const ticksLost = isLossUnknown ? null : lost;
        const [rejectedEdges, fastEdges] = i === newest ? [rejected, fast] : [0, 0];
        details = { pourId: ids.next(), rejectedEdges, ticksLost, fastEdges };
        isLossUnknown = false;
      }
      return withDetails(step);
    });
  }

  function withDetails(step: PourStep): ChannelStep {
    // Only an error in an earlier step leaves a pour without details; record the pour all the same.
    details ??= { pourId: ids.next(), rejectedEdges: 0, ticksLost: null, fastEdges: 0 };
    const detailed = { step, details };
    if (step.kind === 'drip' && counter !== null) isLossUnknown = details.ticksLost === null;
    if (step.kind === 'ended' || step.kind === 'drip') details = null;
    return detailed;
  }

  /** The board's total at a tick after which `later` more ticks were counted. */
  function positionAt(atMonoMs: number, later: number): { readonly position?: CounterPosition } {
    if (counter === null) return {};
    const total = (counter.total - later + counterSize) % counterSize;
    return { position: { ...counter, total, bootId, atMonoMs } };
  }

  /** Adds the board's total to the ends of pours and drips; ticks of later pours are subtracted. */
  function withPositions(steps: readonly ChannelStep[]): ChannelStep[] {
    let later = tracker.running?.ticks ?? 0;
    return steps
      .toReversed()
      .map((one): ChannelStep => {
        const { step } = one;
        if (step.kind !== 'ended' && step.kind !== 'drip') return one;
        const { startedMonoMs, durationMs, ticks: own } = step.kind === 'ended' ? step.pour : step;
        const positioned = { ...one, ...positionAt(startedMonoMs + durationMs, later) };
        later += own;
        return positioned;
      })
      .reverse();
  }

  return {
    name: settings.name,
    hasExactStamps: settings.hasExactStamps ?? false,

    get counts() {
      return { ticks, refused: filter.rejected };
    },

    step(batch, untilMonoMs) {
      if (batch === null) return withPositions(stepTrain([], untilMonoMs, 0));
      counter = batch.counter ?? counter;
      // The position of a loss inside its batch is unknown, so it counts for every pour of the batch.
      if (details !== null && batch.lost !== 0)
        details = { ...details, ticksLost: addLost(details.ticksLost, batch.lost) };
      const trains = splitAtSilence(batch.stampsMonoMs, settings.idleMs);
      const steps = trains.flatMap((train, i) => {
        const isLast = i === trains.length - 1;
        return stepTrain(train, isLast ? untilMonoMs : train[train.length - 1]!, batch.lost);
      });
      return withPositions(steps);
    },

    running() {
      const pour = tracker.checkpoint();
      if (pour === null || details === null) return null;
      const { position } = positionAt(pour.lastTickMonoMs, 0);
      const { fastEdges: _judgedWhileItRuns, ...journaled } = details;
      return {
        ...pour,
        ...journaled,
        ...omitUndefined({ position }),
        meter: settings.name,
        bootId,
        minTicks: tracker.minTicks,
        ...(tracker.minTicksPerS > 0 ? { minTicksPerS: tracker.minTicksPerS } : {}),
      };
    },

    resume(pour) {
      tracker.resume(pour);
      const { pourId, rejectedEdges, ticksLost } = pour;
      details = { pourId, rejectedEdges, ticksLost, fastEdges: 0 };
      counter = pour.position ?? null;
    },

    finish: () => withPositions(tracker.finish().map(withDetails)),
  };
}

function addLost(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

/**
 * Splits a batch at its silences: after a stall it may hold several pours, each with its own rejected edges.
 */
function splitAtSilence(stamps: ArrayLike<number>, idleMs: number): ArrayLike<number>[] {
  const trains: ArrayLike<number>[] = [];
  let from = 0;
  for (let i = 1; i < stamps.length; i++) {
    if (!(stamps[i]! - stamps[i - 1]! > idleMs)) continue;
    trains.push(Array.prototype.slice.call(stamps, from, i));
    from = i;
  }
  trains.push(from === 0 ? stamps : Array.prototype.slice.call(stamps, from));
  return trains;
}
