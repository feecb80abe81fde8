import { expect, test } from 'vitest';
import {
  canChangeKegState,
  crossesLowMark,
  defaultKegSizeKey,
  kegSizeByKey,
  kegSizes,
  percentFull,
  remainingMl,
} from '../../src/core/keg-volume.ts';

const keg = (servedVolumeMl: number, spilledVolumeMl = 0) => ({
  fullVolumeMl: 50_000,
  servedVolumeMl,
  spilledVolumeMl,
});

test('what was served and what was spilled are both gone', () => {
  expect(remainingMl(keg(20_000, 5_000))).toBe(25_000);
  expect(percentFull(keg(20_000, 5_000))).toBe(0.5);
});

test('a keg may give more than it was said to hold', () => {
  expect(percentFull(keg(51_000))).toBe(-0.02);
});

test('a keg of no volume is empty, not undefined', () => {
  expect(percentFull({ fullVolumeMl: 0, servedVolumeMl: 0, spilledVolumeMl: 0 })).toBe(0);
});

test('the drink that takes a 50 L keg to 7.5 L or below is told once', () => {
  expect(crossesLowMark(keg(42_499), 500, 0.15)).toBe(false);
  expect(crossesLowMark(keg(42_500), 500, 0.15)).toBe(true);
  expect(crossesLowMark(keg(42_800), 500, 0.15)).toBe(true);
  expect(crossesLowMark(keg(43_300), 500, 0.15)).toBe(false);
});

test('a drink of nothing, or from a keg of no volume, runs nothing low', () => {
  expect(crossesLowMark(keg(42_500), 0, 0.15)).toBe(false);
  expect(crossesLowMark({ fullVolumeMl: 0, servedVolumeMl: 500, spilledVolumeMl: 0 }, 500, 0.15)).toBe(false);
});

test('a 30 L keg holds 30 litres', () => {
  expect(kegSizeByKey('euro-30-liter')?.volumeMl).toBe(30_000);
});

test('every keg size is one of its kind, and the usual one is among them', () => {
  expect(new Set(kegSizes.map((size) => size.id)).size).toBe(11);
  expect(new Set(kegSizes.map((size) => size.key)).size).toBe(11);
  expect(kegSizeByKey(defaultKegSizeKey)?.volumeMl).toBe(58_673.9);
  expect(kegSizeByKey('other')?.volumeMl).toBe(0);
  expect(kegSizeByKey('bathtub')).toBeNull();
});

test('a keg is tapped, finished, and perhaps filled again; nothing else', () => {
  const states = ['available', 'on_tap', 'finished'] as const;
  const allowed = states.flatMap((from) =>
    states.filter((to) => canChangeKegState(from, to)).map((to) => `${from} → ${to}`),
  );
  expect(allowed).toEqual([
    'available → on_tap',
    'available → finished',
    'on_tap → finished',
    'finished → available',
    'finished → finished',
  ]);
});
