import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  statfsSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { reserveBytes } from '../core/rules/disk-reserve.ts';
import { type Finding, fail, ok, unknown, warn } from './finding.ts';
import { monotonicMs } from './monotonic.ts';
import { findMount, type Mount, nearestExisting } from './mounts.ts';
import { listNames, readTextFile } from './small-file.ts';

/**
 * Below the first bound a system update may fill the card; below the second only drinks are recorded, bytes.
 */
const lowBytes = 500e6;
const criticalBytes = reserveBytes.change;

/**
 * A good card makes a small write durable much faster; slower writes delay the page noticeably, milliseconds.
 */
const slowWriteMs = 1_000;

/** File systems in memory. */
const volatileTypes = new Set(['tmpfs', 'ramfs', 'devtmpfs']);

export interface StorageRoots {
  /** `/sys` except in tests. */
  readonly sysDirectory?: string;
  /** `/proc` except in tests. */
  readonly procDirectory?: string;
}

/**
 * Checks that data written to `directory` is persistent: mount, free space, error counters and a test write.
 */
export function storageFindings(directory: string, roots: StorageRoots = {}): Finding[] {
  return [
    ...passiveStorageFindings(directory, roots),
    existsSync(directory)
      ? durableWrite(directory)
      : unknown(`There is no folder ${directory} yet; the daemon creates it at its first start.`),
  ];
}

/** The checks that write nothing. */
export function passiveStorageFindings(directory: string, roots: StorageRoots = {}): Finding[] {
  const { sysDirectory = '/sys', procDirectory = '/proc' } = roots;
  return [
    persistence(findMount(directory, readTextFile(join(procDirectory, 'self', 'mountinfo')))),
    freeSpace(directory),
    cardErrors(sysDirectory),
  ];
}

function persistence(mount: Mount | null): Finding {
  if (mount === null) return unknown('The kind of disk that holds the data cannot be read here.');
  const where = `The data is on ${mount.type} (${mount.point})`;
  const advice =
    'Put the database on a partition of its own that is mounted for writing, and name it in `database`.';
  if (mount.isReadOnly) return fail(`${where}, which is mounted read-only.`, advice);
  if (volatileTypes.has(mount.type)) return fail(`${where}: in memory, lost at power-off.`, advice);
  if (mount.type === 'overlay') return warn(`${where}: data may be lost at a restart.`, advice);
  return ok(`${where}, which is persistent.`);
}

function freeSpace(directory: string): Finding {
  try {
    const { bavail, bsize } = statfsSync(nearestExisting(directory));
    const free = bavail * bsize;
    const text = `${(free / 1e9).toFixed(1)} GB are free beside the database.`;
    if (free < criticalBytes)
      return fail(text, 'Free some space now: nothing but drinks is recorded any more.');
    return free < lowBytes ? warn(text, 'Free some space before it runs out.') : ok(text);
  } catch {
    return unknown('The free space cannot be read.');
  }
}

function cardErrors(sysDirectory: string): Finding {
  const root = join(sysDirectory, 'fs', 'ext4');
  const counts = listNames(root).flatMap((disk) => {
    const text = readTextFile(join(root, disk, 'errors_count'));
    return text === null || !/^\d+$/.test(text) ? [] : [{ disk, errors: Number(text) }];
  });
  if (counts.length === 0) return unknown('No error counter of a file system can be read here.');
  const bad = counts.filter(({ errors }) => errors > 0);
  if (bad.length === 0) return ok('No file system has counted an error.');
  const summary = bad.map(({ disk, errors }) => `${disk} ${errors}`).join(', ');
  return fail(
    `File system errors have been counted: ${summary}.`,
    'Copy the data now and replace the card or disk.',
  );
}

/**
 * Writes, syncs and reads back one block, because error counters do not show a card that silently drops
 * writes.
 */
function durableWrite(directory: string): Finding {
  const file = join(directory, `.doctor-${process.pid}`);
  const block = Buffer.alloc(4_096, `tapster ${process.pid} `);
  try {
    const startedMs = monotonicMs();
    const fd = openSync(file, 'wx', 0o600);
    try {
      writeSync(fd, block);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    const tookMs = monotonicMs() - startedMs;
    if (!readFileSync(file).equals(block)) {
      return fail('The disk returned data that differs from what was written.', 'Replace the card or disk.');
    }
    const text = `A durable write took ${tookMs.toFixed(0)} ms.`;
    return tookMs < slowWriteMs ? ok(text) : warn(text, 'The card is slow or worn; plan to replace it.');
  } catch (fault) {
    const code = (fault as NodeJS.ErrnoException).code ?? 'an unknown fault';
    if (code === 'EACCES' || code === 'EPERM') {
      return warn(
        `This user may not write to ${directory}.`,
        'Run the doctor as the user who runs the daemon.',
      );
    }
    return fail(
      `Nothing can be written to ${directory} (${code}).`,
      'Check the folder, its free space and its disk.',
    );
  } finally {
    removeQuietly(file);
  }
}

function removeQuietly(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // The file was not created.
  }
}
