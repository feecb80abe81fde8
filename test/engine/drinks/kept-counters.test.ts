import { expect, test } from 'vitest';
import type { CounterPosition } from '../../../src/core/pours/counter-position.ts';
import { toKeptCounter } from '../../../src/core/pours/counter-position.ts';
import { at, hour, minute, openBar, pour } from '../bar.ts';

/** The total of a board that started with the machine. */
const position = (total: number, afterOpeningMs: number): CounterPosition => ({
  total,
  serialNumber: 'KB-1',
  boardStartMonoMs: 0,
  bootId: 'boot-1',
  atMonoMs: at(afterOpeningMs).monoMs,
});

test('a pour of a serial board stores the board’s total with the drink, and a later one replaces it', () => {
  const { engine } = openBar();
  const totals = () => engine.drinks.pours.keptCounters().map(({ position: { total } }) => total);
  engine.drinks.pours.record(pour(at(minute), { position: position(300, minute) }), 'serial', at(minute));
  expect(engine.drinks.pours.keptCounters()).toEqual([
    toKeptCounter('pi.flow0', position(300, minute), at(minute)),
  ]);
  engine.drinks.pours.record(
    pour(at(3 * minute), { position: position(900, 3 * minute) }),
    'serial',
    at(3 * minute),
  );
  // This one waited in the journal while the later one was recorded.
  engine.drinks.pours.record(
    pour(at(2 * minute), { position: position(600, 2 * minute) }),
    'serial',
    at(4 * minute),
  );
  expect(totals()).toEqual([900]);
});

test('drips move the total on; a pour from the pins stores none', () => {
  const { engine } = openBar();
  engine.drinks.pours.record(pour(at(minute)), 'pin', at(minute));
  expect(engine.drinks.pours.keptCounters()).toEqual([]);
  const counter = toKeptCounter('pi.flow0', position(302, 2 * minute), at(2 * minute));
  engine.drinks.pours.countDrips(
    { byMeter: new Map([['pi.flow0', { ticks: 2, drips: 1 }]]), counters: [counter] },
    at(2 * minute),
  );
  expect(engine.drinks.pours.keptCounters()).toEqual([counter]);
});

test('unobserved ticks are nobody’s drink at an uncertain time, also while a token’s owner pours', () => {
  const { engine, left, keg } = openBar();
  engine.users.addUser({ username: 'anna' }, at(0));
  engine.access.tokens.create({ device: 'core.rfid', value: 'card', username: 'anna' }, at(0));
  engine.access.grants.present({ controller: 'pi', authDevice: 'core.rfid', token: 'card' }, at(minute));
  const unobserved = pour(at(2 * minute), { durationMs: 0, recovered: true, unobserved: true });
  const drink = engine.drinks.pours.record(unobserved, 'serial', at(2 * minute));
  expect(drink).toMatchObject({ username: null, authToken: null, timeCertain: false, tapId: left.id });
  // 300 mL in no time would be an impossible flow.
  expect(drink).toMatchObject({ heldReason: null, kegId: keg.id });
  const watched = engine.drinks.pours.record(pour(at(2 * minute)), 'serial', at(2 * minute));
  expect(watched).toMatchObject({ username: 'anna', timeCertain: true });
});

test('a clock correction leaves the time of unobserved ticks uncertain', () => {
  const { engine } = openBar();
  const unobserved = pour(at(minute), { durationMs: 0, recovered: true, unobserved: true });
  const { id, pourTimeMs } = engine.drinks.pours.record(unobserved, 'serial', at(minute));
  engine.drinks.clockCorrection.markTimesUncertain(at(2 * minute));
  expect(engine.drinks.clockCorrection.correct(at(hour, { wallMs: at(3 * hour).wallMs }))).toBe(0);
  expect(engine.drinks.get(id)?.drink).toMatchObject({ pourTimeMs, timeCertain: false });
});
