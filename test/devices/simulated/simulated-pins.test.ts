import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AppError } from '../../../src/core/app-error.ts';
import { createSimulatedPins } from '../../../src/devices/simulated/simulated-pins.ts';

function createPins() {
  const clock = { ms: 1_000 };
  const pins = createSimulatedPins({
    meters: [
      { name: 'pi.flow0', pin: 17 },
      { name: 'pi.flow1', pin: 27 },
    ],
    toggles: [{ name: 'pi.relay0', pin: 5 }],
    nowMonoMs: () => clock.ms,
  });
  return { clock, pins };
}

function codeOf(work: () => void): string {
  try {
    work();
  } catch (error) {
    return (error as AppError).code;
  }
  return 'nothing was thrown';
}

test('four pulses at 100 Hz are ten milliseconds apart and never early', () => {
  const { clock, pins } = createPins();
  pins.pulse('pi.flow0', 4, 100);
  expect(pins.drain()).toEqual({
    lines: [{ meter: 'pi.flow0', stampsMonoMs: [1_000], lost: 0 }],
    untilMonoMs: 1_000,
  });
  clock.ms = 1_025;
  expect(pins.drain().lines[0]?.stampsMonoMs).toEqual([1_010, 1_020]);
  clock.ms = 1_029;
  expect(pins.drain()).toEqual({ lines: [], untilMonoMs: 1_029 });
  clock.ms = 9_000;
  expect(pins.drain().lines[0]?.stampsMonoMs).toEqual([1_030]);
});

test('a second pour on the same tap waits for the first, another tap starts at once', () => {
  const { clock, pins } = createPins();
  pins.pulse('pi.flow0', 2, 10);
  pins.pulse('pi.flow0', 2, 100);
  pins.pulse('pi.flow1', 1, 10);
  clock.ms = 5_000;
  expect(pins.drain().lines).toEqual([
    { meter: 'pi.flow0', stampsMonoMs: [1_000, 1_100, 1_200, 1_210], lost: 0 },
    { meter: 'pi.flow1', stampsMonoMs: [1_000], lost: 0 },
  ]);
});

test('a pour has its own times, and the next one waits for its end', () => {
  const { clock, pins } = createPins();
  pins.pour('pi.flow0', Float64Array.of(5, 20, 90), 200);
  pins.pulse('pi.flow0', 1, 10);
  clock.ms = 1_026;
  expect(pins.lines()[0]).toMatchObject({ level: 0 });
  clock.ms = 1_060;
  expect(pins.lines()[0]).toMatchObject({ level: 1 });
  expect(pins.drain().lines[0]?.stampsMonoMs).toEqual([1_005, 1_020]);
  clock.ms = 5_000;
  expect(pins.drain().lines[0]?.stampsMonoMs).toEqual([1_090, 1_200]);
  expect(codeOf(() => pins.pour('pi.flow9', [], 0))).toBe('not_found');
  expect(codeOf(() => pins.pour('pi.flow0', [], 3_600_001))).toBe('invalid_request');
});

test('a pour requested later starts now, not where the last one ended', () => {
  const { clock, pins } = createPins();
  pins.pulse('pi.flow0', 2, 10);
  clock.ms = 60_000;
  pins.pulse('pi.flow0', 1, 10);
  expect(pins.drain().lines[0]?.stampsMonoMs).toEqual([1_000, 1_100, 60_000]);
});

test('all pulses arrive in order and none before its time, however they are drained', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ ticks: fc.integer({ min: 1, max: 60 }), hz: fc.integer({ min: 1, max: 900 }) }), {
        minLength: 1,
        maxLength: 8,
      }),
      fc.array(fc.integer({ min: 0, max: 9_000 }), { maxLength: 30 }),
      (scripts, waits) => {
        const { clock, pins } = createPins();
        for (const { ticks, hz } of scripts) pins.pulse('pi.flow0', ticks, hz);
        const stamps: number[] = [];
        for (const wait of [...waits, 1_000_000]) {
          clock.ms += wait;
          const drained = [...((pins.drain().lines[0]?.stampsMonoMs as number[] | undefined) ?? [])];
          expect(drained.every((stamp) => stamp <= clock.ms)).toBe(true);
          stamps.push(...drained);
        }
        expect(stamps).toHaveLength(scripts.reduce((sum, { ticks }) => sum + ticks, 0));
        expect(stamps).toEqual(stamps.toSorted((a, b) => a - b));
      },
    ),
  );
});

