import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { joinMessages } from '../../../src/core/health/problems.ts';
import { createMachineMonitor } from '../../../src/services/monitors/machine-monitor.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapster-machine-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file as the kernel shows it. */
function writeKernelFile(path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
}

test('low supply voltage and disk errors are reported and cleared', () => {
  const problems = { power: [] as (string | null)[], disk: [] as (string | null)[] };
  const monitor = createMachineMonitor({
    database: join(folder, 'tapster.db'),
    reportPower: (current) => problems.power.push(joinMessages(current)),
    reportDisk: (current) => problems.disk.push(joinMessages(current)),
    roots: { sysDirectory: folder, procDirectory: folder },
  });
  writeKernelFile('class/hwmon/hwmon0/name', 'rpi_volt');
  writeKernelFile('class/hwmon/hwmon0/in0_lcrit_alarm', '1');
  writeKernelFile('fs/ext4/mmcblk0p2/errors_count', '3');
  monitor.poll();
  expect(problems.power).toEqual([expect.stringContaining('too low')]);
  expect(problems.disk).toEqual([expect.stringContaining('mmcblk0p2 3')]);

  writeKernelFile('class/hwmon/hwmon0/in0_lcrit_alarm', '0');
  writeKernelFile('fs/ext4/mmcblk0p2/errors_count', '0');
  for (let minute = 0; minute < 4; minute++) monitor.poll();
  expect(problems.power).toHaveLength(1);
  monitor.poll();
  expect(problems.power.at(-1)).toBeNull();
  expect(problems.disk.at(-1) ?? '').not.toContain('errors');
});
