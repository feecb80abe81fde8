import { expect, test } from 'vitest';
import { startLivePublisher } from '../../../../src/extensions/mqtt/outbox/live-publisher.ts';
import { createTopics } from '../../../../src/extensions/mqtt/outbox/topics.ts';
import { at, openBar, pour } from '../../../engine/bar.ts';

/** 2 s at 50 ticks per second. */
const series = Array.from({ length: 20 }, (_, i) => `${i * 100}:5`).join(' ');
const curve = { points: [{ hz: 50, ticksPerMl: 0.8 }], offsetTicks: 0 };

test('pours of a meter with a curve have the volume of their rate, those of boards that of the one factor', () => {
  const { engine, bus } = openBar();
  const running = new Map<string, { readonly series?: string }>([['pi.flow0', { series }]]);
  const published: number[] = [];
  let monoMs = 0;
  startLivePublisher({
    bus,
    engine: () => engine,
    topics: createTopics('tapster', 'bar'),
    connection: {
      isConnected: true,
      publish: async ({ payload }) => void published.push((JSON.parse(String(payload)) as { ml: number }).ml),
    },
    nowMonoMs: () => (monoMs += 1_000),
    runningPours: () => running,
  });
  const flow = () => bus.publish({ type: 'pour.flowing', meter: 'pi.flow0', pourId: 'p1', ticks: 100 });
  flow();
  const [meter] = engine.taps.hardware.meters();
  engine.drinks.calibrate(meter!.id, { curve, kegId: null }, at(0));
  flow();
  running.set('pi.flow0', {});
  flow();
  const ended = pour(at(1), { ticks: 100, series });
  bus.publish({ type: 'pour.ended', pour: ended });
  bus.publish({ type: 'pour.ended', pour: { ...ended, unobserved: true } });
  expect(published).toEqual([100, 125, 100, 125, 100]);
});
