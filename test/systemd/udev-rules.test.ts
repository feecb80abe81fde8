import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { productDirectory } from '../../src/system/product.ts';

interface Rule {
  /** Patterns of `KERNEL`, with alternatives. */
  readonly kernel: RegExp;
  readonly group: string | undefined;
  /** The command that the rule runs. */
  readonly command: string | undefined;
}

/** The rules of one subsystem. */
function rulesOf(subsystem: string): Rule[] {
  const text = readFileSync(join(productDirectory, 'systemd', '60-tapster.rules'), 'utf8');
  const rules = text.split('\n').filter((line) => line.includes(`SUBSYSTEM=="${subsystem}"`));
  return rules.map((rule) => {
    const fieldOf = (key: string) => new RegExp(`(?:^|, )${key}[=+]=?"([^"]*)"`).exec(rule)?.[1];
    const pattern = (fieldOf('KERNEL') ?? '').replaceAll('*', '.*');
    return { kernel: new RegExp(`^(${pattern})$`), group: fieldOf('GROUP'), command: fieldOf('RUN') };
  });
}

/** A bus with a sensor below a folder that stands for /sys. */
function busWithSensor() {
  const sys = mkdtempSync(join(tmpdir(), 'udev-'));
  const bus = join(sys, 'devices/w1_bus_master1');
  mkdirSync(join(bus, '28-00000a1b2c3d'), { recursive: true });
  return { sys, bus, bulkFile: join(bus, 'therm_bulk_read') };
}

/** Runs a rule's command as udev does for the sensor, with the test's own group in place of gpio. */
function runForSensor(command: string, sys: string) {
  const own = command.replaceAll('/sys%p', `${sys}/devices/w1_bus_master1/28-00000a1b2c3d`);
  const shell = /^\/bin\/sh -c '(.*)'$/.exec(own.replaceAll('chgrp gpio', `chgrp ${process.getgid!()}`))?.[1];
  return spawnSync('/bin/sh', ['-c', shell ?? 'exit 9'], { encoding: 'utf8' });
}

test('the 1-Wire rule matches every family of thermometers, and neither the bus nor an iButton', () => {
  const [rule, ...more] = rulesOf('w1');
  expect(more).toEqual([]);
  for (const family of ['10', '22', '28', '3b', '42']) expect(`${family}-00000a1b2c3d`).toMatch(rule!.kernel);
  for (const name of ['w1_bus_master1', '01-00000a1b2c3d']) expect(name).not.toMatch(rule!.kernel);
});

test('the 1-Wire rule lets the group write the bulk file of the bus', () => {
  const { sys, bulkFile } = busWithSensor();
  writeFileSync(bulkFile, '');
  chmodSync(bulkFile, 0o644);
  const { status, stderr } = runForSensor(rulesOf('w1')[0]!.command!, sys);
  expect([status, stderr]).toEqual([0, '']);
  expect(statSync(bulkFile).mode & 0o777).toBe(0o664);
});

test('the 1-Wire rule succeeds with a kernel that has no bulk conversion', () => {
  const { sys } = busWithSensor();
  const { status, stderr } = runForSensor(rulesOf('w1')[0]!.command!, sys);
  expect([status, stderr]).toEqual([0, '']);
});

test.each(['ttyUSB0', 'ttyACM1', 'ttyAMA0', 'ttyAMA10', 'ttyS0'])(
  'the serial port %s belongs to dialout',
  (name) => {
    const groups = rulesOf('tty').filter(({ kernel }) => kernel.test(name));
    expect(groups.map(({ group }) => group)).toEqual(['dialout']);
  },
);

test('a virtual console does not belong to dialout', () => {
  expect(rulesOf('tty').filter(({ kernel }) => kernel.test('tty1'))).toEqual([]);
});
