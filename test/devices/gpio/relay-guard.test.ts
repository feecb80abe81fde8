import { expect, test } from 'vitest';
import { RelayGuard } from '../../../src/devices/gpio/relay-guard.ts';

const noTicks = () => 0;

test('a relay shuts exactly when its time is over', () => {
  const guard = new RelayGuard();
  guard.open(0, 1_000, { maxMs: 500 });
  expect(guard.msUntilNextCheck(1_200)).toBe(300);
  expect(guard.takeExpired(1_499, noTicks)).toEqual([]);
  expect(guard.takeExpired(1_500, noTicks)).toEqual([{ relay: 0, reason: 'time' }]);
  expect(guard.takeExpired(1_600, noTicks)).toEqual([]);
});

test('a relay shuts after its allowed ticks, counted from its opening', () => {
  const guard = new RelayGuard();
  guard.open(0, 0, { maxMs: 60_000, line: 2, maxTicks: 100, ticksNow: 1_000 });
  expect(guard.takeExpired(100, (line) => (line === 2 ? 1_099 : 9_999))).toEqual([]);
  expect(guard.takeExpired(200, () => 1_100)).toEqual([{ relay: 0, reason: 'ticks' }]);
});

test('two seconds without a heartbeat shut every relay', () => {
  const guard = new RelayGuard();
  guard.open(0, 0, { maxMs: 60_000 });
  guard.open(1, 500, { maxMs: 60_000 });
  guard.noteHeartbeat(1_000);
  expect(guard.msUntilNextCheck(1_000)).toBe(2_000);
  expect(guard.takeExpired(2_999, noTicks)).toEqual([]);
  expect(guard.takeExpired(3_000, noTicks)).toEqual([
    { relay: 0, reason: 'no_heartbeat' },
    { relay: 1, reason: 'no_heartbeat' },
  ]);
});

test('opening again renews the limits, and a shut relay never expires', () => {
  const guard = new RelayGuard();
  guard.open(0, 0, { maxMs: 1_000 });
  guard.open(0, 900, { maxMs: 1_000 });
  expect(guard.takeExpired(1_500, noTicks)).toEqual([]);
  guard.shut(0);
  expect(guard.takeExpired(9_000, noTicks)).toEqual([]);
  expect(guard.msUntilNextCheck(9_000)).toBe(Number.POSITIVE_INFINITY);
});
