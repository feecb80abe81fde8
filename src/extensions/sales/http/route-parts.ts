import type { RouteParts } from '../../extension.ts';
import type { SalesServices } from '../engine/sales-services.ts';

/** What the routes of this extension are made with. */
export type SalesRouteParts = Pick<RouteParts<SalesServices, unknown>, 'servicesOf'>;
