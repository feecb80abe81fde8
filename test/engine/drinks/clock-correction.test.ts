import { expect, test } from 'vitest';
import type { Moment } from '../../../src/core/clock/moment.ts';
import { at, hour, minute, openBar, openingMs, pour } from '../bar.ts';

/** A moment of a clock that is not set and wrong by so much. */
function unset(afterOpeningMs: number, wrongMs: number, options: Partial<Moment> = {}): Moment {
  const moment = at(afterOpeningMs, options);
  return { ...moment, wallMs: moment.wallMs + wrongMs, synced: false };
}

test('drinks poured before the clock was set get their true time, and their session shifts as a whole', () => {
  const { engine, events } = openBar();
  const slow = -30 * 24 * hour;
  const first = engine.drinks.pours.record(pour(unset(0, slow)), 'pin', unset(0, slow));
  const second = engine.drinks.pours.record(pour(unset(hour, slow)), 'pin', unset(hour, slow));
  expect(first).toMatchObject({ timeCertain: false, pourTimeMs: openingMs + slow });
  events.length = 0;
  expect(engine.drinks.clockCorrection.correct(at(2 * hour))).toBe(2);
  expect(events).toEqual([{ type: 'database.changed' }]);
  expect(engine.drinks.get(first.id)).toMatchObject({
    drink: { timeCertain: true, pourTimeMs: openingMs, sessionId: first.sessionId },
    session: { startTimeMs: openingMs, endTimeMs: openingMs + 4 * hour, volumeMl: 600 },
  });
  expect(engine.drinks.get(second.id)?.drink.sessionId).toBe(first.sessionId);
  const times = engine.drinks.events
    .list({ limit: 100 })
    .map(({ kind, timeMs }) => [kind, timeMs - openingMs]);
  expect(times).toEqual([
    ['drink_poured', hour],
    ['drink_poured', 0],
    ['session_joined', 0],
    ['session_started', 0],
    ['keg_tapped', 0],
  ]);
});

test('correcting twice moves nothing twice', () => {
  const { engine, events } = openBar();
  engine.drinks.pours.record(pour(unset(0, hour)), 'pin', unset(0, hour));
  expect(engine.drinks.clockCorrection.correct(at(2 * hour))).toBe(1);
  events.length = 0;
  expect(engine.drinks.clockCorrection.correct(at(3 * hour))).toBe(0);
  expect(events).toEqual([]);
  expect(engine.drinks.newest(1)[0]?.pourTimeMs).toBe(openingMs);
});

test('an unset clock corrects nothing', () => {
  const { engine } = openBar();
  engine.drinks.pours.record(pour(unset(0, hour)), 'pin', unset(0, hour));
  expect(engine.drinks.clockCorrection.correct(unset(2 * hour, hour))).toBe(0);
  expect(engine.drinks.newest(1)[0]?.timeCertain).toBe(false);
});

test('a drink that only a wrong clock put into yesterday’s session gets its own', () => {
  const { engine } = openBar();
  const yesterday = engine.drinks.pours.record(pour(at(0)), 'pin', at(0));
  // After a power cut of a day the clock continues where it stopped.
  const boot2 = { bootId: 'boot-2', monoMs: 0 };
  const now = (minutes: number) =>
    unset(24 * hour + minutes * minute, -24 * hour, { ...boot2, monoMs: minutes * minute });
  const one = engine.drinks.pours.record(pour(now(10)), 'pin', now(10));
  const two = engine.drinks.pours.record(pour(now(20)), 'pin', now(20));
  expect([one.sessionId, two.sessionId]).toEqual([yesterday.sessionId, yesterday.sessionId]);

  expect(engine.drinks.clockCorrection.correct(at(25 * hour, { bootId: 'boot-2', monoMs: hour }))).toBe(2);
  expect(engine.drinks.get(yesterday.id)?.session).toMatchObject({
    id: yesterday.sessionId,
    startTimeMs: openingMs,
    endTimeMs: openingMs + 3 * hour,
    volumeMl: 300,
  });
  const moved = engine.drinks.get(one.id);
  expect(moved?.session).toMatchObject({
    startTimeMs: openingMs + 24 * hour + 10 * minute,
    endTimeMs: openingMs + 27 * hour + 20 * minute,
    volumeMl: 600,
  });
  expect(engine.drinks.get(two.id)?.session).toEqual(moved?.session);
  const findKinds = (id: number) =>
    engine.drinks.events
      .list({ limit: 100 })
      .filter((event) => event.drinkId === id)
      .map((event) => [event.kind, event.sessionId]);
  expect(findKinds(yesterday.id)).toEqual([
    ['drink_poured', yesterday.sessionId],
    ['session_joined', yesterday.sessionId],
    ['session_started', yesterday.sessionId],
  ]);
  expect(findKinds(one.id)).toEqual([
    ['session_joined', moved?.session?.id],
    ['session_started', moved?.session?.id],
    ['drink_poured', moved?.session?.id],
  ]);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a moved drink that still fits stays in its session', () => {
  const { engine } = openBar();
  const certain = engine.drinks.pours.record(pour(at(0)), 'pin', at(0));
  const late = { bootId: 'boot-2' };
  const moved = engine.drinks.pours.record(
    pour(unset(hour, -10 * minute, late)),
    'pin',
    unset(hour, -10 * minute, late),
  );
  expect(moved.sessionId).toBe(certain.sessionId);
  engine.drinks.clockCorrection.correct(at(2 * hour, late));
  expect(engine.drinks.get(moved.id)).toMatchObject({
    drink: { sessionId: certain.sessionId, pourTimeMs: openingMs + hour },
    session: { endTimeMs: openingMs + 4 * hour, volumeMl: 600 },
  });
});

