import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import { omitUndefined } from '../../../src/core/omit-undefined.ts';
import { at, hour, minute, openBar, openingMs, pour } from '../bar.ts';

test('a pour becomes a drink on the keg, in a session, at the time of its last tick', () => {
  const { engine, keg, left, events } = openBar();
  events.length = 0;
  const drink = engine.drinks.pours.record(pour(at(minute)), 'pin', at(minute + 5_000));
  expect(drink).toMatchObject({
    tapId: left.id,
    kegId: keg.id,
    ticks: 300,
    volumeMl: 300,
    volumeGiven: false,
    pourTimeMs: openingMs + minute,
    timeCertain: true,
    durationMs: 10_000,
    isValid: true,
    meter: 'pi.flow0',
    ticksLost: 0,
    username: null,
    source: 'pin',
  });
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBe(300);
  expect(engine.drinks.get(drink.id)?.session).toMatchObject({
    startTimeMs: openingMs + minute,
    endTimeMs: openingMs + minute + 3 * hour,
    volumeMl: 300,
  });
  expect(engine.taps.hardware.meters()[0]?.ticksTotal).toBe(300);
  expect(events).toEqual([{ type: 'drink.recorded', drink }]);
});

test('the same pour reported twice is one drink and publishes one event', () => {
  const { engine, events, keg } = openBar();
  const first = engine.drinks.pours.record(pour(at(minute), { pourId: 'once' }), 'pin', at(minute));
  events.length = 0;
  const again = engine.drinks.pours.record(pour(at(minute), { pourId: 'once' }), 'pin', at(2 * minute));
  expect(again).toEqual(first);
  expect(events).toEqual([]);
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBe(300);
  expect(engine.taps.hardware.meters()[0]?.ticksTotal).toBe(300);
});

test('the events of a drink are in order', () => {
  const { engine } = openBar();
  engine.users.addUser({ username: 'ana' }, at(0));
  engine.drinks.pours.report({ tap: 'pi.flow0', ticks: 26_000, username: 'ana', source: 'post' }, at(minute));
  expect(engine.drinks.events.list({ limit: 10 }).map((event) => event.kind)).toEqual([
    'keg_volume_low',
    'drink_poured',
    'session_joined',
    'session_started',
    'keg_tapped',
  ]);
});

test('each user joins a session once, unattributed drinks included', () => {
  const { engine } = openBar();
  engine.users.addUser({ username: 'ana' }, at(0));
  const report = (username: string, minutes: number) =>
    engine.drinks.pours.report(
      { tap: 'pi.flow0', ticks: 100, username, source: 'post' },
      at(minutes * minute),
    );
  report('ana', 1);
  report('', 2);
  report('ana', 3);
  report('guest', 4);
  const joined = engine.drinks.events.list({ limit: 100 }).filter((event) => event.kind === 'session_joined');
  expect(joined.map((event) => event.username)).toEqual([null, 'ana']);
});

test('the low-volume event is written once, when a drink crosses the mark', () => {
  const { engine, keg } = openBar();
  engine.drinks.pours.report({ tap: 'pi.flow0', ticks: 25_499, source: 'post' }, at(minute));
  const lows = () =>
    engine.drinks.events.list({ limit: 100 }).filter((event) => event.kind === 'keg_volume_low');
  expect(lows()).toEqual([]);
  engine.drinks.pours.report({ tap: 'pi.flow0', ticks: 1, source: 'post' }, at(2 * minute));
  engine.drinks.pours.report({ tap: 'pi.flow0', ticks: 100, source: 'post' }, at(3 * minute));
  expect(lows()).toHaveLength(1);
  expect(lows()[0]?.kegId).toBe(keg.id);
});

test('a tap without a keg records a drink', () => {
  const { engine } = openBar();
  const drink = engine.drinks.pours.record(pour(at(0), { meter: 'pi.flow1' }), 'pin', at(0));
  expect(drink).toMatchObject({ kegId: null, volumeMl: 150, isValid: true });
});

