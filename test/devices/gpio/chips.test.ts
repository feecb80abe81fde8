import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { omitUndefined } from '../../../src/core/omit-undefined.ts';
import { chooseChip, chooseSysfsChip, listChips, listSysfsChips } from '../../../src/devices/gpio/chips.ts';
import { formatHostInfo, type Roots, readHostInfo } from '../../../src/devices/gpio/host-info.ts';

let folder: string;
let roots: Roots;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gpio-'));
  roots = { dev: join(folder, 'dev'), sys: join(folder, 'sys'), proc: join(folder, 'proc') };
  for (const root of Object.values(roots)) mkdirSync(root);
});
afterEach(() => rmSync(folder, { recursive: true }));

const hostInfo = { board: 'Raspberry Pi 5 Model B Rev 1.0', kernel: '6.12.96' };

/** A device file whose content is the label of the chip. */
function addChip(name: string, label: string): void {
  writeFileSync(join(roots.dev, name), label);
}

/** Reads a chip's information as the kernel would; a label starting with "!" is an error code. */
function readInfo(path: string) {
  const label = readFileSync(path, 'utf8');
  if (label.startsWith('!')) throw Object.assign(new Error(label), { code: label.slice(1) });
  return { name: path.slice(path.lastIndexOf('/') + 1), label, lines: 54 };
}

const choose = (configuredChip?: string) =>
  chooseChip(listChips(roots, readInfo), {
    hostInfo,
    ...omitUndefined({ configuredChip }),
  });

const getProblem = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    return String(error);
  }
  return 'nothing was wrong';
};

test('a Pi 5’s header chip is found by its label at any number', () => {
  addChip('gpiochip0', 'gpio-brcmstb@107d508500');
  addChip('gpiochip11', 'pinctrl-rp1');
  expect(choose()).toMatchObject({ path: join(roots.dev, 'gpiochip11'), label: 'pinctrl-rp1', lines: 54 });
});

test('a chip with an unknown label is found by its device tree entry', () => {
  addChip('gpiochip3', 'fancy');
  const node = join(roots.sys, 'bus/gpio/devices/gpiochip3/of_node');
  mkdirSync(node, { recursive: true });
  writeFileSync(join(node, 'compatible'), 'brcm,bcm2711-gpio\0brcm,bcm2835-gpio\0');
  expect(choose().path).toBe(join(roots.dev, 'gpiochip3'));
});

test('a configured label or path takes precedence', () => {
  addChip('gpiochip0', 'pinctrl-bcm2835');
  addChip('gpiochip1', 'taps');
  expect(choose('taps').path).toBe(join(roots.dev, 'gpiochip1'));
  expect(choose(join(roots.dev, 'gpiochip1')).label).toBe('taps');
});

test('a second path to the same chip is not a second chip', () => {
  addChip('gpiochip0', 'pinctrl-rp1');
  symlinkSync('gpiochip0', join(roots.dev, 'gpiochip4'));
  expect(choose().path).toBe(join(roots.dev, 'gpiochip0'));
  expect(choose(join(roots.dev, 'gpiochip4')).path).toBe(join(roots.dev, 'gpiochip0'));
});

test('two chips with the same label are rejected', () => {
  addChip('gpiochip0', 'taps');
  addChip('gpiochip1', 'taps');
  expect(getProblem(() => choose('taps'))).toMatch(/gpiochip0.*gpiochip1.*path/);
});

test('the message for a missing chip names board, kernel and the chips found', () => {
  expect(getProblem(() => choose())).toContain('Raspberry Pi 5 Model B Rev 1.0, Linux 6.12.96');
  addChip('gpiochip0', 'INT33FF:00');
  expect(getProblem(() => choose())).toMatch(/"INT33FF:00".*gpio\.chip/);
  expect(getProblem(() => choose('taps'))).toMatch(/labelled “taps”.*"INT33FF:00"/);
  expect(getProblem(() => choose('/dev/gpiochip99'))).toMatch(/gpiochip99.*does not exist/);
});

test('the message for a chip without permission names the group to join, unless another chip matches', () => {
  addChip('gpiochip0', '!EACCES');
  expect(getProblem(() => choose())).toMatch(/gpiochip0.*group/);
  expect(getProblem(() => choose(join(roots.dev, 'gpiochip0')))).toMatch(/gpiochip0.*group/);
  addChip('gpiochip1', 'pinctrl-rp1');
  expect(choose().label).toBe('pinctrl-rp1');
});

test('the message for a chip that rejects the ioctl points to an old kernel', () => {
  addChip('gpiochip0', '!EINVAL');
  expect(getProblem(() => choose())).toContain('Linux 5.10');
});

test('the sysfs chip’s base is found by label, not by name', () => {
  for (const [name, label, base] of [
    ['gpiochip512', 'raspberrypi-exp-gpio', '512'],
    ['gpiochip520', 'pinctrl-bcm2711', '520'],
  ] as const) {
    const directory = join(roots.sys, 'class/gpio', name);
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'label'), `${label}\n`);
    writeFileSync(join(directory, 'base'), `${base}\n`);
    writeFileSync(join(directory, 'ngpio'), '58\n');
  }
  const chips = listSysfsChips(roots);
  expect(chooseSysfsChip(chips, { hostInfo })).toEqual({ label: 'pinctrl-bcm2711', base: 520, lines: 58 });
  expect(chooseSysfsChip(chips, { hostInfo, configuredChip: 'raspberrypi-exp-gpio' }).base).toBe(512);
  expect(getProblem(() => chooseSysfsChip(chips, { hostInfo, configuredChip: 'taps' }))).toContain('"taps"');
  expect(getProblem(() => chooseSysfsChip([], { hostInfo }))).toContain('no GPIO under /sys/class/gpio');
});

test('the board’s model is read without the device tree’s zero byte', () => {
  mkdirSync(join(roots.proc, 'device-tree'));
  writeFileSync(join(roots.proc, 'device-tree/model'), 'Raspberry Pi 4 Model B Rev 1.5\0');
  mkdirSync(join(roots.proc, 'sys/kernel'), { recursive: true });
  writeFileSync(join(roots.proc, 'sys/kernel/osrelease'), '6.6.20+rpt-rpi-v8\n');
  expect(formatHostInfo(readHostInfo(roots))).toBe('Raspberry Pi 4 Model B Rev 1.5, Linux 6.6.20+rpt-rpi-v8');
});

test('a machine without a device tree has no name of its board', () => {
  expect(formatHostInfo(readHostInfo(roots))).toBe('Linux');
});
