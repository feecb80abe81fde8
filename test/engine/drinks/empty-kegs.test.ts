import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { AppError } from '../../../src/core/app-error.ts';
import { systemActor } from '../../../src/engine/engine.ts';
import { at, hour, minute, openBar, openingMs, pour } from '../bar.ts';

const gas = { class: 'gas', onsetMs: 2_000, ticks: 450, ratio: 2 } as const;

/** A bar in which 120 mL of beer and then gas came out of the left tap, two minutes after opening. */
function openBarWithGas(file?: string) {
  const bar = openBar(file);
  const ended = at(2 * minute);
  const drink = bar.engine.drinks.pours.record(pour(ended, { ticks: 570, gas }), 'pin', ended);
  return { ...bar, drink };
}

test('gas asks staff whether the keg is empty', () => {
  const { engine, left } = openBarWithGas();
  expect([...engine.drinks.emptyKegs.all()]).toEqual([[left.id, openingMs + 2 * minute]]);
});

test('yes ends the keg at the time when the gas came; undo puts it back', () => {
  const { engine, left, keg } = openBarWithGas();
  engine.drinks.emptyKegs.confirm(left.id, at(30 * minute));
  expect(engine.kegs.get(keg.id)).toMatchObject({
    state: 'finished',
    finishedTimeMs: openingMs + 2 * minute,
    servedVolumeMl: 120,
  });
  expect(engine.drinks.emptyKegs.all().size).toBe(0);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('no counts the gas as beer after all, and learns the rate again', () => {
  const { engine, left, keg, drink } = openBarWithGas();
  engine.drinks.emptyKegs.deny(left.id, at(5 * minute));
  expect(engine.drinks.get(drink.id)?.drink).toMatchObject({ gasTicks: 0, gasOnsetMs: null, volumeMl: 570 });
  expect(engine.kegs.get(keg.id)).toMatchObject({ state: 'on_tap', servedVolumeMl: 570 });
  expect(engine.drinks.emptyKegs.all().size).toBe(0);
  engine.drinks.undo(drink.id, {}, at(6 * minute));
  expect(engine.drinks.get(drink.id)?.drink).toMatchObject({ gasTicks: 450, volumeMl: 120 });
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('beer that staff said is no gas is not taken for gas again before ten pours', () => {
  const { engine, left } = openBar();
  engine.drinks.pours.spill({ tap: 'pi.flow0', ticks: 0, volumeMl: 27_000 }, at(0));
  // 2 s half open, then 120 mL/s: far above the default of 75.
  const fast = [
    ...Array.from({ length: 20 }, (_, i) => `${i * 100}:6`),
    ...Array.from({ length: 30 }, (_, i) => `${2_000 + i * 100}:12`),
  ].join(' ');
  const record = (minutes: number) => {
    const ended = at(minutes * minute);
    const one = pour(ended, { ticks: 480, durationMs: 5_000, series: fast, recovered: false });
    return engine.drinks.pours.record({ ...one, gas: undefined } as never, 'pin', ended);
  };
  expect(record(2).gasTicks).toBeGreaterThan(300);
  engine.drinks.emptyKegs.deny(left.id, at(5 * minute));
  expect(record(6).gasTicks).toBe(0);
});

/** Then two pours, 3 and 4 minutes after opening, that were gas alone. */
function openBarWithHeldGas() {
  const bar = openBarWithGas();
  const even = Array.from({ length: 40 }, (_, i) => `${i * 100}:15`).join(' ');
  const held = [3, 4].map((minutes) => {
    const ended = at(minutes * minute);
    const gasOnly = pour(ended, {
      ticks: 600,
      durationMs: 3_900,
      series: even,
      gas: { ...gas, onsetMs: 0, ticks: 600 },
    });
    return bar.engine.drinks.pours.record(gasOnly, 'pin', ended);
  });
  return { ...bar, held };
}

test('no makes drinks of the pours that were held as gas: in keg, session, totals and what the tap’s rate is learned from', () => {
  const { engine, store, left, keg, held } = openBarWithHeldGas();
  expect(held.map(({ heldReason }) => heldReason)).toEqual(['gas', 'gas']);
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBe(120);
  engine.drinks.emptyKegs.deny(left.id, at(5 * minute));
  for (const { id } of held) {
    expect(engine.drinks.get(id)?.drink).toMatchObject({
      isValid: true,
      heldReason: null,
      kegId: keg.id,
      ticks: 600,
      gasTicks: 0,
      volumeMl: 600,
    });
  }
  expect(engine.drinks.heldCount()).toBe(0);
  expect(engine.kegs.get(keg.id)).toMatchObject({ state: 'on_tap', servedVolumeMl: 570 + 600 + 600 });
  const session = engine.drinks.get(held[0]!.id)!.session;
  expect(session?.volumeMl).toBe(570 + 600 + 600);
  const span = { meter: 'pi.flow0', sinceMs: 0, untilMs: at(hour).wallMs };
  expect(store.taps.kegMeasures.counted(keg.id, left.id, span).ticks).toBe(570 + 600 + 600);
  expect(store.taps.rates.best(left.id, 'pi.flow0')).toContain(150);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('yes leaves the pours that were held as gas for review: they may be of the next keg; they are no evidence against the meter', () => {
  const { engine, store, left, keg, held } = openBarWithHeldGas();
  const span = { meter: 'pi.flow0', sinceMs: 0, untilMs: at(hour).wallMs };
  expect(store.taps.kegMeasures.held(span).count).toBe(0);
  engine.drinks.emptyKegs.confirm(left.id, at(5 * minute));
  expect(engine.kegs.get(keg.id)).toMatchObject({ state: 'finished', servedVolumeMl: 120 });
  expect(engine.drinks.heldCount()).toBe(2);
  // They flowed after the keg was empty: on the one that is put on next.
  const lager = { name: 'Lager', producerName: 'Brewery', styleName: 'Pils' };
  const next = engine.kegs.start(left.id, { beverage: lager, sizeKey: 'euro-30-liter' }, at(6 * minute));
  const beer = engine.drinks.keep(held[0]!.id, {}, at(7 * minute));
  expect(beer.drink).toMatchObject({ kegId: next.id, volumeMl: 600 });
  engine.drinks.discard(held[1]!.id, {}, at(7 * minute));
  expect(store.taps.kegMeasures.cancelledTicks(span)).toBe(0);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a wrong yes is undone: the question is back, and no gives everything back', () => {
  const { engine, left, keg } = openBarWithHeldGas();
  engine.drinks.emptyKegs.confirm(left.id, at(5 * minute), systemActor);
  expect(engine.drinks.emptyKegs.all().size).toBe(0);
  const [ended] = engine.audit.list({}).items;
  engine.corrections.undo(ended!.id, {}, at(6 * minute));
  expect([...engine.drinks.emptyKegs.all()]).toEqual([[left.id, openingMs + 2 * minute]]);
  engine.drinks.emptyKegs.deny(left.id, at(7 * minute));
  expect(engine.kegs.get(keg.id)).toMatchObject({ state: 'on_tap', servedVolumeMl: 570 + 600 + 600 });
  expect(engine.drinks.heldCount()).toBe(0);
});

test('a keg that is put on tap again is not asked about as before', () => {
  const { engine, left, keg } = openBarWithGas();
  engine.drinks.emptyKegs.confirm(left.id, at(5 * minute));
  engine.kegs.reactivate(keg.id, { actor: systemActor, now: at(6 * minute) });
  engine.kegs.attach(left.id, keg.id, at(7 * minute));
  expect(engine.drinks.emptyKegs.all().size).toBe(0);
});

test('no is one correction, which is undone as a whole', () => {
  const { engine, left, keg, drink, held } = openBarWithHeldGas();
  const id = engine.drinks.emptyKegs.deny(left.id, at(5 * minute));
  engine.corrections.undo(id!, {}, at(6 * minute));
  expect(engine.drinks.get(drink.id)?.drink).toMatchObject({ gasTicks: 450, volumeMl: 120 });
  for (const one of held)
    expect(engine.drinks.get(one.id)?.drink).toMatchObject({ isValid: false, heldReason: 'gas', ticks: 600 });
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBe(120);
  expect(engine.site.checkDatabase()).toEqual([]);
  // They are asked again, and may answer again.
  expect([...engine.drinks.emptyKegs.all()]).toEqual([[left.id, openingMs + 2 * minute]]);
  engine.drinks.emptyKegs.deny(left.id, at(7 * minute));
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBe(570 + 600 + 600);
  expect(engine.drinks.emptyKegs.deny(left.id, at(8 * minute))).toBeNull();
});

test('no gives everything back although the clock was wrong when the gas came', () => {
  const { engine, left, keg } = openBar();
  const fast = (minutes: number) =>
    at(minutes * minute, { synced: false, wallMs: at((minutes + 300) * minute).wallMs });
  const record = (minutes: number, change: Parameters<typeof pour>[1]) =>
    engine.drinks.pours.record(pour(fast(minutes), change), 'pin', fast(minutes));
  record(2, { ticks: 570, gas });
  record(3, { ticks: 600, gas: { ...gas, onsetMs: 0, ticks: 600 } });
  engine.drinks.clockCorrection.correct(at(4 * minute));
  expect([...engine.drinks.emptyKegs.all()]).toEqual([[left.id, openingMs + 2 * minute]]);
  engine.drinks.emptyKegs.deny(left.id, at(5 * minute));
  expect(engine.drinks.heldCount()).toBe(0);
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBe(570 + 600);
});

test('a held pour of gas is kept on the keg that was on the tap when it flowed', () => {
  const { engine, left, keg, held } = openBarWithHeldGas();
  engine.kegs.endOnTap(left.id, at(5 * minute));
  const lager = { name: 'Lager', producerName: 'Brewery', styleName: 'Pils' };
  engine.kegs.start(left.id, { beverage: lager, sizeKey: 'euro-30-liter' }, at(6 * minute));
  expect(engine.drinks.suggestedKeg(engine.drinks.held()[0]!)).toBe(keg.id);
  expect(engine.drinks.keep(held[0]!.id, {}, at(7 * minute)).drink.kegId).toBe(keg.id);
});

test('the undo of a discarded pour asks nobody about the next keg', () => {
  const { engine, left, held } = openBarWithHeldGas();
  engine.drinks.emptyKegs.confirm(left.id, at(5 * minute), systemActor);
  const lager = { name: 'Lager', producerName: 'Brewery', styleName: 'Pils' };
  engine.kegs.start(left.id, { beverage: lager, sizeKey: 'euro-30-liter' }, at(6 * minute));
  engine.drinks.discard(held[0]!.id, {}, at(7 * minute));
  engine.drinks.undo(held[0]!.id, {}, at(8 * minute));
  expect(engine.drinks.get(held[0]!.id)?.drink.heldReason).toBe('gas');
  expect(engine.drinks.emptyKegs.all().size).toBe(0);
});

test('nobody is asked any more once every pour that led to the question was counted as beer', () => {
  const { engine, drink, held } = openBarWithHeldGas();
  engine.drinks.countAsBeer(drink.id, {}, at(5 * minute));
  engine.drinks.keep(held[0]!.id, {}, at(6 * minute));
  expect(engine.drinks.emptyKegs.all().size).toBe(1);
  engine.drinks.keep(held[1]!.id, {}, at(7 * minute));
  expect(engine.drinks.emptyKegs.all().size).toBe(0);
});

test('no leaves pours held that were taken for gas at another tap', () => {
  const { engine, left, right } = openBarWithHeldGas();
  const gasOnly = { ticks: 600, gas: { ...gas, onsetMs: 0, ticks: 600 }, meter: 'pi.flow1' };
  const other = engine.drinks.pours.record(pour(at(3 * minute), gasOnly), 'pin', at(3 * minute));
  engine.drinks.emptyKegs.deny(left.id, at(5 * minute));
  expect(other.tapId).toBe(right.id);
  expect(engine.drinks.held().map(({ id }) => id)).toEqual([other.id]);
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
  expect(() => engine.drinks.emptyKegs.deny(left.id, at(5 * minute))).toThrowError('refused');
  expect(engine.drinks.get(drink.id)?.drink).toMatchObject({ gasTicks: 450, volumeMl: 120 });
  expect(engine.kegs.get(keg.id)?.state).toBe('on_tap');
  expect(engine.drinks.emptyKegs.all().size).toBe(1);
});

test('no answer is needed once the keg was ended otherwise', () => {
  const { engine, left } = openBarWithGas();
  engine.kegs.endOnTap(left.id, at(3 * minute));
  expect(engine.drinks.emptyKegs.all().size).toBe(0);
  engine.drinks.emptyKegs.deny(left.id, at(4 * minute));
  expect(() => engine.drinks.emptyKegs.confirm(left.id, at(4 * minute))).toThrowError(
    expect.objectContaining<Partial<AppError>>({ code: 'conflict' }),
  );
});

test('held pours and foam ask nobody', () => {
  const { engine } = openBar();
  const ended = at(minute);
  engine.drinks.pours.record(pour(ended, { ticks: 570, gas, doubts: ['no_end'] }), 'pin', ended);
  const foam = { class: 'foamy', onsetMs: 500, ticks: 0, ratio: 1.5 } as const;
  engine.drinks.pours.record(pour(ended, { gas: foam }), 'pin', ended);
  expect(engine.drinks.emptyKegs.all().size).toBe(0);
});
