import { createEdgeFilter } from '../core/edge-filter.ts';
import type { MeterPour } from '../core/meter-pour.ts';
import type { IdSource } from '../core/moment.ts';
import type { PourStep } from '../core/pour.ts';
import { type PourLimits, PourTracker } from '../core/pour-tracker.ts';
import type { LineBatch } from './ports.ts';

/** One meter as the feed counts it. */
export interface MeterSettings extends PourLimits {
  /** Full meter name, `<controller>.<port>`. */
  readonly name: string;
  /** Edges closer than this to the last counted one are bounce. */
  readonly minGapMs: number;
}

/** What is booked on a pour beside its ticks. */
export interface PourDetails {
  readonly pourId: string;
  readonly rejectedEdges: number;
  readonly ticksLost: number | null;
}

/** A step of one meter's tracker, and the pour it speaks of. */
export interface ChannelStep {
  readonly step: PourStep;
  readonly details: PourDetails;
}

/** What became of all edges of one meter since it is counted. */
export interface ChannelCounts {
  readonly ticks: number;
  /** Refused as bounce. */
  readonly refused: number;
}

/** One meter from edge to pour. */
export interface MeterChannel {
  readonly name: string;
  readonly counts: ChannelCounts;
  /** Takes a drain's edges, `null` for none; an idle pour ends by `untilMonoMs` alone. */
  step(batch: LineBatch | null, untilMonoMs: number): ChannelStep[];
  running(): MeterPour | null;
  resume(pour: MeterPour): void;
  finish(): ChannelStep[];
}

/** Puts filter, tracker and bookkeeping of one meter together. */
export function createMeterChannel(settings: MeterSettings, ids: IdSource, bootId: string): MeterChannel {
  const filter = createEdgeFilter(settings);
  const tracker = new PourTracker(settings);
  let details: PourDetails | null = null;
  let ticks = 0;

  /** One train of edges without a silence in it: what is refused in it belongs to the newest pour. */
  function stepTrain(stamps: ArrayLike<number>, untilMonoMs: number, lost: number | null): ChannelStep[] {
    const rejectedBefore = filter.rejected;
    const accepted = filter.accept(stamps);
    ticks += accepted.length;
    const steps = tracker.step(accepted, untilMonoMs);
    const rejected = filter.rejected - rejectedBefore;
    const newest = steps.findLastIndex((step) => step.kind === 'started');
    if (newest < 0 && details !== null && rejected > 0) {
      details = { ...details, rejectedEdges: details.rejectedEdges + rejected };
    }
    return steps.map((step, i) => {
      if (step.kind === 'started') {
        details = { pourId: ids.next(), rejectedEdges: i === newest ? rejected : 0, ticksLost: lost };
      }
      return withDetails(step);
    });
  }

  function withDetails(step: PourStep): ChannelStep {
    // Only a fault in mid-step leaves a pour without one; the pour is worth more than its paperwork.
    details ??= { pourId: ids.next(), rejectedEdges: 0, ticksLost: null };
    const detailed = { step, details };
    if (step.kind === 'ended' || step.kind === 'drip') details = null;
    return detailed;
  }

  return {
    name: settings.name,

    get counts() {
      return { ticks, refused: filter.rejected };
    },

    step(batch, untilMonoMs) {
      if (batch === null) return stepTrain([], untilMonoMs, 0);
      // A loss cannot be placed inside its batch, so every pour of the batch carries the doubt.
      if (details !== null && batch.lost !== 0)
        details = { ...details, ticksLost: addLost(details.ticksLost, batch.lost) };
      const trains = splitAtSilence(batch.stampsMonoMs, settings.idleMs);
      return trains.flatMap((train, i) => {
        const isLast = i === trains.length - 1;
        return stepTrain(train, isLast ? untilMonoMs : train[train.length - 1]!, batch.lost);
      });
    },

    running() {
      const pour = tracker.checkpoint();
      if (pour === null || details === null) return null;
      return { ...pour, ...details, meter: settings.name, bootId, minTicks: settings.minTicks };
    },

    resume(pour) {
      tracker.resume(pour);
      const { pourId, rejectedEdges, ticksLost } = pour;
      details = { pourId, rejectedEdges, ticksLost };
    },

    finish: () => tracker.finish().map(withDetails),
  };
}

function addLost(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

/** After a stall one batch may hold several pours; parted at its silences, refused edges find their own. */
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
