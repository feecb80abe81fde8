import { expect, test } from 'vitest';
import { at, hour, minute, openBar, openingMs } from '../bar.ts';

function openTestBar() {
  const bar = openBar();
  const drink = (agoMs: number, now = at(24 * hour)) =>
    bar.engine.pours.report({ tap: 1, ticks: 100, agoMs, source: 'post' }, now);
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
  const started = engine.events.list({ limit: 100 }).filter((event) => event.kind === 'session_started');
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
  expect(engine.events.currentSession(at(3 * hour - 1))?.id).toBe(sessionId);
  expect(engine.events.currentSession(at(3 * hour))).toBeNull();
});

test('participants are all users with drinks in a session, each once', () => {
  const { engine } = openBar();
  for (const username of ['ana', 'ben', 'cleo']) engine.users.addUser({ username }, at(0));
  const drink = (username: string, now = at(0)) =>
    engine.pours.report({ tap: 1, ticks: 100, username, source: 'post' }, now).sessionId!;
  const session = drink('ben');
  for (const username of ['ana', 'ben', 'guest', 'unknown']) drink(username, at(minute));
  const later = drink('cleo', at(10 * hour));
  const names = (id: number) => engine.events.participants(id).map(({ username }) => username);
  expect(names(session)).toEqual(['ana', 'ben']);
  expect(names(later)).toEqual(['cleo']);
  expect(names(99)).toEqual([]);
});

test('a session is found by its id', () => {
  const { engine } = openBar();
  const { sessionId } = engine.pours.report({ tap: 1, ticks: 100, source: 'post' }, at(0));
  expect(engine.events.session(sessionId!)).toMatchObject({ id: sessionId, volumeMl: 100 });
  expect(engine.events.session(99)).toBeNull();
});
