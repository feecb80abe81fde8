import type { TableParts } from '../shared/table-parts.ts';
import { grantTapsTable } from './grant-taps-table.ts';
import { grantsTable } from './grants-table.ts';
import { presentedTokensTable } from './presented-tokens-table.ts';
import { tokensTable } from './tokens-table.ts';

/** Tokens, and who may pour now. */
export const createAccessTables = ({ db }: TableParts) => ({
  tokens: tokensTable(db),
  presentedTokens: presentedTokensTable(db),
  grants: grantsTable(db),
  grantTaps: grantTapsTable(db),
});
