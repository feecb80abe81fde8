import { expect, test } from 'vitest';
import { omitUndefined } from '../../../src/core/omit-undefined.ts';
import { insertDrink, insertPour } from '../../kit/drinks/insert-drink.ts';
import { at, hour, minute, openBar, openingMs, pour } from '../bar.ts';

function twoDrinks() {
  const bar = openBar();
  bar.engine.users.addUser({ username: 'ana' }, at(0));
  const report = { tap: 1, ticks: 400, username: 'ana', source: 'post' } as const;
  const first = insertDrink(bar.store, { ...report, pourId: 'first' }, at(minute));
  const second = insertDrink(bar.store, { ...report, ticks: 500, pourId: 'second' }, at(hour));
  return { ...bar, first, second };
}

test('cancelling a drink removes it from keg, session and events', () => {
  const { engine, keg, first, second } = twoDrinks();
  const before = engine.drinks.cancel(second.id, { spilled: false }, at(2 * hour));
  expect(before).toMatchObject({
    drink: { ...second, isValid: false },
    keg: { id: keg.id, servedVolumeMl: 900 },
    user: { username: 'ana' },
    session: { id: first.sessionId, volumeMl: 900 },
  });
  expect(engine.drinks.get(second.id)).toBeNull();
  expect(engine.kegs.get(keg.id)).toMatchObject({ servedVolumeMl: 400, spilledVolumeMl: 0 });
  expect(engine.drinks.get(first.id)?.session).toMatchObject({
    volumeMl: 400,
    startTimeMs: openingMs + minute,
    endTimeMs: openingMs + minute + 3 * hour,
  });
  expect(engine.drinks.events.list({ limit: 100 }).some((event) => event.drinkId === second.id)).toBe(false);
  expect(engine.taps.hardware.meters()[0]?.ticksTotal).toBe(900);
});

test('a cancelled drink recorded as a spill is the keg’s loss', () => {
  const { engine, keg, second } = twoDrinks();
  engine.drinks.cancel(second.id, { spilled: true }, at(2 * hour));
  expect(engine.kegs.get(keg.id)).toMatchObject({ servedVolumeMl: 400, spilledVolumeMl: 500 });
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a session whose last drink is cancelled is deleted with its events', () => {
  const { engine, first, second } = twoDrinks();
  engine.drinks.cancel(first.id, { spilled: false }, at(2 * hour));
  engine.drinks.cancel(second.id, { spilled: false }, at(2 * hour));
  expect(engine.drinks.events.currentSession(at(hour))).toBeNull();
  expect(engine.drinks.events.list({ limit: 100 }).map((event) => event.kind)).toEqual(['keg_tapped']);
});

test('a cancelled pour reported again returns the drink as it was and records nothing', () => {
  const { engine, keg } = twoDrinks();
  const report = { tap: 1, ticks: 300, pourId: 'third', source: 'post' } as const;
  const third = engine.drinks.pours.report(report, at(hour));
  engine.drinks.cancel(third.id, { spilled: false }, at(2 * hour));
  const again = engine.drinks.pours.report(report, at(2 * hour));
  expect(again).toEqual({ ...third, isValid: false });
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBe(900);
  expect(engine.drinks.list({}).total).toBe(2);
});

test('ids are never reused, not even that of a cancelled drink', () => {
  const { engine, store, second } = twoDrinks();
  engine.drinks.cancel(second.id, { spilled: false }, at(2 * hour));
  expect(insertDrink(store, { tap: 1, ticks: 1 }, at(2 * hour)).id).toBeGreaterThan(second.id);
});

test('a drink assigned to another user takes its events along', () => {
  const { engine, first } = twoDrinks();
  engine.users.addUser({ username: 'bob' }, at(0));
  expect(engine.drinks.reassign(first.id, { username: 'bob' }, at(2 * hour))).toMatchObject({
    drink: { username: 'bob' },
    user: { username: 'bob' },
  });
  const names = engine.drinks.events
    .list({ limit: 100 })
    .filter((event) => event.drinkId === first.id)
    .map((event) => event.username);
  expect(names).toEqual(['bob', 'bob', 'bob']);
  expect(engine.drinks.reassign(first.id, { username: null }, at(2 * hour)).user).toBeNull();
  expect(() => engine.drinks.reassign(first.id, { username: 'nobody-known' }, at(0))).toThrow(
    expect.objectContaining({ code: 'invalid_request', fields: { username: expect.any(String) } }),
  );
});

test('a corrected volume changes keg and session; the ticks stay', () => {
  const { engine, keg, second } = twoDrinks();
  expect(engine.drinks.edit(second.id, { volumeMl: 100 }, at(2 * hour))).toMatchObject({
    drink: { volumeMl: 100, volumeGiven: true, ticks: 500 },
    session: { volumeMl: 500 },
  });
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBe(500);
});

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 10_000_001])('rejects a volume of %d', (ml) => {
  const { engine, first } = twoDrinks();
  expect(() => engine.drinks.edit(first.id, { volumeMl: ml }, at(0))).toThrow(
    expect.objectContaining({ code: 'invalid_request', fields: { volume_ml: expect.any(String) } }),
  );
});

