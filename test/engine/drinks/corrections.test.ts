import { expect, test } from 'vitest';
import { insertDrink, insertPour } from '../../kit/drinks/insert-drink.ts';
import { at, hour, minute, openBar, openingMs, pour } from '../bar.ts';

function bar() {
  const opened = openBar();
  const { engine } = opened;
  const ana = engine.users.addUser({ username: 'ana' }, at(0));
  engine.users.addUser({ username: 'bob' }, at(0));
  const events = pour(at(minute), { ticks: 300, series: '0:150 5000:150' });
  const drink = engine.drinks.pours.record(events, 'pin', at(minute));
  return { ...opened, ana, events, drink, actor: { userId: ana.id, via: 'page' as const } };
}

const conflict = expect.objectContaining({ code: 'conflict' });

test('splitting a drink keeps the total, and a retried pour records nothing', () => {
  const { engine, keg, drink, events } = bar();
  const { first, part } = engine.drinks.split(drink.id, { ticks: 100, username: 'bob' }, at(hour));
  expect(first.drink).toMatchObject({ id: drink.id, ticks: 200, volumeMl: 200, username: null });
  expect(first.drink.series).toBe('0:150 5000:50');
  expect(part.drink).toMatchObject({
    ticks: 100,
    volumeMl: 100,
    username: 'bob',
    kegId: keg.id,
    pourId: null,
  });
  expect(part.drink.series).toBe('5000:100');
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBe(300);
  expect(part.session?.volumeMl).toBe(300);
  expect(engine.drinks.pours.record(events, 'pin', at(hour)).id).toBe(drink.id);
  expect(engine.drinks.list({}).total).toBe(2);
  const partEvents = engine.drinks.events
    .list({ limit: 100 })
    .filter((event) => event.drinkId === part.drink.id);
  expect(partEvents.map(({ kind, username }) => [kind, username])).toEqual([
    ['drink_poured', 'bob'],
    ['session_joined', 'bob'],
  ]);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('the part keeps its user unless another or none is given', () => {
  const { engine, drink } = bar();
  engine.drinks.reassign(drink.id, { username: 'ana' }, at(hour));
  expect(engine.drinks.split(drink.id, { volumeMl: 50 }, at(hour)).part.drink.username).toBe('ana');
  const off = { volumeMl: 50, username: null };
  expect(engine.drinks.split(drink.id, off, at(hour)).part.drink.username).toBeNull();
});

test.each([
  { ticks: 0 },
  { ticks: 300 },
  { ticks: 1.5 },
  { volumeMl: 0 },
  { volumeMl: 300 },
  { volumeMl: Number.NaN },
])('%j is not a valid part of a drink of 300 ticks', (size) => {
  const { engine, drink } = bar();
  expect(() => engine.drinks.split(drink.id, size, at(hour))).toThrow(
    expect.objectContaining({ code: 'invalid_request' }),
  );
});

test('a late top-up is joined to its drink, and neither pour is recorded again', () => {
  const { engine, keg, drink, events } = bar();
  const topUp = pour(at(2 * minute), { ticks: 50, durationMs: 2_000, series: '0:50' });
  const second = engine.drinks.pours.record(topUp, 'pin', at(2 * minute));
  const joined = engine.drinks.join(drink.id, { otherId: second.id }, at(hour));
  expect(joined.drink).toMatchObject({
    id: drink.id,
    ticks: 350,
    volumeMl: 350,
    // From the first tick of the drink to the last of the top-up.
    durationMs: minute + 10_000,
    pourTimeMs: openingMs + 2 * minute,
    series: '0:150 5000:150 68000:50',
  });
  expect(engine.drinks.get(second.id)).toBeNull();
  expect(engine.drinks.pours.record(topUp, 'pin', at(hour))).toMatchObject({ id: second.id, isValid: false });
  expect(engine.drinks.pours.record(events, 'pin', at(hour)).id).toBe(drink.id);
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBe(350);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('drinks of different kegs or sessions cannot be joined', () => {
  const { engine, store, drink, right } = bar();
  const elsewhere = insertDrink(store, { tap: right.id, ticks: 10 }, at(minute));
  const tomorrow = insertPour(store, {}, at(24 * hour));
  const held = insertPour(store, { heldReason: 'no_end' }, at(minute));
  for (const { id } of [elsewhere, tomorrow, held]) {
    expect(() => engine.drinks.join(drink.id, { otherId: id }, at(25 * hour))).toThrow(conflict);
  }
  expect(() => engine.drinks.join(drink.id, { otherId: drink.id }, at(hour))).toThrow(
    expect.objectContaining({ fields: { drink_id: expect.any(String) } }),
  );
});

test('a session that began with the merged drink begins with the remaining one', () => {
  const { engine, store, drink } = bar();
  const second = insertPour(store, {}, at(2 * minute));
  engine.drinks.join(second.id, { otherId: drink.id }, at(hour));
  const began = engine.drinks.events.list({ limit: 100 }).find(({ kind }) => kind === 'session_started');
  expect(began).toMatchObject({ drinkId: second.id, timeMs: openingMs + 2 * minute });
  engine.drinks.undo(second.id, {}, at(hour));
  const again = engine.drinks.events.list({ limit: 100 }).find(({ kind }) => kind === 'session_started');
  expect(again).toMatchObject({ drinkId: drink.id, timeMs: openingMs + minute });
});

test('a cancelled drink is restored with its session, events and spill', () => {
  const { engine, keg, drink, events } = bar();
  const before = [
    engine.drinks.get(drink.id),
    engine.drinks.events.list({ limit: 100 }),
    engine.kegs.get(keg.id),
  ];
  engine.drinks.cancel(drink.id, { spilled: true }, at(hour));
  expect(engine.kegs.get(keg.id)?.spilledVolumeMl).toBe(300);
  // The log does not say that beer was deleted which was spilled.
  expect(engine.audit.list({ limit: 1 }).items).toMatchObject([{ action: 'drink.spilled' }]);
  engine.drinks.undo(drink.id, {}, at(2 * hour));
  const after = [
    engine.drinks.get(drink.id),
    engine.drinks.events.list({ limit: 100 }),
    engine.kegs.get(keg.id),
  ];
  expect(after).toEqual(before);
  expect(engine.drinks.pours.record(events, 'pin', at(hour)).isValid).toBe(true);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a restored drink is in its session, of which one that started meanwhile becomes part', () => {
  const { engine, store, drink } = bar();
  engine.drinks.cancel(drink.id, { spilled: false }, at(hour));
  const later = insertPour(store, {}, at(hour));
  engine.drinks.undo(drink.id, {}, at(2 * hour));
  expect(engine.drinks.get(drink.id)?.session).toMatchObject({
    id: drink.sessionId,
    startTimeMs: openingMs + minute,
    volumeMl: 600,
  });
  const began = engine.drinks.events.list({ limit: 100 }).filter(({ kind }) => kind === 'session_started');
  expect(began.map((event) => event.drinkId)).toEqual([drink.id]);
  expect(engine.drinks.events.session(later.sessionId!)?.id).toBe(drink.sessionId);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a drink cancelled before the clock was set is restored with its true time', () => {
  const { engine, store } = openBar();
  const slow = at(minute, { synced: false, wallMs: openingMs - 24 * hour });
  const drink = insertPour(store, {}, slow);
  engine.drinks.cancel(drink.id, { spilled: false }, slow);
  engine.drinks.clockCorrection.correct(at(hour));
  engine.drinks.undo(drink.id, {}, at(2 * hour));
  expect(engine.drinks.get(drink.id)).toMatchObject({
    drink: { pourTimeMs: openingMs + minute, timeCertain: true },
    session: { startTimeMs: openingMs + minute },
  });
  expect(engine.audit.list({}).items.map(({ timeMs }) => timeMs - openingMs)).toEqual([2 * hour, minute]);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('only the latest correction is undone, and the error names what depends on an older one', () => {
  const { engine, drink } = bar();
  const { part } = engine.drinks.split(drink.id, { ticks: 100 }, at(hour));
  engine.drinks.reassign(part.drink.id, { username: 'bob' }, at(hour));
  expect(() => engine.drinks.undo(drink.id, {}, at(hour))).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(`Drink ${part.drink.id} was corrected again`),
    }),
  );
  engine.drinks.undo(part.drink.id, {}, at(hour));
  expect(engine.drinks.undo(part.drink.id, {}, at(hour))).toBeNull();
  expect(engine.drinks.get(drink.id)?.drink).toEqual(drink);
  expect(() => engine.drinks.undo(drink.id, {}, at(hour))).toThrow(conflict);
  expect(() => engine.drinks.undo(99, {}, at(hour))).toThrow(expect.objectContaining({ code: 'not_found' }));
});

test('pours recorded meanwhile stay when a correction is undone', () => {
  const { engine, store, keg, drink } = bar();
  engine.drinks.edit(drink.id, { volumeMl: 250, shout: 'Prost' }, at(hour));
  insertPour(store, {}, at(hour));
  engine.drinks.undo(drink.id, {}, at(2 * hour));
  expect(engine.drinks.get(drink.id)).toMatchObject({
    drink: { volumeMl: 300, volumeGiven: false, shout: null },
    session: { volumeMl: 600 },
  });
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBe(600);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('every correction logs who made it, when, and the values before and after', () => {
  const { engine, drink, actor } = bar();
  engine.drinks.reassign(drink.id, { username: 'bob', actor }, at(hour));
  engine.drinks.reassign(drink.id, { username: 'bob', actor }, at(hour));
  engine.drinks.cancel(drink.id, { spilled: false }, at(2 * hour));
  const { items, total } = engine.audit.list({});
  // Assigning a drink to its own user changes nothing and is not logged.
  expect(total).toBe(2);
  expect(items).toMatchObject([
    { username: null, via: 'daemon', action: 'drink.cancelled', timeMs: openingMs + 2 * hour },
    { username: 'ana', via: 'page', action: 'drink.reassigned', timeMs: openingMs + hour },
  ]);
  expect(JSON.parse(items[0]!.after!)).toEqual({ drinks: [] });
  expect(JSON.parse(items[1]!.before!)).toMatchObject({ drinks: [{ id: drink.id, user_id: null }] });
  expect(JSON.parse(items[1]!.after!)).toMatchObject({ drinks: [{ id: drink.id, user_id: 'bob' }] });
  expect(engine.audit.list({ username: 'ana' }).items).toHaveLength(1);
  expect(engine.audit.list({ action: 'drink.cancelled', subject: { kind: 'drink', id: '1' } }).total).toBe(1);
  expect(engine.audit.list({ username: 'nobody' }).total).toBe(0);
});

test('keeping and discarding a held pour can be undone', () => {
  const { engine, store, keg } = openBar();
  const held = insertPour(store, { heldReason: 'no_end' }, at(minute));
  engine.drinks.keep(held.id, {}, at(hour));
  expect(engine.drinks.undo(held.id, {}, at(hour))?.drink).toEqual(held);
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBe(0);
  engine.drinks.discard(held.id, {}, at(hour));
  expect(engine.drinks.undo(held.id, {}, at(hour))?.drink).toEqual(held);
  expect(engine.drinks.held()).toEqual([held]);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a new calibration changes the keg’s past drinks as far as we measured them, and can be undone', () => {
  const { engine, store, keg, drink } = bar();
  const stated = insertDrink(store, { tap: 1, ticks: 100, volumeMl: 90 }, at(hour));
  const meter = engine.taps.hardware.meters()[0]!;
  const expected = { ticksPerMl: 2, kegId: keg.id };
  expect(engine.drinks.previewCalibration(meter.id, expected)).toMatchObject({
    drinkCount: 1,
    drinks: [{ drinkId: drink.id, beforeMl: 300, afterMl: 150 }],
    beforeMl: 300,
    afterMl: 150,
  });
  expect(engine.drinks.get(drink.id)?.drink.volumeMl).toBe(300);
  const applied = engine.drinks.calibrate(meter.id, expected, at(2 * hour));
  expect(applied.meter).toMatchObject({ ticksPerMl: 2, calibrated: true });
  expect(engine.drinks.get(drink.id)).toMatchObject({ drink: { volumeMl: 150 }, session: { volumeMl: 240 } });
  expect(engine.drinks.get(stated.id)?.drink.volumeMl).toBe(90);
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBe(240);
  expect(engine.site.checkDatabase()).toEqual([]);
  expect(() => engine.drinks.undo(drink.id, {}, at(3 * hour))).toThrow(conflict);
  engine.corrections.undo(applied.correctionId!, {}, at(3 * hour));
  expect(engine.drinks.get(drink.id)?.drink).toEqual(drink);
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBe(390);
  expect(engine.taps.hardware.meters()[0]?.ticksPerMl).toBe(1);
  expect(() => engine.corrections.undo(applied.correctionId!, {}, at(3 * hour))).toThrow(conflict);
});

test('a calibration without a keg affects later pours only', () => {
  const { engine, drink } = bar();
  const meter = engine.taps.hardware.meters()[0]!;
  const applied = engine.drinks.calibrate(meter.id, { ticksPerMl: 2, kegId: null }, at(hour));
  expect(applied).toMatchObject({ drinkCount: 0, correctionId: expect.any(Number) });
  expect(engine.drinks.get(drink.id)?.drink.volumeMl).toBe(300);
  expect(engine.drinks.pours.record(pour(at(hour)), 'pin', at(hour)).volumeMl).toBe(150);
  const again = engine.drinks.calibrate(meter.id, { ticksPerMl: 2, kegId: null }, at(hour));
  expect(again.correctionId).toBeNull();
});

test('a calibration followed by a newer one is not undone', () => {
  const { engine } = bar();
  const meter = engine.taps.hardware.meters()[0]!;
  const first = engine.drinks.calibrate(meter.id, { ticksPerMl: 2, kegId: null }, at(hour));
  engine.drinks.calibrate(meter.id, { ticksPerMl: 3, kegId: null }, at(hour));
  expect(() => engine.corrections.undo(first.correctionId!, {}, at(hour))).toThrow(conflict);
});

test('a drink moves to another tap with its current keg', () => {
  const { engine, right, drink } = bar();
  const stout = engine.kegs.start(
    right.id,
    { beverage: { name: 'Stout', producerName: 'Brewery', styleName: '' } },
    at(0),
  );
  expect(engine.drinks.move(drink.id, { tap: 'pi.flow1' }, at(hour)).drink).toMatchObject({
    tapId: right.id,
    kegId: stout.id,
  });
  expect(() => engine.drinks.move(drink.id, { tap: 'pi.flow2' }, at(hour))).toThrow(
    expect.objectContaining({ fields: { tap: expect.any(String) } }),
  );
  expect(engine.drinks.undo(drink.id, {}, at(hour))?.drink).toEqual(drink);
});

test('an unattributed drink can be claimed within ten minutes', () => {
  const { engine, drink } = bar();
  const late = at(minute + 10 * minute + 1);
  expect(() => engine.drinks.claim(drink.id, { username: 'bob' }, late)).toThrow(conflict);
  expect(engine.drinks.claim(drink.id, { username: 'bob' }, at(11 * minute)).drink.username).toBe('bob');
  expect(() => engine.drinks.claim(drink.id, { username: 'ana' }, at(11 * minute))).toThrow(conflict);
});

test('of two cancelled drinks the first is restored to a session without the other', () => {
  const { engine, store, drink } = bar();
  const second = insertPour(store, { ticks: 200 }, at(5 * minute));
  engine.drinks.cancel(drink.id, { spilled: false }, at(6 * minute));
  engine.drinks.cancel(second.id, { spilled: false }, at(6 * minute));
  const restored = engine.drinks.undo(drink.id, {}, at(7 * minute));
  expect(restored?.session?.volumeMl).toBe(300);
  expect(engine.site.checkDatabase()).toEqual([]);
  const both = engine.drinks.undo(second.id, {}, at(8 * minute));
  expect(both?.session).toMatchObject({ id: restored?.session?.id, volumeMl: 500 });
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a cancelled drink is not restored to a keg deleted since, and the error names that keg', () => {
  const { engine, keg, drink } = bar();
  engine.drinks.cancel(drink.id, { spilled: false }, at(hour));
  engine.kegs.end(keg.id, at(hour));
  engine.kegs.remove(keg.id);
  expect(() => engine.drinks.undo(drink.id, {}, at(2 * hour))).toThrow(
    expect.objectContaining({ code: 'conflict', message: `This cannot be undone: keg ${keg.id} is gone.` }),
  );
  expect(engine.drinks.get(drink.id)).toBeNull();
  expect(engine.site.checkDatabase()).toEqual([]);
});
