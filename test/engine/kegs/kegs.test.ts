import { expect, test } from 'vitest';
import { kegSizes } from '../../../src/core/kegs/keg-volume.ts';
import { addDemoKegs } from '../../../src/engine/demo-data.ts';
import { insertDrink, insertPour } from '../../kit/drinks/insert-drink.ts';
import { at, hour, minute, openBar, openEmptyBar, openingMs } from '../bar.ts';

const stout = { beverage: { name: 'Stout', producerName: 'Brewery', styleName: 'Dry Stout' } } as const;
const conflict = expect.objectContaining({ code: 'conflict' });

test('a new keg takes its volume from its size unless it is given', () => {
  const { engine } = openBar();
  expect(engine.kegs.create(stout, at(minute))).toMatchObject({
    state: 'available',
    fullVolumeMl: 58_673.9,
    servedVolumeMl: 0,
    createdTimeMs: openingMs + minute,
    startedTimeMs: openingMs + minute,
    finishedTimeMs: null,
  });
  expect(engine.kegs.create({ ...stout, fullVolumeMl: 20_000 }, at(0)).fullVolumeMl).toBe(20_000);
  for (const invalidSize of [
    { sizeKey: 'other' },
    { fullVolumeMl: -1 },
    { fullVolumeMl: 0 },
    { fullVolumeMl: Number.NaN },
  ]) {
    expect(() => engine.kegs.create({ ...stout, ...invalidSize }, at(0))).toThrow(
      expect.objectContaining({ code: 'invalid_request', fields: { full_volume_ml: expect.any(String) } }),
    );
  }
  expect(() => engine.kegs.create({ ...stout, sizeKey: 'bathtub' }, at(0))).toThrow(
    expect.objectContaining({ fields: { keg_type: expect.any(String) } }),
  );
});

test('the next keg replaces the one on tap, or both stay as they are', () => {
  const { engine, keg, left } = openBar();
  const finished = engine.kegs.end(engine.kegs.create(stout, at(0)).id, at(0));
  expect(() => engine.kegs.attachNext(left.id, finished.id, at(hour))).toThrow(conflict);
  expect(engine.taps.find(left.id)?.keg).toMatchObject({ id: keg.id, state: 'on_tap' });
  const spare = engine.kegs.create(stout, at(0));
  expect(engine.kegs.attachNext(left.id, spare.id, at(hour))).toMatchObject({
    id: spare.id,
    state: 'on_tap',
  });
  expect(engine.kegs.get(keg.id)?.state).toBe('finished');
});

test('the same name, producer and style is one beverage', () => {
  const { engine } = openBar();
  const beverageId = engine.kegs.create(stout, at(0)).beverageId;
  expect(engine.kegs.create(stout, at(0)).beverageId).toBe(beverageId);
  expect(engine.kegs.create({ beverage: { id: beverageId } }, at(0)).beverageId).toBe(beverageId);
  const sweet = engine.kegs.create({ beverage: { ...stout.beverage, styleName: 'Sweet Stout' } }, at(0));
  expect(sweet.beverageId).not.toBe(beverageId);
  expect(engine.kegs.beverage(sweet.beverageId)?.producer).toEqual(
    engine.kegs.beverage(beverageId)?.producer,
  );
  expect(() => engine.kegs.create({ beverage: { id: 99 } }, at(0))).toThrow(
    expect.objectContaining({ code: 'invalid_request' }),
  );
});

test('a keg can be attached to an empty tap only, and only when it is available', () => {
  const { engine, left, right, keg } = openBar();
  const spare = engine.kegs.create(stout, at(0));
  expect(() => engine.kegs.attach(left.id, spare.id, at(0))).toThrow(conflict);
  expect(() => engine.kegs.attach(right.id, keg.id, at(0))).toThrow(conflict);
  expect(engine.kegs.attach(right.id, spare.id, at(hour))).toMatchObject({
    state: 'on_tap',
    startedTimeMs: openingMs + hour,
  });
  expect(() => engine.kegs.attach(99, spare.id, at(0))).toThrow(
    expect.objectContaining({ code: 'not_found' }),
  );
});

test('a keg that cannot be attached to its tap is not created', () => {
  const { engine, left } = openBar();
  const before = engine.kegs.list({}).total;
  expect(() => engine.kegs.start(left.id, stout, at(0))).toThrow(conflict);
  expect(engine.kegs.list({}).total).toBe(before);
});

