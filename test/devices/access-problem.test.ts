import { expect, test } from 'vitest';
import { accessProblem } from '../../src/devices/access-problem.ts';
import { chipProblem, lineProblem } from '../../src/devices/gpio/line-problems.ts';

const host = { board: 'Raspberry Pi 4', kernel: '6.12' };
const chip = { path: '/dev/gpiochip0', label: 'pinctrl-bcm2711', lines: 58 };
const reader = { path: '/dev/ttyS0', kind: 'reader', group: 'dialout' } as const;

test('a refusal of file permissions names the group', () => {
  expect(accessProblem('EACCES', reader).message).toMatch(/may not be opened by this user.*group.*dialout/);
});

test('a refusal of the device cgroup names the unit’s device list, and no group', () => {
  const problem = accessProblem('EPERM', reader).message;
  expect(problem).toMatch(/device cgroup.*DeviceAllow=\/dev\/ttyS0 rw.*systemctl edit/);
  expect(problem).not.toMatch(/dialout/);
});

test.each([
  ['a chip', (code: string) => chipProblem({ code, path: chip.path }, host)],
  ['a GPIO line', (code: string) => lineProblem({ code, pin: 17, chip }, host)],
])('%s that is refused distinguishes the two', (_, problemOf) => {
  expect(problemOf('EPERM').message).toMatch(/DeviceAllow=\/dev\/gpiochip0 rw/);
  expect(problemOf('EACCES').message).toMatch(/group that owns \/dev\/gpiochip0, usually gpio/);
});
