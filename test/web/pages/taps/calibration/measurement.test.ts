import { expect, test } from 'vitest';
import { formatFineVolume } from '../../../../../src/web/app/format.ts';
import { loadAllTexts } from '../../../../../src/web/locales/locale.ts';
import {
  explainDecimal,
  parseDecimal,
  readMeasurement,
} from '../../../../../src/web/pages/taps/calibration/measurement.ts';

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

/** The measurement or the sentence that refuses it. */
function read(...args: Parameters<typeof readMeasurement>) {
  const typed = readMeasurement(...args);
  return typed.kind === 'measured' ? typed.measurement : typed.kind === 'refused' ? typed.sentence : null;
}

test('reads a jug in the units of the site, or in the unit that was typed', () => {
  expect(read(1_000, '250,5', jug, metric)).toEqual({ ticks: 1_000, volume_ml: 250.5 });
  expect(read(1_000, '0.5 L', jug, metric)).toEqual({ ticks: 1_000, volume_ml: 500 });
  expect(read(1_000, '10', jug, us)).toEqual({ ticks: 1_000, volume_ml: expect.closeTo(295.735, 3) });
  expect(read(1_000, '10 fl oz', jug, us)).toEqual({ ticks: 1_000, volume_ml: expect.closeTo(295.735, 3) });
});

test('answers what is no volume, no weight or no number', () => {
  expect(read(1_000, '', jug, metric)).toBeNull();
  expect(read(1_000, '0', jug, metric)).toBe('The volume must be above 0.');
  expect(read(1_000, 'half', jug, metric)).toMatch(/half/);
  expect(read(1_000, 'half', { ...jug, tool: 'scale' }, metric)).toBe('“half” is not a number.');
  expect(['', '1,012', 'much'].map(explainDecimal)).toEqual([null, null, '“much” is not a number.']);
});

test('sends the weight with gravity, temperature and tare, and leaves out empty fields', () => {
  const scale = { tool: 'scale', gravity: '1,012', temp: '41', tare: '312' } as const;
  expect(read(900, '812 g', scale, us)).toEqual({
    ticks: 900,
    grams: 812,
    final_gravity: 1.012,
    temp_c: 5,
    tare_grams: 312,
  });
  const bare = { tool: 'scale', gravity: '', temp: '', tare: '' } as const;
  expect(read(900, '500', bare, metric)).toEqual({ ticks: 900, grams: 500, tare_grams: 0 });
  expect(read(900, '500', { ...bare, gravity: 'light' }, metric)).toBeNull();
});

test('formats the effect of a calibration to hundredths of a litre', () => {
  expect(formatFineVolume(704, metric)).toMatch(/^0[.,]70\sL$/);
  expect(formatFineVolume(29_574, us)).toMatch(/pint/);
});
