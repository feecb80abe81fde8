import type { LoadedConfig } from '../../config/load.ts';
import { AppError } from '../../core/app-error.ts';
import { fileStats } from '../../store/files.ts';
import { inspectDatabase } from '../../store/inspect-database.ts';
import { LostDatabase, requireDatabase } from '../../store/site-files.ts';
import { type Finding, fail, ok, warn } from '../../system/health/finding.ts';
import { withLoadedConfig } from '../with-database.ts';

/** Checks the database file's integrity, and that its totals equal their sums. */
export async function databaseFindings(loaded: LoadedConfig): Promise<Finding[]> {
  const file = loaded.config.database;
  try {
    requireDatabase(file);
  } catch (fault) {
    if (fault instanceof LostDatabase) return [fail(fault.message)];
    throw fault;
  }
  if (fileStats(file) === null)
    return [ok(`There is no database at ${file} yet; the daemon creates it at its first start.`)];
  const advice = 'Stop the daemon, keep a copy of the file, and restore a backup: tapster restore FILE.';
  try {
    const { version, newest, damage } = inspectDatabase(file);
    if (version < newest) {
      // The doctor must not upgrade the database, so that the older program can still be used.
      return [
        ...toFindings(damage(), `${file} is sound.`, advice),
        warn(
          `The database has schema version ${version}; this program upgrades it to ${newest}.`,
          'The daemon makes a backup and upgrades it at its next start.',
        ),
      ];
    }
    return await withLoadedConfig(
      loaded,
      ({ engine, findFileFaults }) => [
        ...toFindings(findFileFaults(), `${file} is sound.`, advice),
        ...toFindings(
          engine.site
            .checkDatabase()
            .map(({ what, stored, computed }) => `${what}: stored ${stored}, summed ${computed}.`),
          'Every total equals its sum.',
          'Report this: it is a bug. The drinks themselves are not affected.',
        ),
      ],
      { readOnly: true },
    );
  } catch (fault) {
    if (fault instanceof AppError) return [fail(fault.message)];
    throw fault;
  }
}

function toFindings(faults: readonly string[], okText: string, advice: string): Finding[] {
  return faults.length === 0 ? [ok(okText)] : faults.map((fault) => fail(fault, advice));
}
