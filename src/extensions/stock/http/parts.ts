import type { RouteParts } from '../../extension.ts';
import type { StockServices } from '../engine/stock-services.ts';

/** What the routes of this extension are made with. */
export type StockParts = Pick<RouteParts<StockServices, unknown>, 'servicesOf'>;
