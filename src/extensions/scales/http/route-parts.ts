import type { RouteParts } from '../../extension.ts';
import type { ScaleServices } from '../engine/scale-services.ts';

/** What the routes of scales are made with. */
export type ScaleRouteParts = Pick<RouteParts<ScaleServices, unknown>, 'servicesOf'>;
