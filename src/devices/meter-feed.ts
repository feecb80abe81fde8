import { AppError } from '../core/app-error.ts';
import type { EventBus } from '../core/event-bus.ts';
import type { MeterPour } from '../core/meter-pour.ts';
import type { IdSource } from '../core/moment.ts';
import { PourCompany } from '../core/pour-company.ts';
import { doubtsOf } from '../core/pour-judgement.ts';
import {
  createMeterLane,
  type LaneCounts,
  type LaneStep,
  type MeterLane,
  type MeterSettings,
} from './meter-lane.ts';
import type { PulseInput } from './ports.ts';
import { createPulseWatch } from './pulse-watch.ts';

export type { MeterSettings } from './meter-lane.ts';

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
export interface FeedSight {
  readonly meters: readonly MeterSight[];
  /** How far the source had looked, and since when edges were kept; null at the first look. */
  readonly untilMonoMs: number;
  readonly sinceMonoMs: number | null;
}

/** One meter as its wiring is judged. */
export interface MeterSight extends LaneCounts {
  readonly meter: string;
  /** Edges of the last ten seconds, ascending; empty at the first look. */
  readonly stampsMonoMs: Float64Array;
}

const noStamps = new Float64Array(0);

/** Turns the pulses of one source into pours and tells the bus of them. */
export interface MeterFeed {
  /** Drains the source and publishes what happened; called every 50 ms. Throws what the source throws. */
  beat(): void;
  /** Counts one more meter from now on; a known one is left as it is. */
  addMeter(settings: MeterSettings): void;
  /** The pours that run now, for journal and page. */
  running(): readonly MeterPour[];
  /** Goes on with a pour from the journal, before the first beat. Throws `not_found`, or `conflict` while one runs. */
  resume(pour: MeterPour): void;
  /** The edges of the last seconds; they are kept from the first look on, while somebody looks every few seconds. */
  look(): FeedSight;
  /** Takes what still waits and ends the pour that runs on a meter; what flows on is a new one. Others go on. */
  cut(meter: string): void;
  /** Takes what still waits and ends every pour: the daemon is leaving. Throws what the source throws, after ending all. */
  finishAll(): void;
}

/** A feed owns no timer: it looks at its source when beaten, and only then. */
export function createMeterFeed(options: MeterFeedOptions): MeterFeed {
  const { input, meters, bus, ids, bootId, judgement } = options;
  const lanes = meters.map((settings) => createMeterLane(settings, ids, bootId));
  const company = new PourCompany(judgement);
  const broken = new Set<string>();
  const watch = createPulseWatch();

  /** Steps every lane; a fault in one is told and stops no other. */
  function stepAll(stepOf: (lane: MeterLane) => LaneStep[]): void {
    const happened = lanes.map((lane) => ({ lane, steps: guarded(lane, () => stepOf(lane)) ?? [] }));
    // The whole drain must be known before any pour of it is judged: a burst strikes all lines at once.
    for (const { lane, steps } of happened) {
      for (const { step } of steps) company.saw(lane.name, step);
    }
    for (const { lane, steps } of happened) {
      guarded(lane, () => {
        for (const step of steps) publish(lane.name, step);
      });
    }
  }

  function publish(meter: string, { step, booking }: LaneStep): void {
    const { pourId, rejectedEdges, ticksLost } = booking;
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
        const simultaneous = company.isSimultaneous(meter, pour);
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

  function guarded<T>(lane: MeterLane, work: () => T): T | null {
    try {
      return work();
    } catch (fault) {
      if (!broken.has(lane.name)) {
        broken.add(lane.name);
        options.onFault(fault, lane.name);
        const problem = `Meter "${lane.name}" could not be counted; the log says why. Restart Tapster and report it.`;
        bus.publish({ type: 'health.changed', part: `meter ${lane.name}`, problem });
      }
      return null;
    }
  }

  function beat(): void {
    const drained = input.drain();
    const { lines, untilMonoMs } = drained;
    watch.saw(drained);
    const batches = new Map(lines.map((batch) => [batch.meter, batch]));
    stepAll((lane) => lane.step(batches.get(lane.name) ?? null, untilMonoMs));
  }

  return {
    beat,

    addMeter(settings) {
      if (lanes.some(({ name }) => name === settings.name)) return;
      lanes.push(createMeterLane(settings, ids, bootId));
    },

    running: () => lanes.map((lane) => lane.running()).filter((pour) => pour !== null),

    resume(pour) {
      const lane = lanes.find(({ name }) => name === pour.meter);
      if (lane === undefined) throw new AppError('not_found', `There is no meter "${pour.meter}" here.`);
      if (lane.running() !== null) {
        throw new AppError('conflict', `A pour is already running on meter "${pour.meter}".`);
      }
      lane.resume(pour);
      const { startedMonoMs, lastTickMonoMs, ticks } = pour;
      company.saw(pour.meter, { kind: 'started', startedMonoMs });
      company.saw(pour.meter, { kind: 'flowing', ticks, lastTickMonoMs });
    },

    look() {
      const { stamps, untilMonoMs, sinceMonoMs } = watch.look();
      const meters = lanes.map(({ name, counts }) => ({
        meter: name,
        ...counts,
        stampsMonoMs: stamps.get(name) ?? noStamps,
      }));
      return { meters, untilMonoMs, sinceMonoMs };
    },

    cut(meter) {
      if (!lanes.some(({ name }) => name === meter)) return;
      try {
        beat();
      } finally {
        stepAll((lane) => (lane.name === meter ? lane.finish() : []));
      }
    },

    finishAll() {
      try {
        beat();
      } finally {
        stepAll((lane) => lane.finish());
      }
    },
  };
}
