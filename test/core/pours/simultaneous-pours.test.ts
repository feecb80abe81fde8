import { expect, test } from 'vitest';
import { PourTracker } from '../../../src/core/pours/pour-tracker.ts';
import { SimultaneousPours } from '../../../src/core/pours/simultaneous-pours.ts';

/** Taps whose steps all go to one instance, as in a drain. */
function bar(simultaneousMs = 20) {
  const simultaneous = new SimultaneousPours({ simultaneousMs });
  const taps = new Map<string, PourTracker>();
  const pour = (meter: string, stamps: readonly number[], until: number, idleMs = 5_000) => {
    const tap = taps.get(meter) ?? new PourTracker({ idleMs, minTicks: 3, maxMs: 300_000 });
    taps.set(meter, tap);
    const steps = tap.step(stamps, until);
    for (const step of steps) simultaneous.observe(meter, step);
    return steps.flatMap((step) => (step.kind === 'ended' ? [step.pour] : []));
  };
  return { simultaneous, pour };
}

test('a simultaneous burst on two lines is a pour on neither', () => {
  const { simultaneous, pour } = bar();
  const [left] = pour('pi.flow0', [1_000, 1_004, 1_008], 10_000);
  const [right] = pour('pi.flow1', [1_003, 1_006, 1_012], 10_000);
  expect(simultaneous.isSimultaneous('pi.flow0', left!)).toBe(true);
  expect(simultaneous.isSimultaneous('pi.flow1', right!)).toBe(true);
});

test('a burst too short for a pour on the other line counts too', () => {
  const { simultaneous, pour } = bar();
  pour('pi.flow1', [1_005], 10_000);
  const [left] = pour('pi.flow0', [1_000, 1_004, 1_008], 10_000);
  expect(simultaneous.isSimultaneous('pi.flow0', left!)).toBe(true);
});

test('a drip that comes when another tap is opened or shut is back-flow', () => {
  const { simultaneous, pour } = bar();
  pour('pi.flow0', [10_000, 11_000, 12_000], 12_000);
  pour('pi.flow1', [12_400], 17_500);
  pour('pi.flow0', [], 17_500);
  const isBackFlow = (startedMonoMs: number) => simultaneous.isBackFlow('pi.flow1', startedMonoMs);
  expect([isBackFlow(9_600), isBackFlow(10_400), isBackFlow(12_400)]).toEqual([true, true, true]);
  expect([isBackFlow(9_400), isBackFlow(11_000), isBackFlow(12_600)]).toEqual([false, false, false]);
  // Its own pours say nothing: what drips from a tap after its pour is beer.
  expect(simultaneous.isBackFlow('pi.flow0', 12_000)).toBe(true);
  expect(bar(0).simultaneous.isBackFlow('pi.flow1', 12_000)).toBe(false);
});

test('two pours that start together but stop apart are not simultaneous', () => {
  const { simultaneous, pour } = bar();
  const [left] = pour('pi.flow0', [1_000, 3_000, 5_000], 12_000);
  const [right] = pour('pi.flow1', [1_005, 3_000, 5_900], 12_000);
  expect(simultaneous.isSimultaneous('pi.flow0', left!)).toBe(false);
  expect(simultaneous.isSimultaneous('pi.flow1', right!)).toBe(false);
});

test('two pours that stop together but start apart are not simultaneous', () => {
  const { simultaneous, pour } = bar();
  const [left] = pour('pi.flow0', [1_000, 3_000, 5_000], 12_000);
  pour('pi.flow1', [2_000, 3_000, 5_000], 12_000);
  expect(simultaneous.isSimultaneous('pi.flow0', left!)).toBe(false);
});

test('a line whose longer idle time is still running counts too', () => {
  const { simultaneous, pour } = bar();
  pour('pi.flow1', [1_000, 1_010], 7_000, 60_000);
  const [left] = pour('pi.flow0', [1_002, 1_006, 1_012], 7_000);
  expect(simultaneous.isSimultaneous('pi.flow0', left!)).toBe(true);
});

test('a line that kept pouring after the burst does not count', () => {
  const { simultaneous, pour } = bar();
  pour('pi.flow1', [1_000, 1_010], 1_050, 60_000);
  pour('pi.flow1', [2_000], 7_000, 60_000);
  const [left] = pour('pi.flow0', [1_002, 1_006, 1_012], 7_000);
  expect(simultaneous.isSimultaneous('pi.flow0', left!)).toBe(false);
});

test('a burst counts after its line has started the next pour', () => {
  const { simultaneous, pour } = bar();
  pour('pi.flow1', [1_000, 1_010, 8_000, 8_100, 8_200], 8_200);
  const [left] = pour('pi.flow0', [1_002, 1_006, 1_012], 8_200);
  expect(simultaneous.isSimultaneous('pi.flow0', left!)).toBe(true);
});

test('a burst on a line with a pour from the journal counts too', () => {
  const { simultaneous, pour } = bar();
  const burst = { ticks: 3, startedMonoMs: 1_001, durationMs: 10, series: '0:3', reachedMaxDuration: false };
  simultaneous.observe('pi.flow1', { kind: 'flowing', ticks: 3, lastTickMonoMs: 1_011 });
  simultaneous.observe('pi.flow1', { kind: 'ended', pour: burst });
  const [left] = pour('pi.flow0', [1_002, 1_006, 1_012], 8_200);
  expect(simultaneous.isSimultaneous('pi.flow0', left!)).toBe(true);
});

test('old drips are dropped, so that memory stays bounded', () => {
  const { simultaneous, pour } = bar();
  pour('pi.flow1', [1_000, 1_010], 7_000);
  for (let i = 1; i <= 16; i++) pour('pi.flow1', [i * 10_000], i * 10_000 + 6_000);
  const [left] = pour('pi.flow0', [1_002, 1_006, 1_012], 200_000);
  expect(simultaneous.isSimultaneous('pi.flow0', left!)).toBe(false);
});

test('a tap is not simultaneous with itself', () => {
  const { simultaneous, pour } = bar();
  const [left] = pour('pi.flow0', [1_000, 1_004, 1_008], 10_000);
  expect(simultaneous.isSimultaneous('pi.flow0', left!)).toBe(false);
});

test('zero turns the check off', () => {
  const { simultaneous, pour } = bar(0);
  const [left] = pour('pi.flow0', [1_000, 1_004, 1_008], 10_000);
  pour('pi.flow1', [1_000, 1_004, 1_008], 10_000);
  expect(simultaneous.isSimultaneous('pi.flow0', left!)).toBe(false);
});
