import { expect, test } from 'vitest';
import {
  canChangeKegState,
  crossesLowMark,
  defaultKegSizeKey,
  kegSizeByKey,
  kegSizes,
  percentFull,
  remainingMl,
} from '../../../src/core/kegs/keg-volume.ts';

const keg = (servedVolumeMl: number, spilledVolumeMl = 0) => ({
  fullVolumeMl: 50_000,
  servedVolumeMl,
  spilledVolumeMl,
});

test('served and spilled volumes both reduce the rest', () => {
  expect(remainingMl(keg(20_000, 5_000))).toBe(25_000);
  expect(percentFull(keg(20_000, 5_000))).toBe(0.5);
});

test('the rest is negative when a keg gave more than its stated volume', () => {
  expect(percentFull(keg(51_000))).toBe(-0.02);
});

test('a keg of no volume is 0 % full', () => {
  expect(percentFull({ fullVolumeMl: 0, servedVolumeMl: 0, spilledVolumeMl: 0 })).toBe(0);
});

test('the drink that takes a 50 L keg to 7.5 L or below is reported once', () => {
  expect(crossesLowMark(keg(42_499), 500, 0.15)).toBe(false);
  expect(crossesLowMark(keg(42_500), 500, 0.15)).toBe(true);
  expect(crossesLowMark(keg(42_800), 500, 0.15)).toBe(true);
  expect(crossesLowMark(keg(43_300), 500, 0.15)).toBe(false);
});

test('a drink of 0 mL, or a keg of no volume, does not cross the mark', () => {
  expect(crossesLowMark(keg(42_500), 0, 0.15)).toBe(false);
  expect(crossesLowMark({ fullVolumeMl: 0, servedVolumeMl: 500, spilledVolumeMl: 0 }, 500, 0.15)).toBe(false);
});

test('a 30 L keg holds 30 litres', () => {
  expect(kegSizeByKey('euro-30-liter')?.volumeMl).toBe(30_000);
});

test('keg sizes are unique and include the default', () => {
  expect(new Set(kegSizes.map((size) => size.id)).size).toBe(11);
  expect(new Set(kegSizes.map((size) => size.key)).size).toBe(11);
  expect(kegSizeByKey(defaultKegSizeKey)?.volumeMl).toBe(58_673.9);
  expect(kegSizeByKey('other')?.volumeMl).toBe(0);
  expect(kegSizeByKey('bathtub')).toBeNull();
});

test('a keg can be tapped, taken off, finished and reactivated; nothing else', () => {
  const states = ['available', 'on_tap', 'finished'] as const;
  const allowed = states.flatMap((from) =>
    states.filter((to) => canChangeKegState(from, to)).map((to) => `${from} → ${to}`),
  );
  expect(allowed).toEqual([
    'available → on_tap',
    'available → finished',
    'on_tap → available',
    'on_tap → finished',
    'finished → available',
    'finished → finished',
  ]);
});
