import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findMount } from '../../../src/system/health/mounts.ts';
import { powerFindings } from '../../../src/system/health/power-health.ts';
import { storageFindings } from '../../../src/system/health/storage-health.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tapster-pi-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function writeKernelFile(file: string, text: string): void {
  const path = join(root, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${text}\n`);
}

const statuses = (findings: readonly { readonly status: string }[]) => findings.map(({ status }) => status);

test('a machine that shows neither voltage nor temperature has unknown findings', () => {
  expect(statuses(powerFindings(root))).toEqual(['unknown', 'unknown']);
});

test('low voltage is reported from the kernel’s alarm', () => {
  writeKernelFile('class/hwmon/hwmon0/name', 'cpu_thermal');
  writeKernelFile('class/hwmon/hwmon1/name', 'rpi_volt');
  writeKernelFile('class/hwmon/hwmon1/in0_lcrit_alarm', '0');
  writeKernelFile('class/thermal/thermal_zone0/temp', '52582');
  expect(powerFindings(root)).toEqual([
    { status: 'ok', text: 'The supply voltage is high enough.' },
    { status: 'ok', text: 'The processor has 53 °C.' },
  ]);
  writeKernelFile('class/hwmon/hwmon1/in0_lcrit_alarm', '1');
  writeKernelFile('class/thermal/thermal_zone0/temp', '81200');
  expect(statuses(powerFindings(root))).toEqual(['warn', 'warn']);
});

const onCard = '29 1 179:2 / / rw,noatime shared:1 - ext4 /dev/mmcblk0p2 rw';

test('a working card has no fault, and the test write leaves no file', () => {
  writeKernelFile('self/mountinfo', onCard);
  writeKernelFile('fs/ext4/mmcblk0p2/errors_count', '0');
  const data = join(root, 'data');
  mkdirSync(data);
  const findings = storageFindings(data, { sysDirectory: root, procDirectory: root });
  expect(findings[0]).toEqual({
    status: 'ok',
    text: 'The data is on ext4 (/), which is persistent.',
  });
  expect(findings[2]?.status).toBe('ok');
  expect(findings[3]?.text).toMatch(/^A durable write took \d+ ms\.$/);
  expect(readdirSync(data)).toEqual([]);
});

test('a card with counted errors is a failure', () => {
  writeKernelFile('fs/ext4/mmcblk0p2/errors_count', '3');
  const found = storageFindings(root, { sysDirectory: root, procDirectory: root })[2];
  expect(found).toMatchObject({
    status: 'fail',
    text: 'File system errors have been counted: mmcblk0p2 3.',
  });
});

test('a missing folder is checked at its nearest parent without writing', () => {
  writeKernelFile('self/mountinfo', onCard);
  const found = storageFindings(join(root, 'gone', 'deep'), { sysDirectory: root, procDirectory: root });
  expect(found[0]?.status).toBe('ok');
  expect(statuses(found.slice(2))).toEqual(['unknown', 'unknown']);
  expect(found[1]?.text).toMatch(/ GB are free beside the database\.$/);
});

test('a file in place of the folder is a failure with one sentence', () => {
  writeKernelFile('data', 'not a folder');
  const found = storageFindings(join(root, 'data'), { sysDirectory: root, procDirectory: root })[3];
  expect(found).toMatchObject({
    status: 'fail',
    text: `Nothing can be written to ${join(root, 'data')} (ENOTDIR).`,
  });
});

test.each([
  ['31 29 0:25 / ROOT rw shared:2 - tmpfs tmpfs rw', 'fail', 'in memory'],
  ['31 29 0:25 / ROOT rw shared:2 - overlay overlayroot rw', 'warn', 'may be lost at a restart'],
  ['31 29 179:3 / ROOT ro,noatime shared:2 - ext4 /dev/mmcblk0p3 rw', 'fail', 'read-only'],
])('a volatile or read-only mount is reported: %s', (line, status, words) => {
  writeKernelFile('self/mountinfo', `${onCard}\n${line.replace('ROOT', root)}`);
  const [found] = storageFindings(join(root, 'bar'), { sysDirectory: root, procDirectory: root });
  expect(found).toMatchObject({ status, text: expect.stringContaining(words) });
});

test('findMount returns the nearest mount, the later of two at one mount point, also with spaces in its name', () => {
  const bar = join(root, 'the bar');
  mkdirSync(join(root, 'the barrel'));
  mkdirSync(bar);
  const escaped = bar.replace(' ', '\\040');
  const table = [
    onCard,
    `30 29 0:9 / ${escaped} rw - xfs /dev/sda1 rw`,
    `31 29 0:9 / ${escaped} rw - vfat /dev/sdb1 rw`,
    'nonsense',
  ].join('\n');
  expect(findMount(join(bar, 'not', 'made', 'yet'), table)).toEqual({
    point: bar,
    type: 'vfat',
    isReadOnly: false,
  });
  expect(findMount(join(root, 'the barrel'), table)?.type).toBe('ext4');
  expect(findMount(bar, null)).toBe(null);
});
