import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { productVersion } from '../../../system/product.ts';
import { readWrittenBytes } from '../../../system/written-bytes.ts';
import type { MetricValues } from './metric-values.ts';

interface MachineOptions {
  readonly values: MetricValues;
  /** Path of the database. */
  readonly database: string;
  /** `/proc` except in tests. */
  readonly procDirectory?: string;
}

/** Creates the function that reads process, files and disk at a scrape; none of it needs the database to be open. */
export function createMachineGauges({
  values,
  database,
  procDirectory = '/proc',
}: MachineOptions): () => void {
  const startedS = Date.now() / 1_000 - performance.now() / 1_000;
  values.set('tapster_build_info', { version: productVersion() }, 1);
  values.set('process_start_time_seconds', {}, startedS);
  const files = { database, wal: `${database}-wal`, journal: `${database}.journal` };
  return () => {
    const { user, system } = process.cpuUsage();
    values.set('process_cpu_seconds_total', {}, (user + system) / 1e6);
    values.set('process_resident_memory_bytes', {}, process.memoryUsage.rss());
    for (const [file, path] of Object.entries(files))
      values.set(
        'tapster_database_size_bytes',
        { file },
        statSync(path, { throwIfNoEntry: false })?.size ?? 0,
      );
    const freeBytes = readFreeBytes(dirname(database));
    if (freeBytes !== null) values.set('tapster_disk_free_bytes', {}, freeBytes);
    const writtenBytes = readWrittenBytes(procDirectory);
    if (writtenBytes !== null) values.set('tapster_disk_written_bytes_total', {}, writtenBytes);
  };
}

function readFreeBytes(directory: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  } catch {
    return null;
  }
}
