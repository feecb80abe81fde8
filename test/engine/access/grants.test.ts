import { expect, test } from 'vitest';
import { createEventBus } from '../../../src/core/event-bus.ts';
import { createEngine } from '../../../src/engine/create-engine.ts';
import type { ReaderPresentment } from '../../../src/engine/engine.ts';
import { systemActor } from '../../../src/engine/engine.ts';
import { at, minute, pour } from '../bar.ts';
import { openTokenBar } from './token-bar.ts';

const second = 1_000;

test('a token opens every tap of its controller, or only the one of its reader', () => {
  const { granted, left, right } = openTokenBar();
  expect(granted('anna').taps).toEqual([
    { tapId: left.id, meter: 'pi.flow0', toggle: 'pi.relay0', ticksPerMl: 1 },
    { tapId: right.id, meter: 'pi.flow1', toggle: null, ticksPerMl: 2 },
  ]);
  const at1 = granted('anna', at(minute), { tap: { name: 'Right', meterPort: 'flow1' } });
  expect(at1.taps.map(({ tapId }) => tapId)).toEqual([right.id]);
});

test('a reader’s tap stays assigned when staff rename it', () => {
  const { granted, store, left } = openTokenBar();
  store.taps.change(left.id, { name: 'Window' });
  const tap = { name: 'Left', meterPort: 'flow0' };
  expect(granted('anna', at(minute), { tap }).taps.map(({ tapId }) => tapId)).toEqual([left.id]);
  expect(granted('anna', at(minute), { tap: { name: 'Window' } }).taps).toHaveLength(1);
});

test('unknown, expired and disabled tokens, inactive accounts and readers without a tap are denied with a reason', () => {
  const { present, engine, store } = openTokenBar();
  engine.access.tokens.create(
    { device: 'core.rfid', value: 'fob-old', username: 'anna', expireTimeMs: at(0).wallMs },
    at(0),
  );
  engine.access.tokens.create(
    { device: 'core.rfid', value: 'fob-off', username: 'anna', enabled: false },
    at(0),
  );
  const denialReason = (name: string, more: Partial<ReaderPresentment> = {}) => {
    const answer = present(name, at(minute), more);
    return answer.kind === 'denied' ? answer.reason : null;
  };
  expect(denialReason('nobody')).toBe('Unknown token');
  expect(denialReason('old')).toBe('Token has expired');
  expect(denialReason('off')).toBe('Token is disabled');
  expect(denialReason('anna', { controller: 'kegboard-1' })).toBe('No tap is assigned to this reader yet');
  expect(denialReason('anna', { tap: { name: 'Nowhere' } })).toBe('No tap is assigned to this reader yet');
  expect(denialReason('bert')).toBeNull();
  store.transaction(() => store.users.change({ ...store.users.byName('bert')!, isActive: false }));
  expect(denialReason('bert')).toBe('This account is switched off');
  expect(engine.access.unknownTokens.list()).toMatchObject([{ tokenValue: 'fob-nobody', device: 'pi' }]);
});

test('the default duration is five minutes, the maximum an hour', () => {
  const { granted, store } = openTokenBar();
  expect(granted('anna').limits).toEqual({ maxVolumeMl: 0, maxDurationMs: 300_000, maxIdleMs: 30_000 });
  const bus = createEventBus(() => {});
  const generous = createEngine({
    store,
    bus,
    ids: { next: () => 'x' },
    settings: {
      maxFlowMlPerS: 200,
      grants: { maxVolumeMl: 500, maxDurationMs: 86_400_000, maxIdleMs: 0 },
    },
  });
  const answer = generous.access.grants.present(
    { controller: 'pi', authDevice: 'core.rfid', token: 'fob-anna' },
    at(minute),
  );
  expect(answer).toMatchObject({
    grant: { limits: { maxVolumeMl: 500, maxDurationMs: 3_600_000, maxIdleMs: 0 } },
  });
});

test('a pour belongs to the grant’s user while it ran, whoever has the token now', () => {
  const { granted, over, engine, store } = openTokenBar();
  const { id } = granted('anna', at(minute));
  over(id, at(2 * minute));
  const token = store.access.tokens.find('core.rfid', 'fob-anna')!;
  engine.access.tokens.change(token.id, { username: 'bert' });
  const record = (endedMs: number, meter = 'pi.flow0') =>
    engine.drinks.pours.record(pour(at(endedMs), { meter }), 'pin', at(10 * minute)).username;
  expect(record(minute + 30 * second)).toBe('anna');
  expect(record(minute + 30 * second, 'pi.flow1')).toBe('anna');
  // It began before the token was presented: the whole pour is the bearer's.
  expect(record(minute + 5 * second)).toBe('anna');
  // It was running when the valve closed.
  expect(record(2 * minute + 2 * second)).toBe('anna');
  expect(record(minute - second)).toBeNull();
  expect(record(3 * minute)).toBeNull();
  expect(record(minute + 30 * second, 'pi.flow2')).toBeNull();
});

