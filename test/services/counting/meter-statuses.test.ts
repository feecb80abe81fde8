import { expect, test } from 'vitest';
import { joinMessages, textProblem } from '../../../src/core/health/problems.ts';
import type { LineState, PulseInput } from '../../../src/devices/device-interfaces.ts';
import { lineProblems, toMeterStatuses } from '../../../src/services/counting/meter-statuses.ts';

const line = (name: string, lost: number | null): LineState => ({
  name,
  pin: 17,
  received: 100,
  lost,
  level: 1,
});
const input = (driver: string, lines: LineState[], faults: PulseInput['faults'] = []): PulseInput => ({
  driver,
  description: [],
  faults,
  drain: () => ({ lines: [], untilMonoMs: 0 }),
  lines: () => lines,
  close: async () => {},
});

const relays = new Set(['pi.relay0']);

test('a meter without lost ticks is counting', () => {
  expect(toMeterStatuses(input('cdev', [line('pi.flow0', 0)]), relays)).toEqual([
    { meter: 'pi.flow0', state: 'counting', problem: null },
  ]);
});

test('a meter that missed ticks reports how many; a driver that cannot prove its count is named', () => {
  const lines = toMeterStatuses(input('onoff', [line('pi.flow0', 12), line('pi.flow1', null)]), relays);
  expect(lines.map(({ state }) => state)).toEqual(['losing', 'losing']);
  expect(lines[0]!.problem?.message).toMatch(/^12 ticks/);
  expect(lines[1]!.problem?.message).toMatch(/onoff/);
});

test('a line that could not be opened is a fault with its problem; the other counts', () => {
  const faults = [{ name: 'pi.flow0', problem: textProblem('Line 17 is taken by "fan".') }];
  const lines = toMeterStatuses(input('cdev', [line('pi.flow0', null), line('pi.flow1', 0)], faults), relays);
  expect(lines).toEqual([
    { meter: 'pi.flow0', state: 'fault', problem: textProblem('Line 17 is taken by "fan".') },
    { meter: 'pi.flow1', state: 'counting', problem: null },
  ]);
});

const taken = (name: string, pin: number) => ({
  name,
  problem: textProblem(`GPIO ${pin} is taken by "fan".`),
});

test('a relay that cannot be opened is reported, and counting is not affected', () => {
  expect(lineProblems([taken('pi.relay0', 5)], relays)).toEqual({
    counting: [],
    toggles: [textProblem('GPIO 5 is taken by "fan".')],
  });
});

test('a relay that cannot be opened is no meter', () => {
  const faults = [{ name: 'pi.relay0', problem: textProblem('GPIO 5 is taken by "fan".') }];
  expect(toMeterStatuses(input('cdev', [line('pi.flow0', 0)], faults), relays)).toEqual([
    { meter: 'pi.flow0', state: 'counting', problem: null },
  ]);
});

test('every meter that does not count is reported, and no relay', () => {
  const dead = textProblem('The pin thread ended.');
  const faults = [
    taken('pi.flow0', 17),
    ...['pi.flow1', 'pi.flow2'].map((name) => ({ name, problem: dead })),
  ];
  const { counting, toggles } = lineProblems(faults, relays);
  expect(joinMessages(counting)).toBe('GPIO 17 is taken by "fan". The pin thread ended.');
  expect(toggles).toEqual([]);
  expect(lineProblems([], relays)).toEqual({ counting: [], toggles: [] });
});