test.each([
  ['a pour of a meter without a tap', { meter: 'pi.flow2' }, 'unbound_meter'],
  ['a pour of an unknown meter', { meter: 'attic.flow9' }, 'unbound_meter'],
  ['a pour faster than beer can flow', { ticks: 5_000, durationMs: 1_000 }, 'impossible_flow'],
  ['a pour with electrical noise', { doubts: ['electrical_noise'] as const }, 'electrical_noise'],
  ['a pour that reached the maximum duration', { doubts: ['no_end'] as const }, 'no_end'],
])('%s is held, and counted in no keg, session, event or list', (_, options, reason) => {
  const { engine, keg } = openBar();
  const before = engine.drinks.events.list({ limit: 100 });
  const drink = engine.drinks.pours.record(pour(at(minute), options), 'pin', at(minute));
  expect(drink).toMatchObject({ isValid: false, heldReason: reason, kegId: null, sessionId: null });
  expect(engine.drinks.held().map((held) => held.id)).toEqual([drink.id]);
  expect(engine.drinks.list({})).toMatchObject({ total: 0, items: [] });
  expect(engine.drinks.events.list({ limit: 100 })).toEqual(before);
  expect(engine.drinks.events.currentSession(at(minute))).toBeNull();
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBe(0);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('another controller’s pour without a keg is accepted up to 100 litres, whatever its duration', () => {
  const { engine } = openBar();
  const report = (volumeMl: number) =>
    engine.drinks.pours.report(
      { tap: 'pi.flow1', ticks: 0, volumeMl, durationMs: 1, source: 'post' },
      at(minute),
    );
  expect(report(100_000).isValid).toBe(true);
  expect(report(100_001)).toMatchObject({ isValid: false, heldReason: 'too_large' });
});

test('a reported pour that is larger than its full keg by a tenth and half a litre is held; more than the rest of it is not', () => {
  const { engine, keg } = openBar();
  const report = (volumeMl: number, source: 'post' | 'device' = 'post') =>
    engine.drinks.pours.report({ tap: 'pi.flow0', ticks: 0, volumeMl, source }, at(minute));
  for (const source of ['post', 'device'] as const)
    expect(report(33_500.1, source)).toMatchObject({ isValid: false, heldReason: 'too_large', kegId: null });
  expect(report(33_500)).toMatchObject({ isValid: true, kegId: keg.id });
  expect(report(20_000)).toMatchObject({ isValid: true, kegId: keg.id });
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBe(53_500);
});

test('a stated volume takes precedence over the ticks, even 0', () => {
  const { engine } = openBar();
  const drink = engine.drinks.pours.report(
    { tap: 'pi.flow0', ticks: 300, volumeMl: 0, source: 'post' },
    at(0),
  );
  expect(drink).toMatchObject({ ticks: 300, volumeMl: 0, volumeGiven: true });
});

test('a pour names its tap by id, by decimal text or by meter', () => {
  const { engine, left } = openBar();
  for (const tap of [left.id, String(left.id), 'pi.flow0']) {
    expect(engine.drinks.pours.report({ tap, ticks: 10, source: 'post' }, at(0)).tapId).toBe(left.id);
  }
  expect(() => engine.drinks.pours.report({ tap: 'pi.flow9', ticks: 10, source: 'post' }, at(0))).toThrow(
    expect.objectContaining({ code: 'not_found' }),
  );
  expect(engine.drinks.pours.report({ tap: 'pi.flow2', ticks: 10, source: 'post' }, at(0))).toMatchObject({
    isValid: false,
    heldReason: 'unbound_meter',
  });
});

test('without a meter the volume is required', () => {
  const { engine } = openBar();
  const bare = engine.taps.create({ name: 'Hand pump' });
  const report = { tap: bare.id, ticks: 10, source: 'post' } as const;
  expect(() => engine.drinks.pours.report(report, at(0))).toThrow(
    expect.objectContaining({ code: 'invalid_request', fields: { volume_ml: expect.any(String) } }),
  );
  expect(engine.drinks.pours.report({ ...report, volumeMl: 250 }, at(0)).volumeMl).toBe(250);
});

test('an unknown name is stored as a claim, and the drink is recorded', () => {
  const { engine } = openBar();
  const drink = engine.drinks.pours.report({ tap: 1, ticks: 10, username: 'unknown', source: 'post' }, at(0));
  expect(drink).toMatchObject({ username: null, claimedUsername: 'unknown' });
});

test('a token resolves the user when no name is given, and is stored in the form of its id', () => {
  const { engine } = openBar();
  engine.users.addUser({ username: 'ana' }, at(0));
  engine.users.addUser({ username: 'bob' }, at(0));
  engine.access.tokens.create({ device: 'core.rfid', value: '0089F2C4', username: 'ana' }, at(0));
  const drinker = (authToken: string, username?: string) =>
    engine.drinks.pours.report(
      { tap: 1, ticks: 10, authToken, source: 'post', ...omitUndefined({ username }) },
      at(minute),
    );
  for (const text of ['core.rfid|0089f2c4', 'core.rfid|0089F2C4 ', 'core.rfid.0089F2C4', '0089f2c4']) {
    expect(drinker(text), text).toMatchObject({
      username: 'ana',
      authToken: text === '0089f2c4' ? text : 'core.rfid|0089f2c4',
    });
  }
  expect(drinker('core.rfid|0089f2c4', 'bob').username).toBe('bob');
  expect(drinker('nfc|0089f2c4')).toMatchObject({ username: null, authToken: 'nfc|0089f2c4' });
});

test('a token that is disabled, expired or shared by two devices resolves no user', () => {
  const { engine } = openBar();
  engine.users.addUser({ username: 'ana' }, at(0));
  const add = (device: string, value: string, options: { enabled?: boolean; expireTimeMs?: number } = {}) =>
    engine.access.tokens.create({ device, value, username: 'ana', ...options }, at(0));
  add('nfc', 'off', { enabled: false });
  add('nfc', 'old', { expireTimeMs: openingMs + minute });
  add('nfc', 'twin');
  add('badge', 'twin');
  const drinker = (authToken: string, now = at(minute)) =>
    engine.drinks.pours.report({ tap: 1, ticks: 10, authToken, source: 'post' }, now).username;
  expect(drinker('nfc|off')).toBeNull();
  expect(drinker('nfc|old', at(minute - 1))).toBe('ana');
  expect(drinker('nfc|old')).toBeNull();
  expect(drinker('twin')).toBeNull();
  expect(drinker('badge|twin')).toBe('ana');
});

test('a late pour counts from its end, and one from the future from now', () => {
  const { engine } = openBar();
  const time = (agoMs: number) =>
    engine.drinks.pours.report({ tap: 1, ticks: 10, agoMs, source: 'post' }, at(hour)).pourTimeMs;
  expect(time(20 * minute)).toBe(openingMs + 40 * minute);
  expect(time(-20 * minute)).toBe(openingMs + hour);
});

test('a malformed series is dropped, the drink stays', () => {
  const { engine } = openBar();
  const series = (text: string) =>
    engine.drinks.pours.report({ tap: 1, ticks: 10, series: text, source: 'post' }, at(0)).series;
  expect(series('500:4  0:6')).toBe('0:6 500:4');
  expect(series('lots of beer')).toBeNull();
});

test('a spill records no drink; reported again it is counted once', () => {
  const { engine, keg } = openBar();
  const spill = { tap: 'pi.flow0', ticks: 200, pourId: 'oops' };
  const first = engine.drinks.pours.spill(spill, at(minute));
  expect(first).toMatchObject({ spill: { volumeMl: 200, kegId: keg.id }, keg: { spilledVolumeMl: 200 } });
  expect(engine.drinks.pours.spill(spill, at(2 * minute))).toEqual(first);
  expect(engine.drinks.list({}).total).toBe(0);
  expect(engine.taps.hardware.meters()[0]?.ticksTotal).toBe(200);
  expect(() => engine.drinks.pours.report({ ...spill, source: 'manual' }, at(minute))).toThrow(
    expect.objectContaining({ code: 'conflict', reason: { name: 'idempotency_key_reused' } }),
  );
});

test('a spill on an empty tap is stored with the tap', () => {
  const { engine, right } = openBar();
  expect(engine.drinks.pours.spill({ tap: right.id, ticks: 200 }, at(0))).toMatchObject({
    spill: { tapId: right.id, kegId: null, volumeMl: 100 },
    keg: null,
  });
});

test('drips count for the meter only', () => {
  const { engine } = openBar();
  engine.drinks.pours.countDrips(
    {
      byMeter: new Map([
        ['pi.flow0', { ticks: 2, drips: 1 }],
        ['nobody.flow0', { ticks: 1, drips: 1 }],
      ]),
      counters: [],
    },
    at(0),
  );
  expect(engine.taps.hardware.meters()[0]?.ticksTotal).toBe(2);
  expect(engine.drinks.list({}).total).toBe(0);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test.each([
  ['ticks', { ticks: -1 }],
  ['ticks', { ticks: 1.5 }],
  ['ticks', { ticks: Number.NaN }],
  ['ticks', { ticks: 2 ** 31 }],
  ['volume_ml', { volumeMl: -0.1 }],
  ['volume_ml', { volumeMl: Number.POSITIVE_INFINITY }],
  ['volume_ml', { volumeMl: 10_000_001 }],
  ['duration', { durationMs: -1 }],
  ['duration', { durationMs: 86_400_001 }],
  ['pour_time', { agoMs: Number.NaN }],
  ['pour_id', { pourId: '' }],
  ['pour_id', { pourId: 'x'.repeat(65) }],
  ['username', { username: 'x'.repeat(129) }],
  ['auth_token', { authToken: 'x'.repeat(257) }],
  ['shout', { shout: 'x'.repeat(1_001) }],
])('a report with an invalid %s is refused with that field’s name: %o', (field, options) => {
  const { engine } = openBar();
  const report = () => engine.drinks.pours.report({ tap: 1, ticks: 10, source: 'post', ...options }, at(0));
  expect(report).toThrow(AppError);
  expect(report).toThrow(
    expect.objectContaining({ code: 'invalid_request', fields: { [field]: expect.any(String) } }),
  );
  expect(engine.drinks.list({}).total).toBe(0);
});

test('a pour finished after a restart keeps the wall time of its journal', () => {
  const { engine } = openBar();
  const now = at(hour, { bootId: 'boot-2', monoMs: 30_000 });
  const lost = { bootId: 'boot-1', recovered: true };
  const known = pour(now, { ...lost, endedWallMs: openingMs + 50 * minute, endedWallSynced: true });
  expect(engine.drinks.pours.record(known, 'pin', now)).toMatchObject({
    pourTimeMs: openingMs + 50 * minute,
    timeCertain: true,
    recovered: true,
  });
  const guessed = pour(now, { ...lost, endedWallMs: 5, endedWallSynced: false });
  expect(engine.drinks.pours.record(guessed, 'pin', now)).toMatchObject({
    pourTimeMs: openingMs + hour - 30_000,
    timeCertain: false,
  });
});
