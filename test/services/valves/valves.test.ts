import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import { joinMessages, textProblem } from '../../../src/core/health/problems.ts';
import type { ToggleOutput } from '../../../src/devices/device-interfaces.ts';
import { createSimulatedPins } from '../../../src/devices/simulated/simulated-pins.ts';
import { PresentedTokens } from '../../../src/services/valves/presented-tokens.ts';
import { Valves } from '../../../src/services/valves/valves.ts';

/** A simulated meter with its relay, and `Valves` over it. */
function createValves(...boards: ToggleOutput[]) {
  let now = 1_000;
  const pins = createSimulatedPins({
    meters: [{ name: 'pi.flow0', pin: 17 }],
    toggles: [{ name: 'pi.relay0', pin: 24 }],
    nowMonoMs: () => now,
  });
  const problems: (string | null)[] = [];
  const valves = new Valves({
    controller: 'pi',
    pins,
    boards,
    nowMonoMs: () => now,
    isPinMeter: (meter) => meter === 'pi.flow0',
    reportProblem: (current) => problems.push(joinMessages(current)),
  });
  return {
    pins,
    valves,
    problems,
    pass(ms: number) {
      for (const end = now + ms; now < end; ) {
        now = Math.min(end, now + 50);
        pins.drain();
        pins.heartbeat();
      }
    },
  };
}

const relay = 'pi.relay0';

test('a valve with two holders shuts when the last one releases it', () => {
  const { valves, pass } = createValves();
  valves.open(relay, 'g1', { untilMonoMs: 10_000 });
  valves.open(relay, 'manual', { untilMonoMs: 5_000 });
  valves.release(relay, 'g1');
  expect(valves.isOpen(relay)).toBe(true);
  pass(4_000);
  expect(valves.poll()).toEqual([]);
  expect([valves.isOpen(relay), valves.needs()]).toEqual([false, []]);
});

test('shut closes the relay whoever holds it', () => {
  const { valves } = createValves();
  valves.open(relay, 'g1', { untilMonoMs: 10_000 });
  valves.open(relay, 'manual', { untilMonoMs: 10_000 });
  valves.shut(relay);
  valves.release(relay, 'g1');
  expect([valves.isOpen(relay), valves.poll()]).toEqual([false, []]);
});

test('a tick limit shuts the relay, and manual opening lifts the limit', () => {
  const { valves, pins, pass } = createValves();
  const need = { untilMonoMs: 100_000, meter: 'pi.flow0', maxTicks: 100 };
  valves.open(relay, 'g1', need);
  pins.pulse('pi.flow0', 100, 500);
  pass(500);
  expect(valves.isOpen(relay)).toBe(false);
  expect(valves.poll()).toEqual([{ toggle: relay, holders: ['g1'] }]);
  expect(valves.poll()).toEqual([]);

  valves.open(relay, 'g2', need);
  valves.open(relay, 'manual', { untilMonoMs: 100_000 });
  pins.pulse('pi.flow0', 200, 500);
  pass(1_000);
  expect(valves.isOpen(relay)).toBe(true);
});

test('a meter of another controller, or an unknown one, does not limit a relay', () => {
  const { valves } = createValves();
  for (const meter of ['kegboard-1.flow0', 'pi.flow9']) {
    valves.open(relay, 'g1', { untilMonoMs: 10_000, meter, maxTicks: 10 });
    expect(valves.isOpen(relay)).toBe(true);
  }
});

test('a relay that cannot be switched is reported until it can', () => {
  let isAway = true;
  const board: ToggleOutput = {
    open() {
      if (isAway) throw new AppError('unavailable', 'The board is not connected.');
    },
    shut() {},
    isOpen: () => !isAway,
    heartbeat() {},
    close: async () => {},
  };
  const { valves, problems } = createValves(board);
  const open = () => valves.open('kegboard-1.relay0', 'g1', { untilMonoMs: 10_000 });
  expect(open).toThrow('not connected');
  expect([problems, valves.needs()]).toEqual([['The board is not connected.'], []]);
  isAway = false;
  open();
  expect(problems.at(-1)).toBeNull();
  isAway = true;
  expect(valves.poll()).toEqual([{ toggle: 'kegboard-1.relay0', holders: ['g1'] }]);
  valves.reportUnexpectedShut('kegboard-1.relay0');
  expect(problems.at(-1)).toContain('did not stay open');
  valves.reportFailure(relay, textProblem('Relay pi.relay0 could not be switched (EIO).'));
  expect(problems.at(-1)).toMatch(/did not stay open.*EIO/);
});

