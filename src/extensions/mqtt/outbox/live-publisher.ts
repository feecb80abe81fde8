import type { EventBus } from '../../../core/event-bus.ts';
import { exactSeries, type MeterFactor, runningVolumeMl } from '../../../core/measurement/pour-volume.ts';
import type { Engine } from '../../../engine/engine.ts';
import { roundMl } from './bar-payloads.ts';
import type { Connection } from './broker/connection.ts';
import type { Topics } from './topics.ts';

/** Least time between two messages of a tap, milliseconds. Each costs almost a millisecond of processor time. */
const minGapMs = 500;

interface LivePublisherParts {
  readonly engine: () => Engine | null;
  readonly connection: Pick<Connection, 'isConnected' | 'publish'>;
  readonly topics: Topics;
  readonly bus: EventBus;
  readonly nowMonoMs: () => number;
  /** The running pours by full meter name, with the times of their ticks where these are exact. */
  readonly runningPours: () => ReadonlyMap<string, { readonly series?: string }>;
}

interface MeteredTap {
  readonly tapId: number;
  readonly meter: MeterFactor;
}

/** Publishes running pours at QoS 0. Nothing is kept while the broker is away. Returns the function that stops it. */
export function startLivePublisher({
  engine,
  connection,
  topics,
  bus,
  nowMonoMs,
  runningPours,
}: LivePublisherParts): () => void {
  let taps: ReadonlyMap<string, MeteredTap> | null = null;
  const sentAtMs = new Map<string, number>();

  function send(
    meter: string,
    pourId: string,
    ticks: number,
    state: 'flowing' | 'ended',
    endedSeries?: string,
  ): void {
    const open = connection.isConnected ? engine() : null;
    if (open === null) return;
    if (state === 'flowing') {
      const now = nowMonoMs();
      if (now - (sentAtMs.get(meter) ?? Number.NEGATIVE_INFINITY) < minGapMs) return;
      sentAtMs.set(meter, now);
    } else sentAtMs.delete(meter);
    taps ??= meteredTaps(open);
    const tap = taps.get(meter);
    if (tap === undefined) return;
    const series = endedSeries ?? (tap.meter.curve === null ? undefined : runningPours().get(meter)?.series);
    const ml = roundMl(runningVolumeMl(tap.meter, { pourId, ticks, series }));
    const payload = JSON.stringify({ pour_id: pourId, state, ticks, ml });
    connection.publish({ topic: topics.tapLive(tap.tapId), payload, qos: 0, retain: false }).catch(() => {});
  }

  const unsubscribers = [
    bus.on('database.changed', () => {
      taps = null;
    }),
    bus.on('database.replaced', () => {
      taps = null;
    }),
    bus.on('pour.flowing', ({ meter, pourId, ticks }) => send(meter, pourId, ticks, 'flowing')),
    bus.on('pour.ended', ({ pour }) => send(pour.meter, pour.pourId, pour.ticks, 'ended', exactSeries(pour))),
    bus.on('pour.dripped', ({ meter, pourId, ticks }) => send(meter, pourId, ticks, 'ended')),
    bus.on('pour.stopped', ({ meter, pourId, ticks }) => send(meter, pourId, ticks, 'ended')),
  ];
  return () => {
    for (const unsubscribe of unsubscribers) unsubscribe();
  };
}

const meteredTaps = (engine: Engine): ReadonlyMap<string, MeteredTap> =>
  new Map(
    engine.taps
      .list()
      .flatMap(({ tap }) =>
        tap.meter === null ? [] : [[tap.meter.name, { tapId: tap.id, meter: tap.meter }] as const],
      ),
  );
