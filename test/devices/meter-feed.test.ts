import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AppError } from '../../src/core/app-error.ts';
import { type BusEvent, createEventBus } from '../../src/core/event-bus.ts';
import type { EndedPour } from '../../src/core/pours/pour.ts';
import type { Drained, LineBatch, PulseInput } from '../../src/devices/device-interfaces.ts';
import { createMeterFeed, type MeterSettings } from '../../src/devices/meter-feed.ts';
import { createSimulatedPins } from '../../src/devices/simulated/simulated-pins.ts';

const plain = { minGapMs: 1.2, idleMs: 5_000, minTicks: 3, maxMs: 300_000 };

/** A pulse source with scripted drains, to produce losses, noise and stalls. */
function createScriptedInput() {
  const drains: Drained[] = [];
  const input: PulseInput = {
    driver: 'scripted',
    description: [],
    faults: [],
    drain: () => drains.shift() ?? { lines: [], untilMonoMs: 0 },
    lines: () => [],
    close: async () => {},
  };
  return {
    input,
    addDrain: (untilMonoMs: number, ...lines: LineBatch[]) => drains.push({ lines, untilMonoMs }),
  };
}

function createFeed(input: PulseInput, meters: readonly MeterSettings[]) {
  const events: BusEvent[] = [];
  const faults: string[] = [];
  const bus = createEventBus((fault) => {
    throw fault;
  });
  for (const type of [
    'pour.started',
    'pour.flowing',
    'pour.ended',
    'pour.dripped',
    'health.changed',
  ] as const) {
    bus.on(type, (event) => events.push(event));
  }
  let id = 0;
  const feed = createMeterFeed({
    input,
    meters,
    bus,
    ids: { next: () => `p${++id}` },
    bootId: 'boot-a',
    judgement: { noiseShare: 0.2, simultaneousMs: 20 },
    onFault: (_fault, meter) => faults.push(meter),
  });
  const ended = (): EndedPour[] =>
    events.flatMap((event) => (event.type === 'pour.ended' ? [event.pour] : []));
  return { feed, events, faults, ended };
}

const every = (gapMs: number, count: number, fromMs: number) =>
  Array.from({ length: count }, (_, i) => fromMs + i * gapMs);

test('a simulated pour starts, flows and ends five seconds after its last tick', () => {
  const clock = { ms: 0 };
  const pins = createSimulatedPins({
    meters: [{ name: 'pi.flow0', pin: 17 }],
    toggles: [],
    nowMonoMs: () => clock.ms,
  });
  const { feed, events } = createFeed(pins, [{ name: 'pi.flow0', ...plain }]);
  pins.pulse('pi.flow0', 11, 100);
  for (clock.ms = 0; clock.ms <= 5_150; clock.ms += 50) feed.poll();
  expect(events).toEqual([
    { type: 'pour.started', meter: 'pi.flow0', pourId: 'p1' },
    { type: 'pour.flowing', meter: 'pi.flow0', pourId: 'p1', ticks: 1 },
    { type: 'pour.flowing', meter: 'pi.flow0', pourId: 'p1', ticks: 6 },
    { type: 'pour.flowing', meter: 'pi.flow0', pourId: 'p1', ticks: 11 },
    {
      type: 'pour.ended',
      pour: {
        pourId: 'p1',
        meter: 'pi.flow0',
        bootId: 'boot-a',
        ticks: 11,
        startedMonoMs: 0,
        durationMs: 100,
        series: '0:10 100:1',
        reachedMaxDuration: false,
        rejectedEdges: 0,
        ticksLost: 0,
        doubts: [],
        recovered: false,
      },
    },
  ]);
});

