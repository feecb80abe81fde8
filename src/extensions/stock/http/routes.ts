import type { Route } from '../../../http/routes/route.ts';
import type { StockParts } from './parts.ts';
import { purchaseRoutes } from './purchases.ts';
import { stockRoutes } from './stock.ts';
import { stockCountRoutes } from './stock-counts.ts';

export const allStockRoutes = (parts: StockParts): readonly Route[] => [
  ...purchaseRoutes(parts),
  ...stockRoutes(parts),
  ...stockCountRoutes(parts),
];
