import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  defaultOpenHz,
  findRangeFault,
  isTooSmall,
  modelMinGapMs,
  readMeterCatalogue,
  typicalHz,
} from '../../src/config/meter-catalogue.ts';
import { finestTicksPerMl } from '../../src/core/measurement/tap-rate.ts';

const catalogue = readMeterCatalogue();
const find = (id: string) => catalogue.get(id)!;

test('the SF800 and the FT330 have their calibrations', () => {
  expect(find('swissflow-sf800').ticksPerMl).toBe(5.4);
  expect(find('ft330-rj').ticksPerMl).toBe(2.724);
});

test('what the sources of a model do not say is null', () => {
  expect(find('vision-2000')).toEqual({
    ticksPerMl: 2.2,
    maxHz: null,
    minLPerMin: null,
    maxLPerMin: null,
    accuracyPercent: null,
    repeatabilityPercent: null,
    points: [],
  });
  expect(find('gems-ft330-226000')).toMatchObject({
    ticksPerMl: 2.695,
    maxHz: 343,
    minLPerMin: 0.76,
    maxLPerMin: 7.6,
    accuracyPercent: 2,
    repeatabilityPercent: 0.5,
  });
  expect(find('seeed-yf-21').points[0]).toEqual({ hz: 16, ticksPerMl: 0.48 });
});

test('a damaged entry loses only its own model, a missing catalogue all of them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-meters-'));
  writeFileSync(join(folder, 'good.json'), '{"id": "good", "ticks_per_ml": {"value": 2.2}, "max_hz": 7}');
  writeFileSync(join(folder, 'torn.json'), '{"id": "torn", "ticks_per_');
  writeFileSync(join(folder, 'null.json'), 'null');
  writeFileSync(join(folder, 'empty.json'), '{"id": "empty", "ticks_per_ml": {"value": 0}}');
  writeFileSync(join(folder, 'notes.txt'), 'not a meter');
  const read = readMeterCatalogue(folder);
  expect([...read.keys()]).toEqual(['good']);
  expect(read.get('good')).toMatchObject({ ticksPerMl: 2.2, maxHz: null });
  rmSync(folder, { recursive: true });
  expect(readMeterCatalogue(folder).size).toBe(0);
});

test('the bounce limit is 40 % of the shortest gap of the model, 1.2 ms without one', () => {
  expect(modelMinGapMs(find('swissflow-sf800'))).toBe(0.2);
  expect(modelMinGapMs(find('yf-s201'))).toBe(1.78);
  expect(modelMinGapMs(find('vision-2000'))).toBe(1.2);
  expect(modelMinGapMs(undefined)).toBe(1.2);
});

test('the rate that stands in for an open tap is 75 mL/s by the highest factor of the model’s figures', () => {
  expect(defaultOpenHz(find('vision-2000'))).toBeCloseTo(75 * 2.2);
  expect(defaultOpenHz(find('gems-ft330-226000'))).toBeCloseTo(75 * 2.695 * 1.02);
  expect(defaultOpenHz({ ticksPerMl: 2, accuracyPercent: null, points: [{ hz: 90, ticksPerMl: 2.5 }] })).toBe(
    187.5,
  );
});

test('no model is finer than the one that stands in for an unknown meter', () => {
  expect(Math.max(...[...catalogue.values()].map(({ ticksPerMl }) => ticksPerMl))).toBeLessThanOrEqual(
    finestTicksPerMl,
  );
});

test('the usual rate of a tap is 60 mL/s, but not beyond the range of the model', () => {
  expect(typicalHz(find('swissflow-sf800'))).toBeCloseTo(324);
  expect(typicalHz({ ticksPerMl: 2 })).toBe(120);
  expect(typicalHz({ ticksPerMl: 2, maxLPerMin: 1.2 })).toBe(40);
  expect(typicalHz({ ticksPerMl: 2, minLPerMin: 6 })).toBe(200);
});

test('a model that cannot take the usual flow is too small', () => {
  expect([...catalogue].flatMap(([id, model]) => (isTooSmall(model) ? id : []))).toEqual(['digmesa-fhksc']);
});

test('a rate beyond the figures of the model by more than a tenth does not fit', () => {
  const ft330 = find('ft330-rj');
  expect(findRangeFault(ft330, 370)).toBeNull();
  expect(findRangeFault(ft330, 380)).toBe('above');
  // 0.76 L/min are 34.5 Hz.
  expect(findRangeFault(ft330, 32)).toBeNull();
  expect(findRangeFault(ft330, 30)).toBe('below');
  expect(findRangeFault(ft330, 0)).toBeNull();
  expect(findRangeFault(find('vision-2000'), 5_000)).toBeNull();
});