test('a running pour is listed until it has ended', () => {
  const { input, addDrain } = createScriptedInput();
  const { feed } = createFeed(input, [{ name: 'pi.flow0', ...plain }]);
  addDrain(150, { meter: 'pi.flow0', stampsMonoMs: [100, 110, 110.5, 120], lost: 0 });
  feed.poll();
  expect(feed.running()).toEqual([
    {
      pourId: 'p1',
      meter: 'pi.flow0',
      bootId: 'boot-a',
      ticks: 3,
      minTicks: 3,
      startedMonoMs: 100,
      lastTickMonoMs: 120,
      series: '0:3',
      rejectedEdges: 1,
      ticksLost: 0,
    },
  ]);
  addDrain(5_121);
  feed.poll();
  expect(feed.running()).toEqual([]);
});

test('two ticks are a drip, not a pour', () => {
  const { input, addDrain } = createScriptedInput();
  const { feed, events } = createFeed(input, [{ name: 'pi.flow0', ...plain }]);
  addDrain(10_000, { meter: 'pi.flow0', stampsMonoMs: [100, 400], lost: 0 });
  feed.poll();
  expect(events).toEqual([
    { type: 'pour.started', meter: 'pi.flow0', pourId: 'p1' },
    { type: 'pour.dripped', meter: 'pi.flow0', pourId: 'p1', ticks: 2 },
  ]);
});

test('a pour of a board has the board’s total at its last tick, also when the next pour is in the same drain', () => {
  const { input, addDrain } = createScriptedInput();
  const { feed, ended } = createFeed(input, [{ name: 'kegboard.flow0', ...plain }]);
  const counter = { total: 4, serialNumber: 'KB-1', boardStartMonoMs: 0 };
  addDrain(30_000, {
    meter: 'kegboard.flow0',
    stampsMonoMs: [...every(10, 10, 1_000), ...every(10, 6, 25_000)],
    lost: 0,
    counter,
  });
  feed.poll();
  // The counter has wrapped after the first pour.
  const position = { ...counter, bootId: 'boot-a' };
  expect(ended().map((pour) => pour.position)).toEqual([
    { ...position, total: 2 ** 32 - 2, atMonoMs: 1_090 },
  ]);
  expect(feed.running().map((pour) => pour.position)).toEqual([{ ...position, atMonoMs: 25_050 }]);
});

test('a board’s loss that is unknown passes from a drip to the next pour', () => {
  const { input, addDrain } = createScriptedInput();
  const { feed, ended } = createFeed(input, [{ name: 'kegboard.flow0', ...plain }]);
  const counter = { total: 100, serialNumber: null, boardStartMonoMs: null };
  addDrain(10_000, { meter: 'kegboard.flow0', stampsMonoMs: [100], lost: null, counter });
  addDrain(30_000, { meter: 'kegboard.flow0', stampsMonoMs: every(10, 5, 20_000), lost: 0, counter });
  addDrain(60_000, { meter: 'kegboard.flow0', stampsMonoMs: every(10, 5, 50_000), lost: 0, counter });
  for (let n = 0; n < 3; n++) feed.poll();
  expect(ended().map(({ ticksLost }) => ticksLost)).toEqual([null, 0]);
});

test('after a stall one drain holds three pours, each with its own id and rejected edges', () => {
  const { input, addDrain } = createScriptedInput();
  const { feed, ended } = createFeed(input, [{ name: 'pi.flow0', ...plain }]);
  const bouncing = every(10, 5, 20_000).flatMap((stamp) => [stamp, stamp + 0.3, stamp + 0.6]);
  addDrain(40_000, {
    meter: 'pi.flow0',
    stampsMonoMs: [...every(10, 4, 1_000), ...bouncing, ...every(10, 6, 30_000)],
    lost: 0,
  });
  feed.poll();
  expect(ended().map(({ pourId, ticks, rejectedEdges }) => ({ pourId, ticks, rejectedEdges }))).toEqual([
    { pourId: 'p1', ticks: 4, rejectedEdges: 0 },
    { pourId: 'p2', ticks: 5, rejectedEdges: 10 },
    { pourId: 'p3', ticks: 6, rejectedEdges: 0 },
  ]);
  expect(ended().map(({ doubts }) => doubts)).toEqual([[], ['electrical_noise'], []]);
});

