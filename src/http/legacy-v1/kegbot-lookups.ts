import type { Beverage, Keg } from '../../core/records.ts';
import type { Engine } from '../../engine/engine.ts';
import type { KegWithBeer } from './kegbot-beer.ts';

/** A keg with its beverage and size, which every keg has. */
export function kegWithBeer(engine: Engine, keg: Keg, beverage?: Beverage): KegWithBeer {
  const content = beverage ?? engine.kegs.beverage(keg.beverageId);
  const size = engine.kegs.sizes().find(({ id }) => id === keg.sizeId);
  if (!content || !size) throw new Error(`Keg ${keg.id} has no beverage or no size.`);
  return { keg, beverage: content, size };
}
