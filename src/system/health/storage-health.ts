import { closeSync, fsyncSync, openSync, readFileSync, statfsSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { reserveBytes } from '../../core/health/disk-reserve.ts';
import { createProblem } from '../../core/health/problems.ts';
import { monotonicMs } from '../clock-readings.ts';
import { isAbsent, listNames, readTextFile } from '../small-files.ts';
import { type Finding, fail, ok, problemFinding, unknown, warn } from './finding.ts';
import { findMount, type Mount, nearestExisting } from './mounts.ts';

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
    isAbsent(directory)
      ? unknown(`There is no folder ${directory} yet; the daemon creates it at its first start.`)
      : durableWrite(directory),
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
  const { type, point, isReadOnly } = mount;
  const advice = createProblem('data_advice');
  if (isReadOnly) return problemFinding('fail', createProblem('data_read_only', { type, point }), advice);
  if (volatileTypes.has(type))
    return problemFinding('fail', createProblem('data_in_memory', { type, point }), advice);
  if (type === 'overlay')
    return problemFinding('warn', createProblem('data_on_overlay', { type, point }), advice);
  return ok(`The data is on ${type} (${point}), which is persistent.`);
}

function freeSpace(directory: string): Finding {
  try {
    const { bavail, bsize } = statfsSync(nearestExisting(directory));
    const free = bavail * bsize;
    const found = createProblem('little_space', { gigabytes: Math.round(free / 1e8) / 10 });
    if (free < criticalBytes) return problemFinding('fail', found, createProblem('no_space_advice'));
    return free < lowBytes
      ? problemFinding('warn', found, createProblem('little_space_advice'))
      : ok(found.message);
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
  return problemFinding(
    'fail',
    createProblem('disk_errors', { summary }),
    createProblem('disk_errors_advice'),
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
