import { type BusEvent, type BusEventOf, createEventBus } from '../../src/core/event-bus.ts';
import type { OpenRate } from '../../src/core/measurement/gas-detector.ts';
import type { EndedPour } from '../../src/core/pours/pour.ts';
import { createMeterFeed } from '../../src/devices/meter-feed.ts';

/** What was published for the edges of one meter. */
interface CountedEdges {
  readonly ended: readonly EndedPour[];
  readonly drips: number;
  /** The reports of gas, with the time at which each was published. */
  readonly gas: readonly (BusEventOf<'pour.gas'> & { readonly atMonoMs: number })[];
}

/** Counts edges as the daemon does, in drains of 50 ms. */
export function countEdges(
  stampsMonoMs: ArrayLike<number>,
  {
    openRate,
    minGapMs = 1.2,
    minTicks = 3,
    certainTicks = 0,
  }: {
    readonly openRate: OpenRate;
    readonly minGapMs?: number;
    readonly minTicks?: number;
    /** Ticks of beer that the keg certainly has left. */
    readonly certainTicks?: number;
  },
): CountedEdges {
  const ended: EndedPour[] = [];
  const gas: CountedEdges['gas'][number][] = [];
  let drips = 0;
  let untilMonoMs = 0;
  let from = 0;
  const bus = createEventBus((fault) => {
    throw fault;
  });
  bus.on('pour.gas', (event) => gas.push({ ...event, atMonoMs: untilMonoMs }));
  bus.on('pour.ended', ({ pour }) => ended.push(pour));
  bus.on('pour.dripped', (_event: BusEvent) => drips++);
  const feed = createMeterFeed({
    input: {
      drain() {
        untilMonoMs += 50;
        const batch: number[] = [];
        while (from < stampsMonoMs.length && stampsMonoMs[from]! <= untilMonoMs)
          batch.push(stampsMonoMs[from++]!);
        const lines = batch.length > 0 ? [{ meter: 'pi.flow0', stampsMonoMs: batch, lost: 0 }] : [];
        return { lines, untilMonoMs };
      },
    },
    meters: [{ name: 'pi.flow0', minGapMs, idleMs: 5_000, minTicks, maxMs: 300_000, hasExactStamps: true }],
    bus,
    ids: { next: () => 'p1' },
    bootId: 'boot-a',
    judgement: { noiseShare: 0.2, simultaneousMs: 20 },
    findFacts: () => ({ minTicks, openRate, certainTicks }),
    onFault: (fault) => {
      throw fault;
    },
  });
  const endMonoMs = (stampsMonoMs[stampsMonoMs.length - 1] ?? 0) + 6_000;
  while (untilMonoMs < endMonoMs) feed.poll();
  return { ended, drips, gas };
}
