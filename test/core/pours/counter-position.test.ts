import { expect, test } from 'vitest';
import type { Moment } from '../../../src/core/clock/moment.ts';
import {
  type CounterPosition,
  isLaterCounter,
  type KeptCounter,
  toKeptCounter,
  toKeptTotal,
} from '../../../src/core/pours/counter-position.ts';

const position: CounterPosition = {
  total: 5_000,
  serialNumber: null,
  boardStartMonoMs: 40_000,
  bootId: 'boot-1',
  atMonoMs: 100_000,
};
const at = (monoMs: number, more: Partial<Moment> = {}): Moment => ({
  monoMs,
  wallMs: 1_000_000 + monoMs,
  synced: true,
  bootId: 'boot-1',
  ...more,
});

test('in the same boot a kept total has the time of its last tick, whatever the wall clock says', () => {
  const kept = toKeptCounter('kegboard.flow0', position, at(100_500, { synced: false }));
  expect(toKeptTotal(kept, at(160_000, { wallMs: 0 }))).toEqual({
    total: 5_000,
    serialNumber: null,
    uptimeMs: 60_000,
    atMonoMs: 100_000,
    isEstimated: false,
  });
});

test('in another boot its time follows from the wall clock, if both times are certain', () => {
  const kept = toKeptCounter('kegboard.flow0', position, at(100_500));
  expect(kept.atWallMs).toBe(1_100_000);
  const later = at(20_000, { bootId: 'boot-2', wallMs: 1_400_000 });
  expect(toKeptTotal(kept, later)).toMatchObject({ atMonoMs: -280_000, isEstimated: true });
  expect(toKeptTotal(kept, { ...later, synced: false }).atMonoMs).toBeNull();
  expect(toKeptTotal(kept, { ...later, wallMs: 900_000 }).atMonoMs).toBeNull();
  const uncertain = toKeptCounter('kegboard.flow0', position, at(100_500, { synced: false }));
  expect(toKeptTotal(uncertain, later).atMonoMs).toBeNull();
});

test('of two kept totals the one of the present boot is later, then the one with the later stamp', () => {
  const kept = (bootId: string, atMonoMs: number, atWallMs: number): KeptCounter => ({
    meter: 'm',
    position: { ...position, bootId, atMonoMs },
    atWallMs,
    isTimeCertain: true,
  });
  expect(isLaterCounter(kept('a', 2, 1), kept('a', 1, 9), 'b')).toBe(true);
  expect(isLaterCounter(kept('a', 1, 9), kept('a', 2, 1), 'b')).toBe(false);
  expect(isLaterCounter(kept('b', 1, 1), kept('a', 9, 9), 'b')).toBe(true);
  expect(isLaterCounter(kept('a', 9, 9), kept('b', 1, 1), 'b')).toBe(false);
  expect(isLaterCounter(kept('a', 1, 9), kept('c', 2, 8), 'b')).toBe(true);
  expect(isLaterCounter(kept('a', 2, 8), kept('c', 1, 9), 'b')).toBe(false);
  // Of two equally late ones the one that comes last is kept, such as a total that a board reports again.
  expect(isLaterCounter(kept('a', 1, 8), kept('a', 1, 9), 'b')).toBe(true);
  expect(isLaterCounter(kept('a', 1, 9), kept('c', 2, 9), 'b')).toBe(true);
});
