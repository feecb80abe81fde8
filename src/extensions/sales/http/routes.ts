import type { Route } from '../../../http/routes/route.ts';
import { balanceRoutes } from './balance.ts';
import { byPersonRoutes } from './by-person.ts';
import { moneyRoutes } from './money.ts';
import type { SalesRouteParts } from './route-parts.ts';
import { saleRoutes } from './sales.ts';
import { listSalesFiles } from './sales-files.ts';
import { salesImportRoutes } from './sales-imports.ts';
import { servingRoutes } from './servings.ts';
import { tillRoutes } from './tills.ts';

/** Tills, their lines, poured against sold, money, and what servings hold. */
export const salesRoutes = (parts: SalesRouteParts): readonly Route[] => [
  ...tillRoutes(parts),
  ...saleRoutes(parts),
  ...balanceRoutes(parts),
  ...byPersonRoutes(parts),
  ...moneyRoutes(parts),
  ...salesImportRoutes(parts),
  listSalesFiles(parts),
  ...servingRoutes(parts),
];
