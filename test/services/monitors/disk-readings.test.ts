import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readDisk } from '../../../src/services/monitors/disk-readings.ts';

let sys: string;
beforeEach(() => {
  sys = mkdtempSync(join(tmpdir(), 'tapster-disk-'));
});
afterEach(() => rmSync(sys, { recursive: true, force: true }));

function write(path: string, text: string): void {
  const file = join(sys, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${text}\n`);
}

/** A card with two partitions as the kernel shows it; the data is on the second, device 179:2. */
function showCard(files: Readonly<Record<string, string>> = {}): void {
  const card = 'devices/platform/mmc0/block/mmcblk0';
  write(`${card}/size`, '62333952');
  write(`${card}/device/serial`, '0x1f2e3d4c');
  write(`${card}/mmcblk0p2/partition`, '2');
  write('fs/ext4/mmcblk0p2/lifetime_write_kbytes', '1953125');
  for (const [name, text] of Object.entries(files)) write(`${card}/device/${name}`, text);
  mkdirSync(join(sys, 'dev/block'), { recursive: true });
  symlinkSync(join(sys, card, 'mmcblk0p2'), join(sys, 'dev/block/179:2'));
}

const read = () => readDisk('/data', { sysDirectory: sys, deviceOf: () => (179 << 8) | 2 });

test('an SD card has a size and a counter of written bytes, and no registers', () => {
  showCard();
  expect(read()).toEqual({
    name: 'mmcblk0',
    identity: 'mmcblk0 0x1f2e3d4c',
    sizeBytes: 62_333_952 * 512,
    writtenBytes: 2_000_000_000,
    usedPercent: null,
    isReserveLow: false,
  });
});

test.each([
  ['0x00 0x00', null],
  ['0x01 0x01', 0],
  ['0x02 0x0a', 90],
  ['0x0b 0x01', 100],
  ['nonsense', null],
] as const)('the register life_time “%s” means %s %% used', (life_time, usedPercent) => {
  showCard({ life_time });
  expect(read()).toMatchObject({ usedPercent });
});

test.each([
  ['0x01', false],
  ['0x02', true],
  ['0x03', true],
])('the register pre_eol_info %s', (pre_eol_info, isReserveLow) => {
  showCard({ pre_eol_info });
  expect(read()).toMatchObject({ isReserveLow });
});

test('a file system without a counter, and a folder that does not exist, cannot be judged', () => {
  expect(read()).toBeNull();
  showCard();
  rmSync(join(sys, 'fs'), { recursive: true });
  expect(read()).toBeNull();
  expect(readDisk('/no/such/folder', { sysDirectory: sys })).toBeNull();
});
