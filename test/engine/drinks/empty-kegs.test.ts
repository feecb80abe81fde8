import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { AppError } from '../../../src/core/app-error.ts';
import { at, minute, openBar, openingMs, pour } from '../bar.ts';

const gas = { class: 'gas', onsetMs: 2_000, ticks: 450, ratio: 2 } as const;

/** A bar in which 120 mL of beer and then gas came out of the left tap, two minutes after opening. */
function openBarWithGas(file?: string) {
  const bar = openBar(file);
  const ended = at(2 * minute);
  const drink = bar.engine.pours.record(pour(ended, { ticks: 570, gas }), 'pin', ended);
  return { ...bar, drink };
}

test('gas asks staff whether the keg is empty', () => {
  const { engine, left } = openBarWithGas();
  expect([...engine.emptyKegs.all()]).toEqual([[left.id, openingMs + 2 * minute]]);
});

test('yes ends the keg at the time when the gas came; undo puts it back', () => {
  const { engine, left, keg } = openBarWithGas();
  engine.emptyKegs.confirm(left.id, at(30 * minute));
  expect(engine.kegs.get(keg.id)).toMatchObject({
    state: 'finished',
    finishedTimeMs: openingMs + 2 * minute,
    servedVolumeMl: 120,
  });
  expect(engine.emptyKegs.all().size).toBe(0);
  expect(engine.checkDatabase()).toEqual([]);
});

test('no counts the gas as beer after all, and learns the rate again', () => {
  const { engine, left, keg, drink } = openBarWithGas();
  engine.emptyKegs.deny(left.id, at(5 * minute));
  expect(engine.drinks.get(drink.id)?.drink).toMatchObject({ gasTicks: 0, gasOnsetMs: null, volumeMl: 570 });
  expect(engine.kegs.get(keg.id)).toMatchObject({ state: 'on_tap', servedVolumeMl: 570 });
  expect(engine.emptyKegs.all().size).toBe(0);
  engine.drinks.undo(drink.id, {}, at(6 * minute));
  expect(engine.drinks.get(drink.id)?.drink).toMatchObject({ gasTicks: 450, volumeMl: 120 });
  expect(engine.checkDatabase()).toEqual([]);
});

test('beer that staff said is no gas is not taken for gas again before ten pours', () => {
  const { engine, left } = openBar();
  // 2 s half open, then 120 mL/s: far above the default of 75.
  const fast = [
    ...Array.from({ length: 20 }, (_, i) => `${i * 100}:6`),
    ...Array.from({ length: 30 }, (_, i) => `${2_000 + i * 100}:12`),
  ].join(' ');
  const record = (minutes: number) => {
    const ended = at(minutes * minute);
    const one = pour(ended, { ticks: 480, durationMs: 5_000, series: fast, recovered: false });
    return engine.pours.record({ ...one, gas: undefined } as never, 'pin', ended);
  };
  expect(record(2).gasTicks).toBeGreaterThan(300);
  engine.emptyKegs.deny(left.id, at(5 * minute));
  expect(record(6).gasTicks).toBe(0);
});

test('an answer that cannot be stored whole changes nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-empty-kegs-'));
  const file = join(folder, 'tapster.db');
  const { engine, store, left, keg, drink } = openBarWithGas(file);
  onTestFinished(() => {
    store.close();
    rmSync(folder, { recursive: true });
  });
  const other = new Database(file);
  other.exec(
    "CREATE TRIGGER refuse BEFORE DELETE ON suspected_empty_kegs BEGIN SELECT RAISE(ABORT, 'refused'); END",
  );
  other.close();
  expect(() => engine.emptyKegs.deny(left.id, at(5 * minute))).toThrowError('refused');
  expect(() => engine.emptyKegs.confirm(left.id, at(5 * minute))).toThrowError('refused');
  expect(engine.drinks.get(drink.id)?.drink).toMatchObject({ gasTicks: 450, volumeMl: 120 });
  expect(engine.kegs.get(keg.id)?.state).toBe('on_tap');
  expect(engine.emptyKegs.all().size).toBe(1);
});

test('no answer is needed once the keg was ended otherwise', () => {
  const { engine, left } = openBarWithGas();
  engine.kegs.endOnTap(left.id, at(3 * minute));
  expect(engine.emptyKegs.all().size).toBe(0);
  engine.emptyKegs.deny(left.id, at(4 * minute));
  expect(() => engine.emptyKegs.confirm(left.id, at(4 * minute))).toThrowError(
    expect.objectContaining<Partial<AppError>>({ code: 'conflict' }),
  );
});

test('held pours and foam ask nobody', () => {
  const { engine } = openBar();
  const ended = at(minute);
  engine.pours.record(pour(ended, { ticks: 570, gas, doubts: ['no_end'] }), 'pin', ended);
  const foam = { class: 'foamy', onsetMs: 500, ticks: 0, ratio: 1.5 } as const;
  engine.pours.record(pour(ended, { gas: foam }), 'pin', ended);
  expect(engine.emptyKegs.all().size).toBe(0);
});