test('a session that began with a moved drink begins with the next one', () => {
  const { engine } = openBar();
  const fast = 20 * hour;
  const early = engine.drinks.pours.record(pour(unset(0, fast)), 'pin', unset(0, fast));
  // Another controller reports an hour after our provisional time, with a set clock.
  const certain = engine.drinks.pours.report(
    { tap: 1, ticks: 100, source: 'post' },
    at(21 * hour, { bootId: 'boot-2' }),
  );
  expect(certain.sessionId).toBe(early.sessionId);
  engine.drinks.clockCorrection.correct(at(hour));
  expect(engine.drinks.get(early.id)?.session).toMatchObject({ startTimeMs: openingMs, volumeMl: 300 });
  expect(engine.drinks.get(certain.id)?.session).toMatchObject({
    id: certain.sessionId,
    startTimeMs: openingMs + 21 * hour,
    volumeMl: 100,
  });
  const starts = engine.drinks.events
    .list({ limit: 100 })
    .filter((event) => event.kind === 'session_started');
  expect(starts.map((event) => [event.sessionId, event.drinkId])).toContainEqual([
    certain.sessionId,
    certain.id,
  ]);
  expect(starts).toHaveLength(2);
});

test('sessions kept apart by an unset clock are one after the correction', () => {
  const { engine } = openBar();
  const first = engine.drinks.pours.record(pour(at(0)), 'pin', at(0));
  const boot2 = { bootId: 'boot-2' };
  const drink = engine.drinks.pours.record(
    pour(unset(hour, -90 * 24 * hour, boot2)),
    'pin',
    unset(hour, -90 * 24 * hour, boot2),
  );
  engine.drinks.clockCorrection.correct(at(2 * hour, boot2));
  expect(engine.drinks.get(drink.id)).toMatchObject({
    drink: { sessionId: first.sessionId },
    session: { startTimeMs: openingMs, volumeMl: 600 },
  });
  expect(engine.drinks.events.session(drink.sessionId!)?.id).toBe(first.sessionId);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('uncertain times of another boot stay unchanged', () => {
  const { engine } = openBar();
  const drink = engine.drinks.pours.record(pour(unset(0, hour)), 'pin', unset(0, hour));
  expect(engine.drinks.clockCorrection.correct(at(2 * hour, { bootId: 'boot-2' }))).toBe(0);
  expect(engine.drinks.get(drink.id)?.drink).toEqual(drink);
});

test('a pour recovered from before a restart gets the time of the restart once that is known', () => {
  const { engine } = openBar();
  const now = unset(10 * minute, -hour, { bootId: 'boot-2', monoMs: 10 * minute });
  const drink = engine.drinks.pours.record(pour(now, { bootId: 'boot-1', recovered: true }), 'pin', now);
  expect(drink).toMatchObject({ timeCertain: false, pourTimeMs: openingMs - hour });
  engine.drinks.clockCorrection.correct(at(20 * minute, { bootId: 'boot-2', monoMs: 20 * minute }));
  expect(engine.drinks.get(drink.id)?.drink).toMatchObject({ timeCertain: true, pourTimeMs: openingMs });
});

test('kegs, spills, readings and accounts are corrected with the drinks', () => {
  const { engine, store, right } = openBar();
  const wrong = -400 * 24 * hour;
  const now = (minutes: number) => unset(minutes * minute, wrong);
  const keg = engine.kegs.start(
    right.id,
    { beverage: { name: 'Stout', producerName: 'Brewery', styleName: '' } },
    now(10),
  );
  const { spill } = engine.drinks.pours.spill({ tap: right.id, ticks: 10, pourId: 'oops' }, now(20));
  engine.temperatures.log({ sensor: 'cellar', tempC: 4 }, now(20));
  engine.kegs.end(keg.id, now(30));
  engine.users.addUser({ username: 'ana' }, now(31));
  engine.access.tokens.create({ device: 'nfc', value: '1' }, now(32));
  engine.drinks.clockCorrection.correct(at(hour));
  expect(engine.kegs.get(keg.id)).toMatchObject({
    createdTimeMs: openingMs + 10 * minute,
    startedTimeMs: openingMs + 10 * minute,
    finishedTimeMs: openingMs + 30 * minute,
  });
  expect(engine.drinks.events.list({ limit: 2 }).map(({ kind, timeMs }) => [kind, timeMs])).toEqual([
    ['keg_ended', openingMs + 30 * minute],
    ['keg_tapped', openingMs + 10 * minute],
  ]);
  expect(store.drinks.spills.byId(spill!.id)).toEqual({ ...spill, timeMs: openingMs + 20 * minute });
  expect(engine.temperatures.find('cellar')?.last?.timeMs).toBe(openingMs + 20 * minute);
  expect(engine.users.user('ana')?.joinedTimeMs).toBe(openingMs + 31 * minute);
  expect(engine.users.token('nfc', '1')?.createdTimeMs).toBe(openingMs + 32 * minute);
});

test('the event of a keg’s end is corrected even when the keg was reactivated meanwhile', () => {
  const { engine, keg } = openBar();
  engine.kegs.end(keg.id, unset(hour, -5 * hour));
  engine.kegs.reactivate(keg.id);
  engine.drinks.clockCorrection.correct(at(2 * hour));
  expect(engine.drinks.events.list({ limit: 1 })).toMatchObject([
    { kind: 'keg_ended', timeMs: openingMs + hour },
  ]);
});

test('of two readings that fall into one minute the later received stays', () => {
  const { engine } = openBar();
  // The wrong clock was ten seconds before a full minute.
  engine.temperatures.log({ sensor: 'cellar', tempC: 4 }, unset(5_000, 45_000));
  engine.temperatures.log({ sensor: 'cellar', tempC: 5 }, unset(25_000, 45_000));
  engine.drinks.clockCorrection.correct(at(hour));
  expect(engine.temperatures.find('cellar')?.last).toMatchObject({ tempC: 5, timeMs: openingMs });
});

test('the newest synced time survives a restart; an unset clock does not raise it', () => {
  const { engine, store } = openBar();
  expect(engine.drinks.clockCorrection.newestSyncedMs()).toBe(openingMs);
  engine.drinks.pours.record(pour(at(hour)), 'pin', at(hour));
  engine.drinks.pours.record(pour(unset(2 * hour, 0)), 'pin', unset(2 * hour, 0));
  expect(engine.drinks.clockCorrection.newestSyncedMs()).toBe(openingMs + hour);
  expect(store.site.newestSyncedMs()).toBe(openingMs + hour);
});

test('a clock set back wins over a newer time', () => {
  const { engine } = openBar();
  engine.drinks.pours.record(pour(at(100 * hour)), 'pin', at(100 * hour));
  engine.drinks.clockCorrection.correct(at(hour));
  expect(engine.drinks.clockCorrection.newestSyncedMs()).toBe(openingMs + hour);
});

test('a reported pour is as certain as our own clock, and is corrected with it', () => {
  const { engine } = openBar();
  const report = { tap: 1, ticks: 100, agoMs: 10 * minute, source: 'post' } as const;
  const drink = engine.drinks.pours.report(report, unset(hour, -9 * hour));
  expect(drink.timeCertain).toBe(false);
  engine.drinks.clockCorrection.correct(at(2 * hour));
  expect(engine.drinks.get(drink.id)?.drink).toMatchObject({
    timeCertain: true,
    pourTimeMs: openingMs + 50 * minute,
  });
});

test('a drink with a wrong time does not move the start of its keg', () => {
  const { engine, keg } = openBar();
  engine.drinks.pours.record(pour(unset(hour, -90 * 24 * hour)), 'pin', unset(hour, -90 * 24 * hour));
  engine.kegs.end(keg.id, at(2 * hour));
  expect(engine.kegs.get(keg.id)?.startedTimeMs).toBe(openingMs);
});

test('a trusted clock that was an hour slow is corrected: its pours move, times from elsewhere stay', () => {
  const { engine } = openBar();
  const slow = (ms: number) => at(ms, { wallMs: openingMs - hour + ms });
  const early = engine.drinks.pours.record(pour(slow(10 * minute)), 'pin', slow(10 * minute));
  const other = { bootId: 'boot-0' };
  const yesterday = engine.drinks.pours.record(pour(at(-24 * hour, other)), 'pin', at(-24 * hour, other));
  engine.drinks.clockCorrection.markTimesUncertain(slow(20 * minute));
  expect(engine.drinks.clockCorrection.correct(at(20 * minute))).toBe(1);
  expect(engine.drinks.get(early.id)?.drink).toMatchObject({
    pourTimeMs: openingMs + 10 * minute,
    timeCertain: true,
    durationMs: early.durationMs,
  });
  expect(engine.drinks.get(yesterday.id)?.drink).toEqual(yesterday);
  expect(engine.site.checkDatabase()).toEqual([]);
});
