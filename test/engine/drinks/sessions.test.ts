import { expect, test } from 'vitest';
import { at, hour, minute, openBar, openingMs, pour } from '../bar.ts';

function openTestBar() {
  const bar = openBar();
  const drink = (agoMs: number, now = at(24 * hour)) =>
    bar.engine.drinks.pours.report({ tap: 1, ticks: 100, agoMs, source: 'post' }, now);
  return { ...bar, drink };
}

test('drinks less than the timeout apart are one session, a longer gap starts another', () => {
  const { drink } = openTestBar();
  const first = drink(10 * hour);
  expect(drink(10 * hour - 179 * minute).sessionId).toBe(first.sessionId);
  expect(drink(4 * hour).sessionId).not.toBe(first.sessionId);
});

test('a drink exactly one timeout after the last starts a new session', () => {
  const { drink } = openTestBar();
  const first = drink(10 * hour);
  expect(drink(7 * hour).sessionId).not.toBe(first.sessionId);
});

test('a late drink joins its own session and does not extend the current one', () => {
  const { drink, engine } = openTestBar();
  const yesterday = drink(20 * hour);
  const tonight = drink(0);
  const late = drink(19 * hour);
  expect(late.sessionId).toBe(yesterday.sessionId);
  expect(engine.drinks.get(tonight.id)?.session?.startTimeMs).toBe(openingMs + 24 * hour);
  expect(drink(12 * hour).sessionId).not.toBe(yesterday.sessionId);
});

test('a drink shortly before a session’s first moves its start and events', () => {
  const { drink, engine } = openTestBar();
  const first = drink(10 * hour);
  expect(drink(12 * hour).sessionId).toBe(first.sessionId);
  const start = openingMs + 12 * hour;
  expect(engine.drinks.get(first.id)?.session?.startTimeMs).toBe(start);
  const started = engine.drinks.events
    .list({ limit: 100 })
    .filter((event) => event.kind === 'session_started');
  expect(started.map((event) => event.timeMs)).toEqual([start]);
});

test('the timeout is a site setting for later drinks', () => {
  const { drink, engine } = openTestBar();
  const first = drink(10 * hour);
  engine.users.changeSite({ sessionTimeoutMinutes: 30 });
  const next = drink(4 * hour);
  expect(drink(4 * hour - 31 * minute).sessionId).not.toBe(next.sessionId);
  expect(first.sessionId).not.toBe(next.sessionId);
});

test('a session keeps the time zone in which it began', () => {
  const { drink, engine } = openTestBar();
  engine.users.changeSite({ timeZone: 'Europe/Berlin' });
  const id = drink(0).id;
  engine.users.changeSite({ timeZone: 'UTC' });
  expect(engine.drinks.get(id)?.session?.timeZone).toBe('Europe/Berlin');
});

test('the current session ends one timeout after its last drink', () => {
  const { drink, engine } = openTestBar();
  const { sessionId } = drink(0, at(0));
  expect(engine.drinks.events.currentSession(at(3 * hour - 1))?.id).toBe(sessionId);
  expect(engine.drinks.events.currentSession(at(3 * hour))).toBeNull();
});

test('participants are all users with drinks in a session, each once', () => {
  const { engine } = openBar();
  for (const username of ['ana', 'ben', 'cleo']) engine.users.addUser({ username }, at(0));
  const drink = (username: string, now = at(0)) =>
    engine.drinks.pours.report({ tap: 1, ticks: 100, username, source: 'post' }, now).sessionId!;
  const session = drink('ben');
  for (const username of ['ana', 'ben', 'guest', 'unknown']) drink(username, at(minute));
  const later = drink('cleo', at(10 * hour));
  const names = (id: number) => engine.drinks.events.participants(id).map(({ username }) => username);
  expect(names(session)).toEqual(['ana', 'ben']);
  expect(names(later)).toEqual(['cleo']);
  expect(names(99)).toEqual([]);
});

test('a session is found by its id', () => {
  const { engine } = openBar();
  const { sessionId } = engine.drinks.pours.report({ tap: 1, ticks: 100, source: 'post' }, at(0));
  expect(engine.drinks.events.session(sessionId!)).toMatchObject({ id: sessionId, volumeMl: 100 });
  expect(engine.drinks.events.session(99)).toBeNull();
});

/** A, three hours and six minutes later C, and B in the middle. */
function openBarWithLatePour() {
  const bar = openTestBar();
  const [a, c, b] = [10 * hour, 6.9 * hour, 8.45 * hour].map((agoMs) => bar.drink(agoMs));
  return { ...bar, a: a!, b: b!, c: c! };
}

const eventsOf = ({ engine }: Pick<ReturnType<typeof openTestBar>, 'engine'>, kind: string) =>
  engine.drinks.events.list({ limit: 1_000 }).filter((event) => event.kind === kind);

test('a late drink makes two sessions one: the lower id stays, and the other leads to it', () => {
  const bar = openBarWithLatePour();
  const { engine, a, b, c } = bar;
  expect([a.sessionId, c.sessionId, b.sessionId]).toEqual([1, 2, 1]);
  const session = {
    id: 1,
    startTimeMs: a.pourTimeMs,
    endTimeMs: c.pourTimeMs + 3 * hour,
    volumeMl: 300,
  };
  expect(engine.drinks.get(c.id)?.session).toMatchObject(session);
  expect(engine.drinks.events.session(2)).toMatchObject(session);
  expect(engine.lists.sessions({}).items).toHaveLength(1);
  expect(engine.lists.drinks({ sessionId: 2 }).items.map(({ id }) => id)).toEqual([b.id, c.id, a.id]);
  expect(eventsOf(bar, 'session_started')).toMatchObject([{ sessionId: 1, drinkId: a.id }]);
  expect(eventsOf(bar, 'session_joined')).toMatchObject([{ sessionId: 1, drinkId: a.id }]);
  expect(eventsOf(bar, 'session_merged')).toMatchObject([
    { sessionId: 1, mergedSessionId: 2, timeMs: c.pourTimeMs, drinkId: null },
  ]);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a session keeps the name, the statistics and the day of those that became part of it', () => {
  const { engine, store, drink } = openTestBar();
  drink(10 * hour);
  drink(6.9 * hour);
  store.drinks.sessions.setName(2, 'Quiz night');
  drink(8.45 * hour);
  expect(engine.drinks.events.session(1)?.name).toBe('Quiz night');
  expect(engine.reports.statistics.get({ kind: 'session', id: 2 })).toMatchObject({ pours: 3 });
  expect(engine.reports.statistics.sessionDays()).toMatchObject([{ sessions: 1 }]);
});

