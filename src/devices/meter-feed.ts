import { AppError } from '../core/app-error.ts';
import type { IdSource } from '../core/clock/moment.ts';
import type { EventBus } from '../core/event-bus.ts';
import type { GasFinding } from '../core/measurement/gas-detector.ts';
import { omitUndefined } from '../core/omit-undefined.ts';
import type { MeterPour } from '../core/pours/meter-pour.ts';
import type { PourFacts } from '../core/pours/pour.ts';
import { findDoubts } from '../core/pours/pour-judgement.ts';
import { SimultaneousPours } from '../core/pours/simultaneous-pours.ts';
import type { LineBatch, PulseInput } from './device-interfaces.ts';
import { createEdgeHistory } from './edge-history.ts';
import {
  type ChannelCounts,
  type ChannelStep,
  createMeterChannel,
  type MeterChannel,
  type MeterSettings,
} from './meter-channel.ts';

export type { MeterSettings } from './meter-channel.ts';

interface MeterFeedOptions {
  readonly input: Pick<PulseInput, 'drain'>;
  readonly meters: readonly MeterSettings[];
  readonly bus: EventBus;
  readonly ids: IdSource;
  /** The kernel's boot id, to which the input's time stamps belong. */
  readonly bootId: string;
  readonly judgement: {
    /** Share of rejected edges, 0…1, above which a pour is judged to be noise. */
    readonly noiseShare: number;
    /** Pours that start and stop within this time of each other are one burst; 0 disables the check. */
    readonly simultaneousMs: number;
  };
  /** What the database knows of a meter, by its full name, asked at the start of each pour. */
  readonly findFacts?: (meter: string) => PourFacts | null;
  /** True when the newest ticks of this meter came although the valve of its tap was shut; default: false. */
  readonly isShut?: (meter: string) => boolean;
  /** Called when counting fails on a meter; `health.changed` of part `meter <name>` is published as well. */
  readonly onFault: (fault: unknown, meter: string) => void;
}

/** Counts and recent edges of all meters of a feed. */
export interface FeedSnapshot {
  readonly meters: readonly MeterSnapshot[];
  /** Up to when the source is complete, and since when edges are kept; null at the first snapshot. */
  readonly untilMonoMs: number;
  readonly sinceMonoMs: number | null;
}

/** Totals of one meter. */
export interface MeterCounts extends ChannelCounts {
  readonly meter: string;
}

/** The data by which one meter's wiring is judged. */
interface MeterSnapshot extends MeterCounts {
  /** Edges of the last ten seconds, ascending; empty at the first snapshot. */
  readonly stampsMonoMs: Float64Array;
}

/** Beer that flows ticks within this time, milliseconds. */
const flowingMs = 500;

const noStamps = new Float64Array(0);

/** Turns the pulses of one source into pours and publishes them on the event bus. */
export interface MeterFeed {
  /** Drains the source and publishes the events; called every 50 ms. Throws the source's error. */
  poll(): void;
  /** Starts counting another meter; does nothing for a known one. */
  addMeter(settings: MeterSettings): void;
  /** Drains the source, ends the meter's running pour and stops counting it; does nothing for an unknown one. */
  removeMeter(meter: string): void;
  /** The running pours, for the pour journal and the web page. */
  running(): readonly MeterPour[];
  /**
   * Continues a pour from the journal; call before the first poll. Throws `not_found`, or `conflict` while
   * one runs.
   */
  resume(pour: MeterPour): void;
  /** The totals of all meters since counting began. */
  counts(): readonly MeterCounts[];
  /**
   * The edges of the last seconds; kept from the first snapshot on, while snapshots follow within a few
   * seconds.
   */
  snapshot(): FeedSnapshot;
  /**
   * Drains the source and ends the running pour of one meter; further flow is a new pour. Other pours
   * continue.
   */
  endPour(meter: string): void;
  /**
   * Drains the source and ends every pour, when the daemon stops. Throws the source's error after ending all.
   */
  finishAll(): void;
}