test('lost ticks count for the running pour, not for the next one', () => {
  const { input, addDrain } = createScriptedInput();
  const { feed, ended } = createFeed(input, [{ name: 'pi.flow0', ...plain }]);
  addDrain(1_100, { meter: 'pi.flow0', stampsMonoMs: every(10, 5, 1_000), lost: 2 });
  addDrain(1_200, { meter: 'pi.flow0', stampsMonoMs: [], lost: 3 });
  addDrain(7_000);
  addDrain(7_050, { meter: 'pi.flow0', stampsMonoMs: [], lost: 40 });
  addDrain(8_100, { meter: 'pi.flow0', stampsMonoMs: every(10, 5, 8_000), lost: 0 });
  addDrain(14_000);
  for (let i = 0; i < 6; i++) feed.poll();
  expect(ended().map(({ ticksLost }) => ticksLost)).toEqual([5, 0]);
});

test('once a loss is unknown, the pour’s lost ticks stay unknown', () => {
  const { input, addDrain } = createScriptedInput();
  const { feed, ended } = createFeed(input, [{ name: 'pi.flow0', ...plain }]);
  addDrain(1_100, { meter: 'pi.flow0', stampsMonoMs: every(10, 5, 1_000), lost: null });
  addDrain(1_200, { meter: 'pi.flow0', stampsMonoMs: every(10, 5, 1_110), lost: 1 });
  addDrain(9_000);
  for (let i = 0; i < 3; i++) feed.poll();
  expect(ended().map(({ ticks, ticksLost }) => ({ ticks, ticksLost }))).toEqual([
    { ticks: 10, ticksLost: null },
  ]);
});

test('a burst on two taps is marked simultaneous on both, a real pour at the same time is not', () => {
  const { input, addDrain } = createScriptedInput();
  const meters = ['pi.flow0', 'pi.flow1', 'pi.flow2'].map((name) => ({ name, ...plain }));
  const { feed, ended } = createFeed(input, meters);
  addDrain(
    20_000,
    { meter: 'pi.flow0', stampsMonoMs: every(2, 10, 1_000), lost: 0 },
    { meter: 'pi.flow1', stampsMonoMs: every(2, 10, 1_003), lost: 0 },
    { meter: 'pi.flow2', stampsMonoMs: every(3, 900, 1_000), lost: 0 },
  );
  feed.poll();
  expect(ended().map(({ meter, doubts }) => [meter, doubts])).toEqual([
    ['pi.flow0', ['simultaneous']],
    ['pi.flow1', ['simultaneous']],
    ['pi.flow2', []],
  ]);
});

test('a pour longer than the limit ends with `no_end`, and further flow is a new pour', () => {
  const { input, addDrain } = createScriptedInput();
  const { feed, ended } = createFeed(input, [{ name: 'pi.flow0', ...plain, maxMs: 1_000 }]);
  addDrain(9_000, { meter: 'pi.flow0', stampsMonoMs: every(100, 15, 0), lost: 0 });
  feed.poll();
  expect(ended().map(({ pourId, ticks, doubts }) => [pourId, ticks, doubts])).toEqual([
    ['p1', 10, ['no_end']],
    ['p2', 5, []],
  ]);
});

test('a pour from the journal continues under its id', () => {
  const { input, addDrain } = createScriptedInput();
  const { feed, ended } = createFeed(input, [{ name: 'pi.flow0', ...plain }]);
  const stored = {
    pourId: 'before-the-crash',
    meter: 'pi.flow0',
    bootId: 'boot-a',
    ticks: 40,
    minTicks: 3,
    startedMonoMs: 1_000,
    lastTickMonoMs: 2_000,
    series: '0:40',
    rejectedEdges: 2,
    ticksLost: null,
  };
  feed.resume(stored);
  expect(feed.running()).toEqual([stored]);
  addDrain(3_000, { meter: 'pi.flow0', stampsMonoMs: [2_900, 2_950], lost: 0 });
  addDrain(8_000);
  feed.poll();
  feed.poll();
  expect(ended()).toMatchObject([
    { pourId: 'before-the-crash', ticks: 42, durationMs: 1_950, rejectedEdges: 2, ticksLost: null },
  ]);
});