test('ending a keg frees its tap and writes one event, even after reactivation', () => {
  const { engine, left, keg } = openBar();
  expect(engine.kegs.end(keg.id, at(hour))).toMatchObject({
    state: 'finished',
    finishedTimeMs: openingMs + hour,
  });
  expect(engine.taps.find(left.id)?.keg).toBeNull();
  expect(engine.kegs.end(keg.id, at(2 * hour)).finishedTimeMs).toBe(openingMs + hour);
  expect(() => engine.kegs.attach(left.id, keg.id, at(2 * hour))).toThrow(conflict);
  expect(engine.kegs.reactivate(keg.id)).toMatchObject({ state: 'available', finishedTimeMs: null });
  expect(() => engine.kegs.reactivate(keg.id)).toThrow(conflict);
  engine.kegs.attach(left.id, keg.id, at(3 * hour));
  engine.kegs.end(keg.id, at(4 * hour));
  const kinds = engine.drinks.events.list({ limit: 100 }).map((event) => event.kind);
  expect(kinds).toEqual(['keg_ended', 'keg_tapped']);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a keg can be overdrawn; nothing ends it automatically', () => {
  const { engine, store, keg } = openBar();
  insertDrink(store, { tap: 1, ticks: 31_000 }, at(0));
  expect(engine.kegs.get(keg.id)).toMatchObject({ state: 'on_tap', servedVolumeMl: 31_000 });
});

test('a spill adds to the keg’s spilled volume', () => {
  const { engine, keg } = openBar();
  expect(engine.kegs.spill(keg.id, 750, at(0)).spilledVolumeMl).toBe(750);
  expect(() => engine.kegs.spill(keg.id, -1, at(0))).toThrow(
    expect.objectContaining({ code: 'invalid_request' }),
  );
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a drink moved to an available keg extends that keg’s time span', () => {
  const { engine, store, keg } = openBar();
  const spare = engine.kegs.create(stout, at(hour));
  engine.kegs.end(spare.id, at(2 * hour));
  const drink = insertPour(store, {}, at(30 * minute));
  engine.drinks.move(drink.id, { kegId: spare.id }, at(0));
  expect(engine.kegs.get(spare.id)).toMatchObject({
    startedTimeMs: openingMs + 30 * minute,
    finishedTimeMs: openingMs + 2 * hour,
  });
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBe(0);
});

test('kegs are listed newest first, all or by state', () => {
  const { engine, keg } = openBar();
  const spare = engine.kegs.create(stout, at(0));
  const gone = engine.kegs.create(stout, at(0));
  engine.kegs.end(gone.id, at(0));
  const ids = (state?: 'available' | 'on_tap' | 'finished') => {
    const { items, total } = engine.kegs.list(state === undefined ? {} : { state });
    expect(total).toBe(items.length);
    return items.map((one) => one.id);
  };
  expect(ids()).toEqual([gone.id, spare.id, keg.id]);
  expect(ids('available')).toEqual([spare.id]);
  expect(ids('on_tap')).toEqual([keg.id]);
  expect(ids('finished')).toEqual([gone.id]);
});

test('the database contains the standard keg sizes', () => {
  expect(openBar().engine.kegs.sizes()).toEqual(kegSizes);
});

test('the demo fills empty taps once, and never a bar that has had a keg', () => {
  const { engine } = openBar();
  expect(addDemoKegs(engine, at(0))).toBe(0);
  const fresh = openEmptyBar();
  expect(addDemoKegs(fresh.engine, at(0))).toBe(2);
  expect(fresh.engine.taps.list().map(({ beverage }) => beverage?.name)).toEqual([
    'Harbour Light',
    'Nine Lives',
  ]);
  const [first, second] = fresh.engine.taps.list();
  const priceTexts = (id: number) =>
    fresh.engine.kegs.prices
      .ofBeverage(id)
      .map(({ volumeMl, priceMinor }) => `${volumeMl} mL ${(priceMinor / 100).toFixed(2)}`);
  expect(priceTexts(first!.beverage!.id)).toEqual([
    '200 mL 2.30',
    '300 mL 3.10',
    '400 mL 3.80',
    '500 mL 4.60',
  ]);
  expect(priceTexts(second!.beverage!.id)).toHaveLength(4);
  fresh.engine.kegs.end(1, at(0));
  expect(addDemoKegs(fresh.engine, at(0))).toBe(0);
});
