import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DiskReadings } from '../../core/alarms/disk-wear.ts';
import { readTextFile } from '../../system/small-files.ts';

/** The kernel counts the size of disks in sectors of 512 bytes. */
const sectorBytes = 512;

export interface NamedDisk extends DiskReadings {
  /** The kernel's name, such as `mmcblk0`. */
  readonly name: string;
  /** Changes with the disk: name and serial number. */
  readonly identity: string;
}

interface DiskRoots {
  /** `/sys` except in tests. */
  readonly sysDirectory?: string;
  /** Number of the device that holds a file; that of the file system except in tests. */
  readonly deviceOf?: (path: string) => number;
}

/**
 * Reads counter and wear registers of the disk that holds `directory`; null where the kernel shows no counter, as for file systems
 * other than ext4.
 */
export function readDisk(
  directory: string,
  { sysDirectory = '/sys', deviceOf = (path) => statSync(path).dev }: DiskRoots = {},
): NamedDisk | null {
  try {
    const partition = realpathSync(join(sysDirectory, 'dev', 'block', toMajorMinor(deviceOf(directory))));
    const disk = readTextFile(join(partition, 'partition')) === null ? partition : dirname(partition);
    const kilobytes = readNumber(
      join(sysDirectory, 'fs', 'ext4', basename(partition), 'lifetime_write_kbytes'),
    );
    const sectors = readNumber(join(disk, 'size'));
    if (kilobytes === null || sectors === null) return null;
    const name = basename(disk);
    return {
      name,
      identity: `${name} ${readTextFile(join(disk, 'device', 'serial')) ?? ''}`.trim(),
      sizeBytes: sectors * sectorBytes,
      writtenBytes: kilobytes * 1024,
      usedPercent: readLifeTime(join(disk, 'device', 'life_time')),
      isReserveLow: Number(readTextFile(join(disk, 'device', 'pre_eol_info')) ?? 0) >= 2,
    };
  } catch {
    return null;
  }
}

/** Two hexadecimal numbers for the two kinds of cells, in steps of 10 %: `0x01` is up to 10 % and `0x0b` above 100 %; 0 is unknown. */
function readLifeTime(file: string): number | null {
  const steps = (readTextFile(file) ?? '').split(/\s+/).map(Number);
  const worst = Math.max(0, ...steps.filter(Number.isInteger));
  return worst === 0 ? null : Math.min(100, (worst - 1) * 10);
}

function readNumber(file: string): number | null {
  const text = readTextFile(file);
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

/** The kernel's encoding of device numbers: 12 bits for the major, 20 for the minor number. */
const toMajorMinor = (device: number): string =>
  `${(device >> 8) & 0xfff}:${(device & 0xff) | ((device >> 12) & 0xfff00)}`;
