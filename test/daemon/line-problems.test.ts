import { expect, test } from 'vitest';
import { lineProblems } from '../../src/daemon/line-problems.ts';

const relays = new Set(['pi.relay0']);
const taken = (name: string, pin: number) => ({ name, problem: `GPIO ${pin} is taken by "fan".` });

test('a relay that cannot be opened is reported, and counting is not affected', () => {
  expect(lineProblems([taken('pi.relay0', 5)], relays)).toEqual({
    counting: null,
    toggles: 'GPIO 5 is taken by "fan".',
  });
});

test('every meter that does not count is reported, and a shared reason appears once', () => {
  const dead = 'The pin thread ended.';
  const faults = [
    taken('pi.flow0', 17),
    ...['pi.flow1', 'pi.flow2'].map((name) => ({ name, problem: dead })),
  ];
  expect(lineProblems(faults, relays)).toEqual({
    counting: 'GPIO 17 is taken by "fan". The pin thread ended.',
    toggles: null,
  });
  expect(lineProblems([], relays)).toEqual({ counting: null, toggles: null });
});
