import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import {
  BoardSchema,
  boards,
  findBoard,
  HeaderSchema,
  headers,
  MeterModelSchema,
} from '../../src/config/hardware-catalogue.ts';
import { modelMinGapMs, readMeterCatalogue, typicalHz } from '../../src/config/meter-catalogue.ts';
import { hardwareDirectory } from '../../src/system/product.ts';

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });

function files(kind: string): string[] {
  return readdirSync(join(hardwareDirectory, kind)).filter((name) => name.endsWith('.json'));
}

function read(kind: string, name: string): { id: string } {
  return JSON.parse(readFileSync(join(hardwareDirectory, kind, name), 'utf8'));
}

describe('the meter catalogue', () => {
  const check = ajv.compile(MeterModelSchema);

  test.each(files('meters'))('%s matches its schema, so every value names its source', (name) => {
    const model = read('meters', name);
    expect(check(model), JSON.stringify(check.errors)).toBe(true);
    expect(`${model.id}.json`).toBe(name);
  });

  test('the FT330-RJ has the calibration that the old controllers use', () => {
    expect(readMeterCatalogue().get('ft330-rj')?.ticksPerMl).toBe(2.724);
  });

  test('the bounce filter passes twice the highest rate of each meter, and gas at twice the usual flow', () => {
    for (const [id, model] of readMeterCatalogue()) {
      const fastestHz = 1_000 / modelMinGapMs(model);
      expect(fastestHz, id).toBeGreaterThanOrEqual(2 * (model.maxHz ?? 0));
      expect(fastestHz, id).toBeGreaterThan(2 * typicalHz(model));
    }
  });

  test('the range, the calibration and the highest rate of a meter fit each other within a fifth', () => {
    for (const [id, { ticksPerMl, maxHz, maxLPerMin }] of readMeterCatalogue()) {
      if (maxHz === null || maxLPerMin === null) continue;
      const ratio = maxHz / ((maxLPerMin / 60) * 1_000 * ticksPerMl);
      expect(Math.abs(ratio - 1), `${id}: ${ratio}`).toBeLessThan(0.2);
    }
  });

  test('the points of a calibration curve ascend', () => {
    for (const [id, { points }] of readMeterCatalogue()) {
      const rates = points.map(({ hz }) => hz);
      expect(rates, id).toEqual(rates.toSorted((a, b) => a - b));
    }
  });
});

describe('the board tables', () => {
  const isBoard = ajv.compile(BoardSchema);
  const isHeader = ajv.compile(HeaderSchema);

  test.each(files('boards'))('%s matches its schema', (name) => {
    const entry = read('boards', name);
    const check = 'pins' in entry ? isHeader : isBoard;
    expect(check(entry), JSON.stringify(check.errors)).toBe(true);
    expect(`${entry.id}.json`).toBe(name);
  });

  test('every board refers to an existing header', () => {
    for (const board of boards().values()) expect(headers().has(board.header)).toBe(true);
  });

  test('the header has 40 different pins and 28 different GPIO lines', () => {
    const pins = headers().get('header-40')!.pins;
    expect(new Set(pins.map((pin) => pin.header_pin)).size).toBe(40);
    const lines = pins.flatMap((pin) => (pin.kind === 'gpio' ? [pin.gpio] : []));
    expect(lines.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 28 }, (_, line) => line));
  });

  test('the profiles use only safe pins for meters and relays', () => {
    const safe = new Set(
      headers()
        .get('header-40')!
        .pins.flatMap((pin) => (pin.kind === 'gpio' && pin.safe ? [pin.gpio] : [])),
    );
    for (const name of files('profiles')) {
      const profile = read('profiles', name) as unknown as {
        meters: { pin: number }[];
        toggles?: { pin: number }[];
      };
      for (const { pin } of [...profile.meters, ...(profile.toggles ?? [])])
        expect(safe, name).toContain(pin);
    }
  });

  test.each([
    ['Raspberry Pi 5 Model B Rev 1.0', 'pi-5'],
    ['Raspberry Pi 4 Model B Rev 1.4', 'pi-4'],
    ['Raspberry Pi 3 Model B Plus Rev 1.3', 'pi-3'],
    ['Raspberry Pi Zero 2 W Rev 1.0', 'pi-zero-2-w'],
    ['Radxa ROCK 3A', undefined],
  ])('%s is found as %s', (model, id) => {
    expect(findBoard(model)?.id).toBe(id);
  });
});

test('the page has a text in every language for the other use of each pin', () => {
  const folder = join(import.meta.dirname, '../../locales');
  const texts = (language: string): Readonly<Record<string, string>> =>
    JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8'));
  const uses = [...headers().values()].flatMap(({ pins }) =>
    pins.flatMap((pin) =>
      pin.kind === 'gpio' && pin.also !== undefined ? [[pin.gpio, pin.also] as const] : [],
    ),
  );
  expect(uses.length).toBeGreaterThan(10);
  for (const [gpio, also] of uses) expect(texts('en')[`pins.also.${gpio}`]).toBe(also);
});