test('the drink stores the presented token', () => {
  const { granted, engine } = openTokenBar();
  granted('anna', at(minute));
  const drink = engine.drinks.pours.record(pour(at(minute + 20 * second)), 'pin', at(2 * minute));
  expect(drink).toMatchObject({ username: 'anna', authToken: 'core.rfid|fob-anna' });
});

test('when a grant is replaced during flow, each pour gets its own user', () => {
  const { granted, over, engine } = openTokenBar();
  const { id: first } = granted('anna', at(minute));
  granted('bert', at(minute + 20 * second));
  over(first, at(minute + 20 * second));
  const record = (endedMs: number) =>
    engine.drinks.pours.record(pour(at(endedMs)), 'pin', at(10 * minute)).username;
  expect(record(minute + 19 * second)).toBe('anna');
  expect(record(minute + 40 * second)).toBe('bert');
});

test('after a crash no earlier grant is open, and the running pour keeps its user', () => {
  const { granted, engine, store } = openTokenBar();
  const { id } = granted('anna', at(minute));
  const later = at(0, { bootId: 'boot-2', monoMs: 20 * second });
  expect(engine.access.grants.endStale(later)).toBe(1);
  expect(engine.access.grants.endStale(later)).toBe(0);
  expect(engine.access.grants.findInvalidated([id])).toEqual(new Map([[id, 'command']]));
  expect(engine.access.grants.list({}).items[0]).toMatchObject({
    grant: { endedReason: 'restart', username: 'anna' },
  });
  const found = pour(at(minute + 30 * second), { recovered: true });
  expect(engine.drinks.pours.record(found, 'pin', later)).toMatchObject({
    username: 'anna',
    recovered: true,
  });
  expect(engine.drinks.pours.record(pour(later, { durationMs: 5_000 }), 'pin', later).username).toBeNull();
  expect(store.access.grants.open()).toEqual([]);
});

test('staff close one tap or all, once, and the audit log says who', () => {
  const { granted, engine, left } = openTokenBar();
  const { id } = granted('anna');
  expect(engine.access.grants.findInvalidated([id])).toEqual(new Map());
  expect(engine.access.grants.deauthorize({ tapId: left.id }, systemActor, at(2 * minute))).toBe(1);
  expect(engine.access.grants.deauthorize({ tapId: left.id }, systemActor, at(2 * minute))).toBe(0);
  expect(engine.access.grants.findInvalidated([id])).toEqual(new Map([[id, 'command']]));
  granted('bert');
  expect(engine.access.grants.deauthorize({}, systemActor, at(3 * minute))).toBe(1);
  expect(() => engine.access.grants.deauthorize({ tapId: 99 }, systemActor, at(3 * minute))).toThrow(
    'no tap 99',
  );
  const entries = engine.audit.list({}).items.filter(({ action }) => action === 'tap.deauthorized');
  expect(entries).toHaveLength(3);
});

test('a grant ends with its account', () => {
  const { granted, engine, store } = openTokenBar();
  const { id } = granted('anna');
  const user = store.users.byName('anna')!;
  store.transaction(() => store.users.change({ ...user, isActive: false }));
  expect(engine.access.grants.findInvalidated([id])).toEqual(new Map([[id, 'user']]));
});

test('a kegboard cannot end a grant of our own taps', () => {
  const { granted, store } = openTokenBar();
  const { id } = granted('anna');
  store.access.grants.end('pi', id, 'max_idle');
  expect(store.access.grants.byId(id)).toMatchObject({ endedReason: null, bootId: 'boot-1' });
});

test('grants are listed newest first, by page', () => {
  const { granted, engine } = openTokenBar();
  for (let i = 0; i < 5; i++) granted('anna', at(i * minute));
  const { total, items } = engine.access.grants.list({ limit: 2 });
  expect([total, items.map(({ grant }) => grant.serial)]).toEqual([5, [5, 4]]);
  expect(engine.access.grants.list({ start: 3, limit: 10 }).items.map(({ grant }) => grant.serial)).toEqual([
    3, 2, 1,
  ]);
});

test('disabling or deleting a token closes the tap it has opened', () => {
  const { engine, granted } = openTokenBar();
  const context = { actor: systemActor, now: at(2 * minute) };
  for (const spoil of [
    (id: number) => engine.access.tokens.change(id, { enabled: false }, context),
    (id: number) => engine.access.tokens.remove(id, context),
  ]) {
    const { id } = granted('anna');
    const token = engine.users.token('core.rfid', 'fob-anna')!;
    // Assigned to another user it stays open for the one who presented it.
    engine.access.tokens.change(token.id, { username: 'bert' }, context);
    expect(engine.access.grants.findInvalidated([id])).toEqual(new Map());
    engine.access.tokens.change(token.id, { username: 'anna' }, context);
    spoil(token.id);
    expect(engine.access.grants.findInvalidated([id])).toEqual(new Map([[id, 'command']]));
    if (engine.users.token('core.rfid', 'fob-anna'))
      engine.access.tokens.change(token.id, { enabled: true }, context);
  }
});