test('a relay of a board is refused when no serial board is configured', () => {
  const { valves, problems } = createValves();
  expect(() => valves.open('kegboard-1.relay0', 'g1', { untilMonoMs: 10_000 })).toThrow('not connected');
  expect(problems.at(-1)).toContain('kegboard-1.relay0');
  const before = problems.length;
  expect(() => valves.requireDriver('kegboard-1.relay0')).toThrow('not connected');
  valves.shut('kegboard-1.relay0');
  valves.shut('pi.relay9');
  expect(problems).toHaveLength(before);
  expect(valves.isOpen('pi.relay9')).toBe(false);
});

test('a relay that cannot be switched off is reported, and shut returns false', () => {
  const stuck: ToggleOutput = {
    open() {},
    shut() {
      throw new Error('EIO');
    },
    isOpen: () => true,
    heartbeat() {},
    close: async () => {},
  };
  const { valves, problems } = createValves(stuck);
  valves.open('kegboard-1.relay0', 'g1', { untilMonoMs: 10_000 });
  expect(valves.shut('kegboard-1.relay0')).toBe(false);
  expect(problems.at(-1)).toMatch(/cannot be switched off\. Disconnect the valve’s power\./);
  expect(valves.shut(relay)).toBe(true);
});

test('a card held at a reader is one presentment, however often it is reported', () => {
  const presentedTokens = new PresentedTokens();
  const blue = { controller: 'pi', reader: 'a', device: 'core.rfid', value: 'b1' };
  const acceptedAtMs: number[] = [];
  for (let now = 0; now < 10_000; now += 500) if (presentedTokens.isNew(blue, now)) acceptedAtMs.push(now);
  expect(acceptedAtMs).toEqual([0]);
  expect(presentedTokens.isNew({ ...blue, reader: 'b' }, 10_000)).toBe(true);
  expect(presentedTokens.isNew(blue, 12_000)).toBe(true);
  presentedTokens.remove(blue);
  expect(presentedTokens.isNew(blue, 12_500)).toBe(true);
});

test('a reader is limited to five presentments a second', () => {
  const presentedTokens = new PresentedTokens();
  let accepted = 0;
  for (let i = 0; i < 100; i++) {
    const token = { controller: 'pi', device: 'core.rfid', value: `${i}` };
    if (presentedTokens.isNew(token, i * 20)) accepted++;
  }
  expect(accepted).toBe(10);
});

test('the problem of a relay ends when its board is plugged in again, but not when switching fails again', () => {
  let isThere = false;
  const serial: ToggleOutput = {
    open(name) {
      throw new AppError('unavailable', `The relay ${name} does not answer.`);
    },
    shut() {},
    isOpen: () => false,
    isConnected: () => isThere,
    heartbeat() {},
    close: async () => {},
  };
  const { valves, problems } = createValves(serial);
  const open = () => valves.open('kegboard-1.relay0', 'g1', { untilMonoMs: 10_000 });
  expect(open).toThrow('does not answer');
  valves.poll();
  expect(problems).toEqual(['The relay kegboard-1.relay0 does not answer.']);
  isThere = true;
  valves.poll();
  expect(problems.at(-1)).toBeNull();
  expect(open).toThrow('does not answer');
  valves.poll();
  expect(problems.at(-1)).toBe('The relay kegboard-1.relay0 does not answer.');
});

test('a relay of a board is switched by the source that has the board', () => {
  const opened: string[] = [];
  const source = (board: string): ToggleOutput => ({
    open: (name) => void opened.push(`${board} ${name}`),
    shut() {},
    isOpen: () => false,
    isConnected: (name) => name.startsWith(`${board}.`),
    heartbeat() {},
    close: async () => {},
  });
  const { valves } = createValves(source('left'), source('right'));
  for (const relay of ['right.relay0', 'left.relay0', 'gone.relay0'])
    valves.open(relay, 'g1', { untilMonoMs: 10_000 });
  expect(opened).toEqual(['right right.relay0', 'left left.relay0', 'left gone.relay0']);
  expect(() => createValves().valves.requireDriver('right.relay0')).toThrow('not connected');
});
