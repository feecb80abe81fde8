import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readMeterCatalogue } from '../../src/config/meter-catalogue.ts';

test('the SF800 and the FT330 have their calibrations', () => {
  const catalogue = readMeterCatalogue();
  expect(catalogue.get('swissflow-sf800')).toBe(5.4);
  expect(catalogue.get('ft330-rj')).toBe(2.724);
});

test('a damaged entry loses only its own model, a missing catalogue all of them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-meters-'));
  writeFileSync(join(folder, 'good.json'), '{"id": "good", "ticks_per_ml": {"value": 2.2}}');
  writeFileSync(join(folder, 'torn.json'), '{"id": "torn", "ticks_per_');
  writeFileSync(join(folder, 'empty.json'), '{"id": "empty", "ticks_per_ml": {"value": 0}}');
  writeFileSync(join(folder, 'notes.txt'), 'not a meter');
  expect([...readMeterCatalogue(folder)]).toEqual([['good', 2.2]]);
  rmSync(folder, { recursive: true });
  expect(readMeterCatalogue(folder).size).toBe(0);
});
