import type { DrinkTotals, PersonData } from '../shared/person-data.ts';
import type { TableParts } from '../shared/table-parts.ts';
import { erasure } from './erasure.ts';
import { keysTable } from './keys-table.ts';
import { loginsTable } from './logins-table.ts';
import { mailedSecretsTable } from './mailed-secrets-table.ts';
import { pinsTable } from './pins-table.ts';
import { tabletsTable } from './tablets-table.ts';
import { usersTable } from './users-table.ts';

/** Accounts, and what lets people in. */
export const createUserTables = (
  { db }: TableParts,
  personData: readonly PersonData[],
  drinkTotals: DrinkTotals,
) => ({
  ...usersTable(db),
  keys: keysTable(db),
  logins: loginsTable(db),
  pins: pinsTable(db),
  tablets: tabletsTable(db),
  mailedSecrets: mailedSecretsTable(db),
  /** Removes a person from every table. */
  erasure: erasure(db, personData, drinkTotals),
});
