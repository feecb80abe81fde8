import type { EngineParts } from '../shared/parts.ts';
import { createCatalogue } from './catalogue.ts';
import { createKegWeighings } from './keg-weighings.ts';
import { createKegs } from './kegs.ts';
import { createMerges } from './merges.ts';
import { createPriceSchedules } from './prices/price-schedules.ts';
import { createPrices } from './prices/prices.ts';

/** Kegs, what is in them, and what it costs. */
export const createKegServices = (parts: EngineParts) => ({
  ...createKegs(parts),
  weighings: createKegWeighings(parts),
  catalogue: createCatalogue(parts),
  merges: createMerges(parts),
  prices: createPrices(parts),
  priceSchedules: createPriceSchedules(parts),
});