/** Creates a feed. It has no timer: it reads its source only when polled. */
export function createMeterFeed(options: MeterFeedOptions): MeterFeed {
  const { input, meters, bus, ids, bootId, judgement } = options;
  const channelOptions = { ids, bootId, findFacts: options.findFacts };
  const channels = meters.map((settings) => createMeterChannel(settings, channelOptions));
  /** The pours in which gas was reported, by meter. */
  const gasPours = new Map<string, string>();
  const simultaneousPours = new SimultaneousPours({ ...judgement, isShut: options.isShut });
  const broken = new Set<string>();
  let countedUntilMs = Number.NEGATIVE_INFINITY;
  const edgeHistory = createEdgeHistory();

  /** Steps every channel with what was drained; a fault in one is reported and does not affect the others. */
  function stepAll(
    stepChannel: (channel: MeterChannel) => ChannelStep[],
    drained: ReadonlyMap<string, LineBatch> = new Map(),
  ): void {
    const results = channels.map((channel) => ({
      channel,
      steps: runGuarded(channel, () => stepChannel(channel)) ?? [],
    }));
    // All channels are stepped before any pour is judged: a burst affects all lines at once.
    for (const { channel, steps } of results) {
      for (const { step } of steps) simultaneousPours.observe(channel.name, step);
    }
    if (drained.size > 0) {
      const exact = channels.filter(({ hasExactStamps }) => hasExactStamps);
      simultaneousPours.observeEdges(exact.flatMap(({ name }) => drained.get(name) ?? []));
    }
    for (const { channel, steps } of results) {
      runGuarded(channel, () => {
        for (const step of steps) publish(channel.name, step);
      });
    }
  }

  function publish(meter: string, { step, details, position }: ChannelStep): void {
    const counted = omitUndefined({ position });
    const { pourId, rejectedEdges, ticksLost } = details;
    switch (step.kind) {
      case 'started':
        bus.publish({ type: 'pour.started', meter, pourId });
        return;
      case 'flowing':
        bus.publish({ type: 'pour.flowing', meter, pourId, ticks: step.ticks });
        if (step.gas && !isNoisy({ ...step, rejectedEdges: rejectedEdges - details.fastEdges })) {
          reportGas(meter, pourId, step.gas);
        }
        return;
      case 'drip':
        bus.publish({
          type: 'pour.dripped',
          meter,
          pourId,
          ticks: step.ticks,
          ...(simultaneousPours.isBackFlow(meter, step.startedMonoMs) ? { isBackFlow: true } : {}),
          ...counted,
        });
        return;
      case 'ended': {
        const { pour } = step;
        const simultaneous = simultaneousPours.isSimultaneous(meter, pour, step.isWheel);
        const { ticks, reachedMaxDuration, gas } = pour;
        const doubts = findDoubts({
          ticks,
          reachedMaxDuration,
          simultaneous,
          noiseShare: judgement.noiseShare,
          rejectedEdges: gas?.class === 'gas' ? rejectedEdges - details.fastEdges : rejectedEdges,
          isNoise: step.isNoise ?? false,
        });
        const isNoise = doubts.includes('electrical_noise');
        if (gas?.class === 'gas' && doubts.length === 0) reportGas(meter, pourId, gas);
        gasPours.delete(meter);
        bus.publish({
          type: 'pour.ended',
          pour: {
            ...pour,
            ...(gas && isNoise ? { gas: null } : {}),
            pourId,
            meter,
            bootId,
            rejectedEdges,
            ticksLost,
            doubts,
            recovered: false,
            ...counted,
          },
        });
      }
    }
  }

  const isNoisy = (train: { readonly ticks: number; readonly rejectedEdges: number }): boolean =>
    findDoubts({
      reachedMaxDuration: false,
      simultaneous: false,
      noiseShare: judgement.noiseShare,
      ...train,
    }).length > 0;

  /** Reports gas once in a pour. */
  function reportGas(meter: string, pourId: string, { onsetMs }: GasFinding): void {
    if (gasPours.get(meter) === pourId) return;
    gasPours.set(meter, pourId);
    bus.publish({ type: 'pour.gas', meter, pourId, onsetMs });
  }

  function runGuarded<T>(channel: MeterChannel, work: () => T): T | null {
    try {
      return work();
    } catch (fault) {
      if (!broken.has(channel.name)) {
        broken.add(channel.name);
        options.onFault(fault, channel.name);
        const problem = `Meter "${channel.name}" cannot be counted; the log shows the cause. Restart Tapster and report it.`;
        bus.publish({ type: 'health.changed', part: `meter ${channel.name}`, problem });
      }
      return null;
    }
  }

  function poll(): void {
    const drained = input.drain();
    const { lines, untilMonoMs } = drained;
    countedUntilMs = untilMonoMs;
    edgeHistory.record(drained);
    const batches = new Map(lines.map((batch) => [batch.meter, batch]));
    stepAll((channel) => channel.step(batches.get(channel.name) ?? null, untilMonoMs), batches);
  }

  function endPour(meter: string): void {
    if (!channels.some(({ name }) => name === meter)) return;
    try {
      poll();
    } finally {
      stepAll((channel) => (channel.name === meter ? channel.finish() : []));
    }
  }

  return {
    poll,

    addMeter(settings) {
      if (channels.some(({ name }) => name === settings.name)) return;
      channels.push(createMeterChannel(settings, channelOptions));
    },

    removeMeter(meter) {
      endPour(meter);
      const index = channels.findIndex(({ name }) => name === meter);
      if (index >= 0) channels.splice(index, 1);
      if (broken.delete(meter))
        bus.publish({ type: 'health.changed', part: `meter ${meter}`, problem: null });
    },

    running: () => channels.map((channel) => channel.running()).filter((pour) => pour !== null),

    resume(pour) {
      const channel = channels.find(({ name }) => name === pour.meter);
      if (channel === undefined) throw new AppError('not_found', `There is no meter "${pour.meter}" here.`);
      if (channel.running() !== null) {
        throw new AppError('conflict', `A pour is already running on meter "${pour.meter}".`);
      }
      channel.resume(pour);
      const { startedMonoMs, lastTickMonoMs, ticks } = pour;
      simultaneousPours.observe(pour.meter, { kind: 'started', startedMonoMs });
      simultaneousPours.observe(pour.meter, { kind: 'flowing', ticks, lastTickMonoMs });
      simultaneousPours.cut(pour.meter);
    },

    counts: () => channels.map(({ name, counts }) => ({ meter: name, ...counts })),

    snapshot() {
      const { stamps, untilMonoMs, sinceMonoMs } = edgeHistory.snapshot();
      const meters = channels.map(({ name, counts }) => ({
        meter: name,
        ...counts,
        stampsMonoMs: stamps.get(name) ?? noStamps,
      }));
      return { meters, untilMonoMs, sinceMonoMs };
    },

    endPour,

    finishAll() {
      try {
        poll();
      } finally {
        for (const channel of channels)
          if ((channel.running()?.lastTickMonoMs ?? 0) > countedUntilMs - flowingMs)
            simultaneousPours.cut(channel.name);
        stepAll((channel) => channel.finish());
      }
    },
  };
}