test('a pour cannot be resumed on a missing meter or while another runs', () => {
  const { input, addDrain } = createScriptedInput();
  const { feed } = createFeed(input, [{ name: 'pi.flow0', ...plain }]);
  addDrain(1_010, { meter: 'pi.flow0', stampsMonoMs: [1_000], lost: 0 });
  feed.poll();
  const pour = feed.running()[0]!;
  const codeOf = (work: () => void) => {
    try {
      work();
    } catch (error) {
      return (error as AppError).code;
    }
    return 'nothing was thrown';
  };
  expect(codeOf(() => feed.resume(pour))).toBe('conflict');
  expect(codeOf(() => feed.resume({ ...pour, meter: 'pi.flow9' }))).toBe('not_found');
});

test('finishAll counts queued edges and ends every pour', () => {
  const { input, addDrain } = createScriptedInput();
  const meters = ['pi.flow0', 'pi.flow1'].map((name) => ({ name, ...plain }));
  const { feed, events, ended } = createFeed(input, meters);
  addDrain(1_050, { meter: 'pi.flow0', stampsMonoMs: every(10, 5, 1_000), lost: 0 });
  feed.poll();
  addDrain(
    1_100,
    { meter: 'pi.flow0', stampsMonoMs: every(10, 5, 1_050), lost: 0 },
    { meter: 'pi.flow1', stampsMonoMs: [1_060], lost: 0 },
  );
  feed.finishAll();
  expect(ended()).toMatchObject([
    { meter: 'pi.flow0', ticks: 10, durationMs: 90, reachedMaxDuration: false },
  ]);
  expect(events.at(-1)).toMatchObject({ type: 'pour.dripped', meter: 'pi.flow1', pourId: 'p2', ticks: 1 });
  expect(feed.running()).toEqual([]);
});

test('finishAll ends the running pour even when the source fails', () => {
  const { input, addDrain } = createScriptedInput();
  let isDead = false;
  const dying: PulseInput = {
    ...input,
    drain: () => {
      if (isDead) throw new Error('the chip is gone');
      return input.drain();
    },
  };
  const { feed, ended } = createFeed(dying, [{ name: 'pi.flow0', ...plain }]);
  addDrain(1_050, { meter: 'pi.flow0', stampsMonoMs: every(10, 5, 1_000), lost: 0 });
  feed.poll();
  isDead = true;
  expect(() => feed.finishAll()).toThrow('the chip is gone');
  expect(ended()).toMatchObject([{ ticks: 5 }]);
});

test('a fault on one meter is reported once and does not affect the others', () => {
  const { input, addDrain } = createScriptedInput();
  const meters = ['pi.flow0', 'pi.flow1'].map((name) => ({ name, ...plain }));
  const { feed, events, faults, ended } = createFeed(input, meters);
  const broken = new Proxy([], {
    get: () => {
      throw new Error('no such memory');
    },
  });
  for (const from of [1_000, 1_100]) {
    addDrain(
      from + 60,
      { meter: 'pi.flow0', stampsMonoMs: broken, lost: 0 },
      { meter: 'pi.flow1', stampsMonoMs: every(10, 5, from), lost: 0 },
    );
  }
  addDrain(9_000);
  for (let i = 0; i < 3; i++) feed.poll();
  expect(faults).toEqual(['pi.flow0']);
  expect(ended()).toMatchObject([{ meter: 'pi.flow1', ticks: 10 }]);
  expect(events.filter(({ type }) => type === 'health.changed')).toMatchObject([{ part: 'meter pi.flow0' }]);
});

