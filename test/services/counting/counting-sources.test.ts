import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEventBus } from '../../../src/core/event-bus.ts';
import { createMeterFeed } from '../../../src/devices/meter-feed.ts';
import { createSimulatedPins } from '../../../src/devices/simulated/simulated-pins.ts';
import type { CountingSource } from '../../../src/services/counting/counting-source.ts';
import { createCountingRig } from './counting-rig.ts';

let rig: ReturnType<typeof createCountingRig>;
let calls: string[];
beforeEach(() => {
  rig = createCountingRig();
  calls = [];
});
afterEach(() => rig.close());

/** A source without ticks that notes how it is driven. */
function createSource(name: string, change: Partial<CountingSource> = {}): CountingSource {
  const toggles = createSimulatedPins({ meters: [], toggles: [], nowMonoMs: () => 0 });
  const feed = createMeterFeed({
    input: toggles,
    meters: [],
    bus: createEventBus(() => {}),
    ids: { next: () => name },
    bootId: 'boot-1',
    judgement: { noiseShare: 0.2, simultaneousMs: 20 },
    onFault: () => {},
  });
  return {
    feed: { ...feed, finishAll: () => void calls.push(`${name} finished`) },
    toggles,
    thermo: { read: async () => [] },
    meterStatuses: () => [{ meter: `${name}.flow0`, state: 'counting', problem: null }],
    ports: () => [],
    everyHeartbeat: () => void calls.push(`${name} heartbeat`),
    everySecond: () => void calls.push(`${name} second`),
    close: async () => void calls.push(`${name} closed`),
    ...change,
  };
}

test('a source is driven with the pins, and its pours are ended before it is closed', async () => {
  rig.counting.addSource(createSource('left'));
  rig.counting.addSource(createSource('right'));
  rig.heartbeats(50);
  rig.counting.everySecond();
  expect(calls).toEqual(['left heartbeat', 'right heartbeat', 'left second', 'right second']);
  expect(rig.counting.meterStatuses().map(({ meter }) => meter)).toEqual([
    ...['pi.flow0', 'pi.flow1'],
    ...['left.flow0', 'right.flow0'],
  ]);
  calls = [];
  await rig.close();
  expect(calls).toEqual(['left finished', 'right finished', 'left closed', 'right closed']);
  rig = createCountingRig();
});

test('the pins are counted also while a source fails', () => {
  rig.counting.addSource(
    createSource('left', {
      everyHeartbeat() {
        throw new Error('the board has melted');
      },
    }),
  );
  rig.pins.pulse('pi.flow0', 20, 500);
  expect(() => rig.heartbeats(50)).toThrow('melted');
  expect(rig.counting.counts()).toContainEqual(expect.objectContaining({ meter: 'pi.flow0', ticks: 20 }));
});