test('an unknown meter, half a tick and too fast a flow are rejected with the reason', () => {
  const { pins } = createPins();
  expect(codeOf(() => pins.pulse('pi.flow9', 10, 100))).toBe('not_found');
  expect(codeOf(() => pins.pulse('pi.flow0', 1.5, 100))).toBe('invalid_request');
  expect(codeOf(() => pins.pulse('pi.flow0', 0, 100))).toBe('invalid_request');
  expect(codeOf(() => pins.pulse('pi.flow0', 100_001, 100))).toBe('invalid_request');
  expect(codeOf(() => pins.pulse('pi.flow0', 10, Number.NaN))).toBe('invalid_request');
  expect(codeOf(() => pins.pulse('pi.flow0', 10, 10_001))).toBe('invalid_request');
  expect(codeOf(() => pins.pulse('pi.flow0', 100_000, 1))).toBe('invalid_request');
  expect(pins.drain().lines).toEqual([]);
});

test('eight pours may be queued on a tap, the ninth is rejected until one has ended', () => {
  const { clock, pins } = createPins();
  for (let i = 0; i < 8; i++) pins.pulse('pi.flow0', 100, 100);
  expect(codeOf(() => pins.pulse('pi.flow0', 100, 100))).toBe('too_many');
  clock.ms += 1_000;
  pins.drain();
  pins.pulse('pi.flow0', 100, 100);
});

test('lines report the edges received, and no losses', () => {
  const { clock, pins } = createPins();
  pins.pulse('pi.flow1', 7, 100);
  clock.ms += 1_000;
  pins.drain();
  expect(pins.lines()).toEqual([
    { name: 'pi.flow0', pin: 17, received: 0, lost: 0, level: 1 },
    { name: 'pi.flow1', pin: 27, received: 7, lost: 0, level: 1 },
  ]);
});

test('a relay shuts by itself after its time limit', () => {
  const { clock, pins } = createPins();
  expect(pins.isOpen('pi.relay0')).toBe(false);
  pins.open('pi.relay0', { maxMs: 1_500 });
  expect(pins.isOpen('pi.relay0')).toBe(true);
  clock.ms += 1_499;
  pins.heartbeat();
  expect(pins.isOpen('pi.relay0')).toBe(true);
  clock.ms += 1;
  expect(pins.isOpen('pi.relay0')).toBe(false);
});

test('two seconds without a heartbeat shut every relay, and a late heartbeat does not reopen it', () => {
  const { clock, pins } = createPins();
  pins.open('pi.relay0', { maxMs: 60_000 });
  clock.ms += 1_900;
  pins.heartbeat();
  clock.ms += 1_900;
  expect(pins.isOpen('pi.relay0')).toBe(true);
  clock.ms += 200;
  pins.heartbeat();
  expect(pins.isOpen('pi.relay0')).toBe(false);
});

test('a relay limited to ten ticks shuts at the tenth, regardless of other taps', () => {
  const { clock, pins } = createPins();
  pins.open('pi.relay0', { maxMs: 60_000, meter: 'pi.flow0', maxTicks: 10 });
  pins.pulse('pi.flow1', 50, 1_000);
  pins.pulse('pi.flow0', 10, 100);
  clock.ms += 89;
  pins.drain();
  expect(pins.isOpen('pi.relay0')).toBe(true);
  clock.ms += 1;
  pins.drain();
  expect(pins.isOpen('pi.relay0')).toBe(false);
});

test('a relay without a valid limit, or an unknown one, does not open', async () => {
  const { pins } = createPins();
  expect(codeOf(() => pins.open('pi.relay0', { maxMs: Number.POSITIVE_INFINITY }))).toBe('invalid_request');
  expect(codeOf(() => pins.open('pi.relay0', { maxMs: 0 }))).toBe('invalid_request');
  expect(codeOf(() => pins.open('pi.relay0', { maxMs: 10, maxTicks: 5 }))).toBe('invalid_request');
  expect(codeOf(() => pins.open('pi.relay0', { maxMs: 10, meter: 'pi.flow7', maxTicks: 5 }))).toBe(
    'not_found',
  );
  expect(codeOf(() => pins.open('pi.relay1', { maxMs: 10 }))).toBe('not_found');
  expect(pins.isOpen('pi.relay0')).toBe(false);
  pins.open('pi.relay0', { maxMs: 1_000 });
  await pins.close();
  expect(pins.isOpen('pi.relay0')).toBe(false);
});
