import { AppError } from '../core/app-error.ts';
import type { EventBus } from '../core/event-bus.ts';
import type { MeterPour } from '../core/meter-pour.ts';
import type { IdSource } from '../core/moment.ts';
import { PourCompany } from '../core/pour-company.ts';
import { doubtsOf } from '../core/pour-judgement.ts';
import { createEdgeHistory } from './edge-history.ts';
import {
  type ChannelCounts,
  type ChannelStep,
  createMeterChannel,
  type MeterChannel,
  type MeterSettings,
} from './meter-channel.ts';
import type { PulseInput } from './ports.ts';

export type { MeterSettings } from './meter-channel.ts';

export interface MeterFeedOptions {
  readonly input: Pick<PulseInput, 'drain'>;
  readonly meters: readonly MeterSettings[];
  readonly bus: EventBus;
  readonly ids: IdSource;
  /** The kernel's boot id: the input's stamps belong to it. */
  readonly bootId: string;
  readonly judgement: {
    /** Share of refused edges, 0…1, above which a train is noise. */
    readonly noiseShare: number;
    /** Pours that start and stop within this of each other are one burst; 0 switches the check off. */
    readonly simultaneousMs: number;
  };
  /** Told when a meter's counting breaks; the page hears of it as `health.changed` of part `meter <name>`. */
  readonly onFault: (fault: unknown, meter: string) => void;
}

/** What a feed has seen on its meters. */
export interface FeedSnapshot {
  readonly meters: readonly MeterSnapshot[];
  /** How far the source had looked, and since when edges were kept; null at the first look. */
  readonly untilMonoMs: number;
  readonly sinceMonoMs: number | null;
}

/** One meter as its wiring is judged. */
export interface MeterSnapshot extends ChannelCounts {
  readonly meter: string;
  /** Edges of the last ten seconds, ascending; empty at the first look. */
  readonly stampsMonoMs: Float64Array;
}

const noStamps = new Float64Array(0);

/** Turns the pulses of one source into pours and tells the bus of them. */
export interface MeterFeed {
  /** Drains the source and publishes what happened; called every 50 ms. Throws what the source throws. */
  poll(): void;
  /** Counts one more meter from now on; a known one is left as it is. */
  addMeter(settings: MeterSettings): void;
  /** The pours that run now, for journal and page. */
  running(): readonly MeterPour[];
  /** Goes on with a pour from the journal, before the first beat. Throws `not_found`, or `conflict` while one runs. */
  resume(pour: MeterPour): void;
  /** The edges of the last seconds; they are kept from the first look on, while somebody looks every few seconds. */
  snapshot(): FeedSnapshot;
  /** Takes what still waits and ends the pour that runs on a meter; what flows on is a new one. Others go on. */
  endPour(meter: string): void;
  /** Takes what still waits and ends every pour: the daemon is leaving. Throws what the source throws, after ending all. */
  finishAll(): void;
}

/** A feed owns no timer: it looks at its source when beaten, and only then. */
export function createMeterFeed(options: MeterFeedOptions): MeterFeed {
  const { input, meters, bus, ids, bootId, judgement } = options;
  const channels = meters.map((settings) => createMeterChannel(settings, ids, bootId));
  const simultaneousPours = new PourCompany(judgement);
  const broken = new Set<string>();
  const edgeHistory = createEdgeHistory();

  /** Steps every lane; a fault in one is told and stops no other. */
  function stepAll(stepChannel: (channel: MeterChannel) => ChannelStep[]): void {
    const results = channels.map((channel) => ({
      channel,
      steps: runGuarded(channel, () => stepChannel(channel)) ?? [],
    }));
    // The whole drain must be known before any pour of it is judged: a burst strikes all lines at once.
    for (const { channel, steps } of results) {
      for (const { step } of steps) simultaneousPours.saw(channel.name, step);
    }
    for (const { channel, steps } of results) {
      runGuarded(channel, () => {
        for (const step of steps) publish(channel.name, step);
      });
    }
  }

  function publish(meter: string, { step, details }: ChannelStep): void {
    const { pourId, rejectedEdges, ticksLost } = details;
    switch (step.kind) {
      case 'started':
        bus.publish({ type: 'pour.started', meter, pourId });
        return;
      case 'flowing':
        bus.publish({ type: 'pour.flowing', meter, pourId, ticks: step.ticks });
        return;
      case 'drip':
        bus.publish({ type: 'pour.dripped', meter, pourId, ticks: step.ticks });
        return;
      case 'ended': {
        const { pour } = step;
        const simultaneous = simultaneousPours.isSimultaneous(meter, pour);
        const { ticks, ranOut } = pour;
        const { noiseShare } = judgement;
        const doubts = doubtsOf({ ticks, rejectedEdges, ranOut, simultaneous, noiseShare });
        bus.publish({
          type: 'pour.ended',
          pour: { ...pour, pourId, meter, bootId, rejectedEdges, ticksLost, doubts, recovered: false },
        });
      }
    }
  }

  function runGuarded<T>(channel: MeterChannel, work: () => T): T | null {
    try {
      return work();
    } catch (fault) {
      if (!broken.has(channel.name)) {
        broken.add(channel.name);
        options.onFault(fault, channel.name);
        const problem = `Meter "${channel.name}" could not be counted; the log says why. Restart Tapster and report it.`;
        bus.publish({ type: 'health.changed', part: `meter ${channel.name}`, problem });
      }
      return null;
    }
  }

  function poll(): void {
    const drained = input.drain();
    const { lines, untilMonoMs } = drained;
    edgeHistory.record(drained);
    const batches = new Map(lines.map((batch) => [batch.meter, batch]));
    stepAll((channel) => channel.step(batches.get(channel.name) ?? null, untilMonoMs));
  }

  return {
    poll,

    addMeter(settings) {
      if (channels.some(({ name }) => name === settings.name)) return;
      channels.push(createMeterChannel(settings, ids, bootId));
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
      simultaneousPours.saw(pour.meter, { kind: 'started', startedMonoMs });
      simultaneousPours.saw(pour.meter, { kind: 'flowing', ticks, lastTickMonoMs });
    },

    snapshot() {
      const { stamps, untilMonoMs, sinceMonoMs } = edgeHistory.snapshot();
      const meters = channels.map(({ name, counts }) => ({
        meter: name,
        ...counts,
        stampsMonoMs: stamps.get(name) ?? noStamps,
      }));
      return { meters, untilMonoMs, sinceMonoMs };
    },

    endPour(meter) {
      if (!channels.some(({ name }) => name === meter)) return;
      try {
        poll();
      } finally {
        stepAll((channel) => (channel.name === meter ? channel.finish() : []));
      }
    },

    finishAll() {
      try {
        poll();
      } finally {
        stepAll((channel) => channel.finish());
      }
    },
  };
}