test('moving a drink updates the totals of both kegs', () => {
  const { engine, keg, right, first } = twoDrinks();
  const other = engine.kegs.start(
    right.id,
    { beverage: { name: 'Stout', producerName: 'Brewery', styleName: '' } },
    at(0),
  );
  expect(engine.drinks.move(first.id, { kegId: other.id }, at(2 * hour)).keg).toMatchObject({
    id: other.id,
    servedVolumeMl: 400,
  });
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBe(500);
  expect(engine.drinks.move(first.id, { kegId: null }, at(2 * hour))).toMatchObject({
    keg: null,
    session: { volumeMl: 900 },
  });
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a held pour that is kept becomes a drink on its tap’s keg, with session and events', () => {
  const { engine, store, keg, left } = openBar();
  engine.users.addUser({ username: 'ana' }, at(0));
  const held = insertPour(store, { tap: 'pi.flow2', ticks: 817 }, at(minute));
  const view = engine.drinks.keep(held.id, { tapId: left.id, username: 'ana' }, at(hour));
  expect(view).toMatchObject({
    drink: { isValid: true, heldReason: null, tapId: left.id, kegId: keg.id, username: 'ana' },
    session: { startTimeMs: openingMs + minute },
  });
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBeCloseTo(817 / 2.724);
  expect(engine.drinks.held()).toEqual([]);
  expect(engine.drinks.list({}).total).toBe(1);
  expect(engine.drinks.events.list({ limit: 1 })[0]).toMatchObject({
    kind: 'drink_poured',
    drinkId: held.id,
  });
  expect(() => engine.drinks.keep(held.id, {}, at(hour))).toThrow(
    expect.objectContaining({ code: 'conflict' }),
  );
});

test('a held pour is kept on its own tap by default, or on no keg when requested', () => {
  const { engine, store, keg, left } = openBar();
  const hold = () => insertPour(store, { heldReason: 'no_end' }, at(minute));
  expect(engine.drinks.keep(hold().id, {}, at(hour)).drink).toMatchObject({ tapId: left.id, kegId: keg.id });
  expect(engine.drinks.keep(hold().id, { kegId: null }, at(hour)).drink).toMatchObject({ kegId: null });
});

test('a discarded pour is deleted, and a retry does not restore it', () => {
  const { engine } = openBar();
  const noise = pour(at(minute), { doubts: ['electrical_noise'] });
  const held = engine.drinks.pours.record(noise, 'pin', at(minute));
  engine.drinks.discard(held.id, {}, at(minute));
  expect(engine.drinks.held()).toEqual([]);
  expect(engine.drinks.pours.record(noise, 'pin', at(minute))).toEqual(held);
  expect(engine.drinks.held()).toEqual([]);
  expect(engine.taps.hardware.meters()[0]?.ticksTotal).toBe(300);
});

test('a valid drink cannot be discarded, nor a held one moved', () => {
  const { engine, store, keg } = openBar();
  const real = insertPour(store, {}, at(0));
  const held = insertPour(store, { heldReason: 'no_end' }, at(0));
  const conflict = expect.objectContaining({ code: 'conflict' });
  expect(() => engine.drinks.discard(real.id, {}, at(0))).toThrow(conflict);
  expect(() => engine.drinks.move(held.id, { kegId: keg.id }, at(0))).toThrow(conflict);
});

test('an unknown drink can be neither read nor corrected', () => {
  const { engine } = openBar();
  expect(engine.drinks.get(99)).toBeNull();
  expect(engine.drinks.get(1.5)).toBeNull();
  const missing = expect.objectContaining({ code: 'not_found' });
  expect(() => engine.drinks.cancel(99, { spilled: false }, at(0))).toThrow(missing);
  expect(() => engine.drinks.reassign(99, { username: null }, at(0))).toThrow(missing);
  expect(() => engine.drinks.edit(99, { volumeMl: 1 }, at(0))).toThrow(missing);
});

test('the list starts at any id and descends, without held drinks', () => {
  const { engine, store } = openBar();
  for (let ticks = 1; ticks <= 5; ticks++) insertDrink(store, { tap: 1, ticks }, at(minute));
  insertPour(store, { heldReason: 'no_end' }, at(minute));
  const page = (start?: number, limit?: number) => {
    const { items, total, limit: size, pos } = engine.drinks.list(omitUndefined({ start, limit }));
    return { ids: items.map((drink) => drink.id), total, limit: size, pos };
  };
  expect(page()).toEqual({ ids: [5, 4, 3, 2, 1], total: 5, limit: 100, pos: 0 });
  expect(page(4, 2)).toEqual({ ids: [4, 3], total: 5, limit: 2, pos: 4 });
  expect(page(999, 1)).toEqual({ ids: [5], total: 5, limit: 1, pos: 999 });
  for (const [start, limit] of [
    [-5, 10],
    [1.5, 10],
    [Number.NaN, 10],
    [1, 0],
    [1, 1_001],
  ]) {
    expect(() => page(start, limit)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  }
});
