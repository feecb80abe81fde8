import type { Beverage, BeverageType, KegSize } from '../core/records.ts';
import type { Store } from '../store/store.ts';
import { maxVolumeMl, misfit, numberIn, textIn } from './bounds.ts';
import { beverageIn, producerIn, unknownBeverage, unknownProducer } from './catalogue-bounds.ts';

export interface NewKeg {
  /** An existing beverage, or the three names, matched exactly or created. */
  readonly beverage:
    | { readonly id: number }
    | {
        readonly name: string;
        readonly producerName: string;
        readonly styleName: string;
        /** Default beer. */
        readonly beverageType?: BeverageType;
        readonly abvPercent?: number;
        readonly colorHex?: string;
      };
  /** Key of the keg size; default `half-barrel`. */
  readonly sizeKey?: string;
  /** Its id, in place of the key. */
  readonly sizeId?: number;
  /** Absent → the size's volume; must be > 0. */
  readonly fullVolumeMl?: number;
  readonly description?: string;
  readonly notes?: string;
}

/** The size a keg is asked for in; null when none is said. Throws `invalid_request` for one that is not known. */
export function sizeOf(
  store: Store,
  { sizeKey, sizeId }: Pick<NewKeg, 'sizeKey' | 'sizeId'>,
): KegSize | null {
  if (sizeKey !== undefined) return kegSizeOf(store, sizeKey);
  if (sizeId === undefined) return null;
  const size = store.kegs.sizes().find((known) => known.id === sizeId);
  if (size === undefined)
    throw misfit('size_id', 'must be the id of a keg size', { name: 'exists', what: 'keg_size' });
  return size;
}

/** The size of that key; throws `invalid_request` when there is none. */
export function kegSizeOf(store: Store, key: string): KegSize {
  const size = store.kegs.sizes().find((known) => known.key === key);
  if (size === undefined)
    throw misfit('keg_type', 'must be the key of a keg size', { name: 'exists', what: 'keg_size' });
  return size;
}

/** What a full keg holds, mL, above 0 and bounded; throws `invalid_request`. */
export function fullVolume(volumeMl: number): number {
  if (volumeMl === 0)
    throw misfit('full_volume_ml', 'is needed for a keg of this size, and above 0', {
      name: 'above',
      limit: 0,
    });
  return numberIn('full_volume_ml', volumeMl, { min: Number.MIN_VALUE, max: maxVolumeMl });
}

/** The beverage of a keg: one that is known, or the one of those names, made where it is not. */
export function beverageOf(store: Store, beverage: NewKeg['beverage']): Beverage {
  if ('id' in beverage) {
    const known = Number.isSafeInteger(beverage.id) ? store.beverages.byId(beverage.id) : null;
    if (known === null)
      throw misfit('beverage_id', 'must be the id of a beverage', { name: 'exists', what: 'beverage' });
    return known;
  }
  const name = textIn('beverage_name', beverage.name, { max: 255 });
  const producerName = textIn('producer_name', beverage.producerName, { max: 255 });
  const style = textIn('style_name', beverage.styleName, { min: 0, max: 255 }) || null;
  const { beverageType = 'beer', abvPercent = null, colorHex = unknownBeverage.colorHex } = beverage;
  const known = store.beverages.byNames({ name, producerName, style, beverageType });
  if (known !== null) return known;
  const producerId =
    store.producers.idByName(producerName) ??
    store.producers.add(producerIn({ ...unknownProducer, name: producerName }));
  const fresh = { ...unknownBeverage, name, producerId, style, beverageType, abvPercent, colorHex };
  return store.beverages.byId(store.beverages.add(beverageIn(fresh)))!;
}