test('the pours do not depend on how late and unevenly the pulses are drained', () => {
  const pours = (waits: readonly number[]) => {
    const clock = { ms: 0 };
    const pins = createSimulatedPins({
      meters: [{ name: 'pi.flow0', pin: 17 }],
      toggles: [],
      nowMonoMs: () => clock.ms,
    });
    const { feed, ended } = createFeed(pins, [{ name: 'pi.flow0', ...plain }]);
    pins.pulse('pi.flow0', 500, 350);
    pins.pulse('pi.flow0', 2, 0.15);
    pins.pulse('pi.flow0', 300, 100);
    for (const wait of [...waits, 60_000]) {
      clock.ms += wait;
      feed.poll();
    }
    feed.poll();
    return ended();
  };
  const prompt = pours(Array.from({ length: 600 }, () => 50));
  expect(prompt.map(({ ticks }) => ticks)).toEqual([501, 300]);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 12_000 }), { maxLength: 40 }), (waits) => {
      expect(pours(waits)).toEqual(prompt);
    }),
    { numRuns: 50 },
  );
});

test('endPour splits a pour without losing a tick, and the pour on the other tap continues', () => {
  const { input, addDrain } = createScriptedInput();
  const { feed, events } = createFeed(input, [
    { name: 'pi.flow0', ...plain },
    { name: 'pi.flow1', ...plain },
  ]);
  addDrain(
    1_500,
    { meter: 'pi.flow0', stampsMonoMs: every(10, 50, 1_000), lost: 0 },
    { meter: 'pi.flow1', stampsMonoMs: every(10, 50, 1_000), lost: 0 },
  );
  feed.endPour('pi.flow0');
  feed.endPour('pi.flow9');
  addDrain(1_700, { meter: 'pi.flow0', stampsMonoMs: every(10, 20, 1_500), lost: 0 });
  feed.poll();
  expect(events.filter(({ type }) => type === 'pour.ended')).toMatchObject([
    { pour: { meter: 'pi.flow0', ticks: 50, durationMs: 490 } },
  ]);
  expect(feed.running()).toMatchObject([
    { meter: 'pi.flow0', ticks: 20 },
    { meter: 'pi.flow1', ticks: 50 },
  ]);
});

const cutPour = (meter: string, startedMonoMs: number, lastTickMonoMs: number) => ({
  pourId: meter,
  meter,
  bootId: 'boot-a',
  minTicks: 3,
  rejectedEdges: 0,
  ticksLost: null,
  ticks: 300,
  startedMonoMs,
  lastTickMonoMs,
  series: '0:300',
});

test('pours on two taps that one kill cut are not one burst: it ended them, and a restart had begun them', () => {
  const { input, addDrain } = createScriptedInput();
  const meters = ['pi.flow0', 'pi.flow1'].map((name) => ({ name, ...plain }));
  const { feed, ended } = createFeed(input, meters);
  feed.resume(cutPour('pi.flow0', 1_000, 5_000));
  feed.resume(cutPour('pi.flow1', 1_006, 5_011));
  addDrain(12_000);
  feed.poll();
  expect(ended().map(({ meter, doubts }) => [meter, doubts])).toEqual([
    ['pi.flow0', []],
    ['pi.flow1', []],
  ]);
});

test('the stop of the daemon ends pours on two taps together, but not a burst that was over before', () => {
  const stop = (untilMonoMs: number) => {
    const { input, addDrain } = createScriptedInput();
    const { feed, ended } = createFeed(
      input,
      ['pi.flow0', 'pi.flow1'].map((name) => ({ name, ...plain })),
    );
    addDrain(
      untilMonoMs,
      { meter: 'pi.flow0', stampsMonoMs: every(17, 60, 1_000), lost: 0 },
      { meter: 'pi.flow1', stampsMonoMs: every(16, 64, 1_005), lost: 0 },
    );
    feed.finishAll();
    return ended().flatMap(({ doubts }) => doubts);
  };
  expect(stop(2_050)).toEqual([]);
  expect(stop(4_000)).toEqual(['simultaneous', 'simultaneous']);
});
