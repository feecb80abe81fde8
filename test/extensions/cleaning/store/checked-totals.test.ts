import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { prepareRestore } from '../../../../src/services/backups/restore-database.ts';
import { fillBar } from '../../../services/backups/filled-bar.ts';

test('the checks of a backup, and of a restore, compare what cleanings have booked', async () => {
  const bar = fillBar({ drinks: 1 });
  const database = new Sqlite(bar.database);
  database.exec(
    "UPDATE drinks SET is_valid = 0, is_set_aside = 1, held_reason = 'cleaning', keg_id = NULL, session_id = NULL",
  );
  database.close();
  const fault = 'cleaning of pour 1: stored 1, summed 0';
  const { name, mismatches } = await bar.backUp();
  expect(mismatches).toContain(fault);
  bar.store.close();
  const archive = join(bar.backups, name!);
  const prepared = await prepareRestore({
    kind: 'prepare',
    database: bar.database,
    archive,
    serverVersion: '0.1.0',
  });
  expect(prepared.mismatches).toContain(fault);
});
