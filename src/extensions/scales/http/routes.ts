import type { Route } from '../../../http/routes/route.ts';
import { kegWeightRoutes } from './keg-weights.ts';
import type { ScaleRouteParts } from './route-parts.ts';
import { scaleRecordRoutes } from './scales.ts';

/** Scales under kegs, for staff, with their weights and findings. */
export const scaleRoutes = (parts: ScaleRouteParts): readonly Route[] => [
  ...scaleRecordRoutes(parts),
  ...kegWeightRoutes(parts),
];
