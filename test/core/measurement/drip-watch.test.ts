import { expect, test } from 'vitest';
import { DripWatch } from '../../../src/core/measurement/drip-watch.ts';

const minuteMs = 60_000;

test('a tap that drips in six of the last twelve windows of ten minutes leaks', () => {
  const watch = new DripWatch();
  for (let i = 0; i < 5; i++) watch.addDrip('pi.flow0', i * 20 * minuteMs);
  expect(watch.leaking(90 * minuteMs)).toEqual([]);
  watch.addDrip('pi.flow0', 100 * minuteMs);
  expect(watch.leaking(101 * minuteMs)).toEqual(['pi.flow0']);
});

test('it leaks no longer two hours after the drips became rare', () => {
  const watch = new DripWatch();
  for (let i = 0; i < 12; i++) watch.addDrip('pi.flow0', i * 10 * minuteMs);
  expect(watch.leaking(115 * minuteMs)).toEqual(['pi.flow0']);
  expect(watch.leaking(190 * minuteMs)).toEqual([]);
});

test('many drips in one window are one', () => {
  const watch = new DripWatch();
  for (let i = 0; i < 500; i++) watch.addDrip('pi.flow0', i * 1_000);
  expect(watch.leaking(9 * minuteMs)).toEqual([]);
});

test('what drips within a minute after a pour, or tops up a glass, is no leak', () => {
  const watch = new DripWatch();
  for (let i = 0; i < 12; i++) {
    watch.addPour('pi.flow0', i * 10 * minuteMs);
    watch.addDrip('pi.flow0', i * 10 * minuteMs + 30_000);
  }
  expect(watch.leaking(115 * minuteMs)).toEqual([]);
});
