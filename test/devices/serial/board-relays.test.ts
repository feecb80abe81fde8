import { describe, expect, test } from 'vitest';
import type { AppError } from '../../../src/core/app-error.ts';
import { boardMessages } from '../../kit/serial-board.ts';
import { createBoardRig } from './board-rig.ts';

const { hello, meter, output } = boardMessages;

/** A board that was just greeted, and what its relays were told since. */
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

test('an open relay is told so again well inside the ten seconds after which the board shuts it', () => {
  const one = createRelayRig();
  one.open('relay0', { maxMs: 60_000 });
  one.pass(30_000);
  const times = one.commands.map(({ atMs }) => atMs);
  expect(one.switched().every(({ on }) => on)).toBe(true);
  for (let i = 1; i < times.length; i++) expect(times[i]! - times[i - 1]!).toBeLessThanOrEqual(2_100);
  expect(times.length).toBeGreaterThanOrEqual(14);
});

test('it shuts when its time is over, and off is said until the board agrees', () => {
  const one = createRelayRig();
  one.open('relay1', { maxMs: 1_000 });
  one.pass(1_050);
  expect(one.relays.isOpen('relay1')).toBe(false);
  expect(one.switched().at(-1)).toEqual({ output: 1, on: false });
  one.send(output('relay1', false));
  one.pass(5_000);
  expect(one.switched().filter(({ on }) => !on)).toHaveLength(1);
});

test('an off that is never confirmed is said three times', () => {
  const one = createRelayRig();
  one.open('relay0', { maxMs: 60_000 });
  one.pass(100);
  one.relays.shut('relay0', one.now());
  one.pass(10_000);
  expect(one.switched().filter(({ on }) => !on)).toHaveLength(3);
});

test('it shuts when its meter has given what it may', () => {
  const one = createRelayRig();
  one.send(meter('flow0', 1_000));
  one.open('relay0', { maxMs: 60_000, meter: 'flow0', maxTicks: 50 });
  one.send(meter('flow0', 1_049));
  expect(one.relays.isOpen('relay0')).toBe(true);
  one.send(meter('flow0', 1_050));
  expect(one.relays.isOpen('relay0')).toBe(false);
});

test('when the main loop falls silent nothing more is said but off', () => {
  const one = createRelayRig();
  one.open('relay0', { maxMs: 60_000 });
  one.pass(100);
  // Nobody gave a heartbeat for two seconds; the next look finds it.
  const { write } = one.board().step(one.now() + 2_001);
  expect(one.relays.isOpen('relay0')).toBe(false);
  expect(write).toHaveLength(1);
});

test('a board that begins again has shut its relays, and nobody opens them by himself', () => {
  const one = createRelayRig();
  one.open('relay0', { maxMs: 60_000 });
  one.pass(100);
  one.send(hello({ uptimeMs: 0 }));
  expect(one.relays.isOpen('relay0')).toBe(false);
  const earlierCount = one.switched().length;
  one.pass(5_000);
  expect(one.switched()).toHaveLength(earlierCount);
});

test('a relay the board shut by its watchdog is opened again while it may be open', () => {
  const one = createRelayRig();
  one.open('relay0', { maxMs: 60_000 });
  one.pass(100);
  const earlierCount = one.switched().length;
  one.send(output('relay0', false));
  expect(one.switched().slice(earlierCount)).toEqual([{ output: 0, on: true }]);
});

test('four relays at once never overfill the board’s small buffer while a tune makes it deaf', () => {
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

test('what is open is told off before the port is let go', () => {
  const one = createRelayRig();
  one.open('relay2', { maxMs: 60_000 });
  expect(one.board().disconnect().write).toHaveLength(1);
});

describe('what cannot be', () => {
  const codeOf = (work: () => void) => {
    try {
      work();
      return null;
    } catch (fault) {
      return (fault as AppError).code;
    }
  };

  test('a relay the board does not have, a time without end, ticks of no meter', () => {
    const one = createRelayRig(7);
    expect(codeOf(() => one.open('relay2', { maxMs: 1_000 }))).toBe('not_found');
    expect(codeOf(() => one.open('relay0', { maxMs: Number.POSITIVE_INFINITY }))).toBe('invalid_request');
    expect(codeOf(() => one.open('relay0', { maxMs: 1_000, maxTicks: 5 }))).toBe('invalid_request');
    expect(codeOf(() => one.relays.shut('relay9', one.now()))).toBeNull();
    expect(one.relays.isOpen('relay9')).toBe(false);
  });
});
