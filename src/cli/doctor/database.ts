import { existsSync } from 'node:fs';
import type { LoadedConfig } from '../../config/load.ts';
import { AppError } from '../../core/app-error.ts';
import { inspectDatabase } from '../../store/inspect-database.ts';
import { type Finding, fail, ok, warn } from '../../system/finding.ts';
import { withLoadedConfig } from '../with-database.ts';

/** Whether the ledger's file is sound, and whether its totals are the sums they stand for. */
export async function databaseFindings(loaded: LoadedConfig): Promise<Finding[]> {
  const file = loaded.config.database;
  if (!existsSync(file))
    return [ok(`There is no ledger at ${file} yet; the daemon makes it at its first start.`)];
  const advice = 'Stop the daemon, keep a copy of the file, and put a backup back: tapster restore FILE.';
  try {
    const { version, newest, damage } = inspectDatabase(file);
    if (version < newest) {
      // Looking at it must not change it: whoever still wants to go back to the older program can.
      return [
        ...toFindings(damage(), `${file} is sound.`, advice),
        warn(
          `The ledger has schema version ${version}; this program brings it up to ${newest}.`,
          'The daemon does it at its next start. Make a backup first: tapster backup.',
        ),
      ];
    }
    return await withLoadedConfig(
      loaded,
      ({ engine, findFileFaults }) => [
        ...toFindings(findFileFaults(), `${file} is sound.`, advice),
        ...toFindings(
          engine
            .checkDatabase()
            .map(({ what, stored, computed }) => `${what}: kept ${stored}, summed ${computed}.`),
          'Every total is the sum it stands for.',
          'Report this: it is a bug. The drinks themselves are kept one by one.',
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
