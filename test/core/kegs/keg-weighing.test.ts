import { describe, expect, test } from 'vitest';
import { toKegDensity } from '../../../src/core/kegs/keg-density.ts';
import { toWeighedRemainder, toWeighedUse } from '../../../src/core/kegs/keg-weighing.ts';
import { toKegUse } from '../../../src/core/measurement/counted-keg.ts';
import { lineDifference } from '../../../src/core/measurement/line-content.ts';

const density = toKegDensity(1.0146);
/** 50 L at 1.0146 kg/L and gas of 3.4 g/L more than air. */
const keg = (weightG: number) => ({
  weightG,
  emptyWeightG: 12_000,
  uEmptyWeightG: 100,
  uBalanceG: 50,
  innerMl: 50_000,
});

describe('a weighed keg', () => {
  test('holds its weight without the empty keg and the gas above the beer', () => {
    // 1.01 kg less per litre of beer that leaves, since gas takes its place.
    expect(toWeighedRemainder(keg(12_170 + 20_200), density).volumeMl).toBeCloseTo(20_000, 6);
    expect(toWeighedRemainder(keg(12_170), density).volumeMl).toBe(0);
    expect(toWeighedRemainder(keg(11_900), density).volumeMl).toBe(0);
  });

  test('is known to what balance, stamp, gas and density leave open', () => {
    const { uMl } = toWeighedRemainder(keg(12_170 + 20_200), density);
    const gas = Math.hypot(50, 100, 50);
    expect(uMl).toBeCloseTo(Math.hypot(gas / 1.01, 20_000 * (Math.hypot(0.001, 0.001) / 1.01)), 6);
  });

  test('needs no empty weight between two weighings', () => {
    const use = toWeighedUse(keg(62_670), keg(12_170), density);
    expect(use.volumeMl).toBeCloseTo(50_000, 6);
    // 0.2 % of 50 L, as by a balance of 50 g and a density that is known to 0.1 %.
    expect(use.uMl / use.volumeMl).toBeCloseTo(0.002, 3);
    expect(toWeighedUse(keg(12_170), keg(62_670), density).volumeMl).toBeLessThan(0);
  });
});

test('beer left a keg from its stated volume or a weighing to another or its end', () => {
  const of = { fullVolumeMl: 50_000, density };
  const [full, half] = [keg(12_170 + 50_500), keg(12_170 + 25_250)];
  expect(toKegUse(of, null, null)).toEqual({ volumeMl: 49_625, uMl: 250, isFromStated: true });
  expect(toKegUse(of, full, null)).toMatchObject({
    volumeMl: expect.closeTo(49_625, 6),
    isFromStated: false,
  });
  expect(toKegUse(of, null, half)).toMatchObject({ volumeMl: expect.closeTo(25_000, 6), isFromStated: true });
  expect(toKegUse(of, full, half)).toMatchObject({
    volumeMl: expect.closeTo(25_000, 6),
    isFromStated: false,
  });
  expect(toKegUse(of, full, half).uMl).toBeLessThan(toKegUse(of, null, half).uMl);
});

describe('the line to the meter', () => {
  const line = { lineVolumeMl: 600, lineToMeterMl: 200 };

  test('adds what the keg before left in it, and keeps what stays in it', () => {
    expect(lineDifference(line, { atStart: 'beer', atEnd: 'gas' }).volumeMl).toBe(200);
    expect(lineDifference(line, { atStart: 'gas', atEnd: 'beer' }).volumeMl).toBe(-200);
    expect(lineDifference(line, { atStart: 'beer', atEnd: 'beer' }).volumeMl).toBe(0);
    expect(lineDifference(line, { atStart: 'unknown', atEnd: 'gas' })).toMatchObject({
      volumeMl: 100,
      uMl: expect.closeTo(Math.hypot(10, 200 * Math.hypot(0.5, 0.1)), 6),
    });
  });

  test('is half of the line where nobody knows the part before the meter', () => {
    const part = lineDifference({ ...line, lineToMeterMl: null }, { atStart: 'beer', atEnd: 'gas' });
    expect(part.volumeMl).toBe(300);
    expect(part.uMl).toBeGreaterThan(600 / Math.sqrt(12));
  });

  test('is only uncertain where its volume is not known', () => {
    const unknown = { lineVolumeMl: null, lineToMeterMl: null };
    expect(lineDifference(unknown, { atStart: 'beer', atEnd: 'gas' })).toEqual({ volumeMl: 0, uMl: 100 });
  });
});
