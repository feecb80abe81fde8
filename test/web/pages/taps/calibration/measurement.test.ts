import { expect, test } from 'vitest';
import { formatFineVolume } from '../../../../../src/web/app/format.ts';
import { loadAllTexts } from '../../../../../src/web/locales/locale.ts';
import { parseDecimal, toMeasurement } from '../../../../../src/web/pages/taps/calibration/measurement.ts';

await loadAllTexts();

const metric = { volume_units: 'metric', temperature_units: 'c', time_zone: 'UTC' } as const;
const us = { volume_units: 'us', temperature_units: 'f', time_zone: 'UTC' } as const;
const jug = { tool: 'jug', gravity: '', temp: '', tare: '' } as const;

test('parses a decimal with a comma or a point and rejects other text', () => {
  expect(['250', ' 250,5 ', '1.010', '', 'a lot', '1e999'].map(parseDecimal)).toEqual([
    250,
    250.5,
    1.01,
    null,
    null,
    null,
  ]);
});

test('reads a jug in the units of the site', () => {
  expect(toMeasurement(1_000, '250,5', jug, metric)).toEqual({ ticks: 1_000, volume_ml: 250.5 });
  const ounces = toMeasurement(1_000, '10', jug, us);
  expect(ounces?.volume_ml).toBeCloseTo(295.735, 3);
  expect(toMeasurement(1_000, '0', jug, metric)).toBeNull();
  expect(toMeasurement(1_000, 'half', jug, metric)).toBeNull();
});

test('sends the weight with gravity, temperature and tare, and leaves out empty fields', () => {
  const scale = { tool: 'scale', gravity: '1,012', temp: '41', tare: '312' } as const;
  expect(toMeasurement(900, '812', scale, us)).toEqual({
    ticks: 900,
    grams: 812,
    final_gravity: 1.012,
    temp_c: 5,
    tare_grams: 312,
  });
  const bare = { tool: 'scale', gravity: '', temp: '', tare: '' } as const;
  expect(toMeasurement(900, '500', bare, metric)).toEqual({ ticks: 900, grams: 500, tare_grams: 0 });
});

test('formats the effect of a calibration to hundredths of a litre', () => {
  expect(formatFineVolume(704, metric)).toMatch(/^0[.,]70\sL$/);
  expect(formatFineVolume(29_574, us)).toMatch(/pint/);
});
