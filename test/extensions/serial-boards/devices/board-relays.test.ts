import { describe, expect, test } from 'vitest';
import type { AppError } from '../../../../src/core/app-error.ts';
import { boardMessages } from '../kit/serial-board.ts';
import { createBoardRig } from './board-rig.ts';

const { hello, meter, output } = boardMessages;

/** A board that has just identified itself, and the commands sent to its relays since. */
function createRelayRig(firmware = 18) {
  const one = createBoardRig();
  one.send(hello({ firmware, uptimeMs: 60_000 }));
  const relays = one.board().relays!;
  const switched = () =>
    one.commands.flatMap((command) =>
      command.kind === 'set' ? [{ output: command.output, on: command.on }] : [],
    );
  const open = (port: string, limits: Parameters<typeof relays.open>[1]) =>
    relays.open(port, limits, one.now());
  return { ...one, relays, switched, open };
}

test('an open command is repeated well within the ten seconds after which the board shuts the relay', () => {
  const one = createRelayRig();
  one.open('relay0', { maxMs: 60_000 });
  one.pass(30_000);
  const times = one.commands.map(({ atMs }) => atMs);
  expect(one.switched().every(({ on }) => on)).toBe(true);
  for (let i = 1; i < times.length; i++) expect(times[i]! - times[i - 1]!).toBeLessThanOrEqual(2_100);
  expect(times.length).toBeGreaterThanOrEqual(14);
});

test('a relay shuts when its time is over, and off is repeated until the board confirms it', () => {
  const one = createRelayRig();
  one.open('relay1', { maxMs: 1_000 });
  one.pass(1_050);
  expect(one.relays.isOpen('relay1')).toBe(false);
  expect(one.switched().at(-1)).toEqual({ output: 1, on: false });
  one.send(output('relay1', false));
  one.pass(5_000);
  expect(one.switched().filter(({ on }) => !on)).toHaveLength(1);
});

test('an unconfirmed off is sent three times', () => {
  const one = createRelayRig();
  one.open('relay0', { maxMs: 60_000 });
  one.pass(100);
  one.relays.shut('relay0', one.now());
  one.pass(10_000);
  expect(one.switched().filter(({ on }) => !on)).toHaveLength(3);
});

test('a relay shuts when its meter reaches the tick limit', () => {
  const one = createRelayRig();
  one.send(meter('flow0', 1_000));
  one.open('relay0', { maxMs: 60_000, meter: 'flow0', maxTicks: 50 });
  one.send(meter('flow0', 1_049));
  expect(one.relays.isOpen('relay0')).toBe(true);
  one.send(meter('flow0', 1_050));
  expect(one.relays.isOpen('relay0')).toBe(false);
});

test('without heartbeats only off is sent', () => {
  const one = createRelayRig();
  one.open('relay0', { maxMs: 60_000 });
  one.pass(100);
  // No heartbeat for two seconds; the next step detects it.
  const { write } = one.board().step(one.now() + 2_001);
  expect(one.relays.isOpen('relay0')).toBe(false);
  expect(write).toHaveLength(1);
});

test('after a restart of the board its relays are shut and not reopened', () => {
  const one = createRelayRig();
  one.open('relay0', { maxMs: 60_000 });
  one.pass(100);
  one.send(hello({ uptimeMs: 0 }));
  expect(one.relays.isOpen('relay0')).toBe(false);
  const earlierCount = one.switched().length;
  one.pass(5_000);
  expect(one.switched()).toHaveLength(earlierCount);
});

test('a relay shut by the board’s watchdog is opened again within its limits', () => {
  const one = createRelayRig();
  one.open('relay0', { maxMs: 60_000 });
  one.pass(100);
  const earlierCount = one.switched().length;
  one.send(output('relay0', false));
  expect(one.switched().slice(earlierCount)).toEqual([{ output: 0, on: true }]);
});

test('four relays never overflow the board’s buffer while it plays a tune', () => {
  const one = createRelayRig();
  for (const port of ['relay0', 'relay1', 'relay2', 'relay3']) one.open(port, { maxMs: 20_000 });
  one.pass(10_000);
  for (const { atMs } of one.commands) {
    const within = one.commands.filter((other) => other.atMs >= atMs && other.atMs < atMs + 500);
    expect(within.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(63);
  }
  for (const number of [0, 1, 2, 3]) {
    const times = one.commands.flatMap((command) =>
      command.kind === 'set' && command.output === number ? [command.atMs] : [],
    );
    expect(times.length).toBeGreaterThanOrEqual(4);
  }
});

test('off is sent for an open relay before the port is closed', () => {
  const one = createRelayRig();
  one.open('relay2', { maxMs: 60_000 });
  expect(one.board().disconnect().write).toHaveLength(1);
});

describe('invalid limits', () => {
  const codeOf = (work: () => void) => {
    try {
      work();
      return null;
    } catch (fault) {
      return (fault as AppError).code;
    }
  };

  test('an unknown relay, an infinite time and ticks without a meter are rejected', () => {
    const one = createRelayRig(7);
    expect(codeOf(() => one.open('relay2', { maxMs: 1_000 }))).toBe('not_found');
    expect(codeOf(() => one.open('relay0', { maxMs: Number.POSITIVE_INFINITY }))).toBe('invalid_request');
    expect(codeOf(() => one.open('relay0', { maxMs: 1_000, maxTicks: 5 }))).toBe('invalid_request');
    expect(codeOf(() => one.relays.shut('relay9', one.now()))).toBeNull();
    expect(one.relays.isOpen('relay9')).toBe(false);
  });
});