test('cancelling the drink in the middle splits a session, and its undo joins the parts again', () => {
  const bar = openBarWithLatePour();
  const { engine, a, b, c } = bar;
  engine.drinks.cancel(b.id, { spilled: false }, at(25 * hour));
  expect(engine.drinks.get(a.id)?.session).toMatchObject({
    id: 1,
    endTimeMs: a.pourTimeMs + 3 * hour,
    volumeMl: 100,
  });
  expect(engine.drinks.get(c.id)?.session).toMatchObject({ id: 3, startTimeMs: c.pourTimeMs, volumeMl: 100 });
  const started = eventsOf(bar, 'session_started').map(({ sessionId, drinkId, timeMs }) => [
    sessionId,
    drinkId,
    timeMs,
  ]);
  expect(started).toEqual([
    [3, c.id, c.pourTimeMs],
    [1, a.id, a.pourTimeMs],
  ]);
  expect(eventsOf(bar, 'session_joined').map(({ drinkId }) => drinkId)).toEqual([c.id, a.id]);
  expect(engine.site.checkDatabase()).toEqual([]);

  engine.drinks.undo(b.id, {}, at(26 * hour));
  expect(engine.lists.sessions({}).items).toMatchObject([{ id: 1, volumeMl: 300 }]);
  expect(engine.drinks.events.session(3)?.id).toBe(1);
  expect(eventsOf(bar, 'session_started')).toHaveLength(1);
  expect(eventsOf(bar, 'session_joined')).toHaveLength(1);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a split and a start of long ago send no message, a merge does', () => {
  const { engine, drink, store } = openTestBar();
  store.notifications.eventReceivers.useForNews(() => [{ kind: 'radio', target: 'club', maxWaiting: 100 }]);
  const topics = () => engine.notifications.outbox.list({ limit: 1_000 }).items.map(({ topic }) => topic);
  drink(10 * hour);
  drink(6.9 * hour);
  const b = drink(8.45 * hour);
  const sent = topics();
  expect(sent.filter((topic) => topic === 'session_merged')).toHaveLength(1);
  engine.drinks.cancel(b.id, { spilled: false }, at(25 * hour));
  expect(topics().filter((topic) => topic === 'session_started')).toHaveLength(2);
});

test('the first drink of a session that is cancelled hands its start over', () => {
  const bar = openTestBar();
  const [first, next] = [bar.drink(10 * hour), bar.drink(9 * hour)];
  bar.engine.drinks.cancel(first.id, { spilled: false }, at(25 * hour));
  expect(eventsOf(bar, 'session_started')).toMatchObject([
    { sessionId: 1, drinkId: next.id, timeMs: next.pourTimeMs },
  ]);
});

test('a changed timeout leaves earlier sessions as they are, also when their drinks change', () => {
  const { drink, engine } = openTestBar();
  drink(10 * hour);
  const middle = drink(8 * hour);
  drink(6 * hour);
  engine.users.changeSite({ sessionTimeoutMinutes: 30 });
  engine.drinks.edit(middle.id, { volumeMl: 200 }, at(25 * hour));
  expect(engine.lists.sessions({}).items).toMatchObject([
    { volumeMl: 400, endTimeMs: openingMs + 21 * hour },
  ]);
  // Poured before the change and reported late.
  expect(drink(11 * hour).sessionId).toBe(1);
  expect(drink(3.5 * hour).sessionId).toBe(1);
  expect(drink(2.9 * hour).sessionId).not.toBe(1);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a timeout that was changed by a clock that was fast holds from now on once the clock is right', () => {
  const { engine } = openBar();
  const fast = (ms: number) => at(ms, { wallMs: openingMs + 365 * 24 * hour + ms });
  engine.drinks.pours.record(pour(fast(0)), 'pin', fast(0));
  engine.users.changeSite({ sessionTimeoutMinutes: 30 });
  engine.drinks.clockCorrection.markTimesUncertain(fast(minute));
  engine.drinks.clockCorrection.correct(at(minute));
  const [one, two] = [2, 3].map((hours) =>
    engine.drinks.pours.record(pour(at(hours * hour)), 'pin', at(hours * hour)),
  );
  expect(two!.sessionId).not.toBe(one!.sessionId);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('the check of the database finds drinks of one time in two sessions, and a session with a gap', () => {
  const { engine, store, drink } = openTestBar();
  const drinks = [10, 9, 3].map((hours) => drink(hours * hour));
  const faults = () => engine.site.checkDatabase().map(({ what }) => what);
  expect(faults()).toEqual([]);
  store.drinks.setSession(drinks[1]!.id, 2);
  expect(faults()).toEqual(expect.arrayContaining(['start of session 2', 'end of session 1']));
  store.drinks.setSession(drinks[1]!.id, 1);
  store.drinks.setSession(drinks[2]!.id, 1);
  expect(faults()).toContain('parts of session 1');
});
