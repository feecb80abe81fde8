import { afterEach, expect, test } from 'vitest';
import { textProblem } from '../../../src/core/health/problems.ts';
import { createCountingRig } from './counting-rig.ts';

let rig: ReturnType<typeof createCountingRig>;
afterEach(() => rig.close());

test('the daemon counts as long as one of its meters does', () => {
  rig = createCountingRig();
  expect(rig.counting.isCounting()).toBe(true);
  rig.faults.push({ name: 'pi.flow0', problem: textProblem('taken') });
  expect(rig.counting.isCounting()).toBe(true);
  rig.faults.push({ name: 'pi.flow1', problem: textProblem('taken') });
  expect(rig.counting.isCounting()).toBe(false);
  rig.faults.pop();
  expect(rig.counting.isCounting()).toBe(true);
});

test('a daemon without meters on pins has nothing to count', () => {
  rig = createCountingRig({ ports: [] });
  expect(rig.counting.isCounting()).toBe(true);
});

test('a running pour of a pin has the times of its ticks, for the curve of its meter', () => {
  rig = createCountingRig();
  rig.pins.pulse('pi.flow0', 100, 100);
  rig.heartbeats(500);
  const { ticks, series } = rig.counting.runningPours().get('pi.flow0')!;
  expect(series!.split(' ').reduce((sum, pair) => sum + Number(pair.split(':')[1]), 0)).toBe(ticks);
  expect(ticks).toBeGreaterThan(40);
});
