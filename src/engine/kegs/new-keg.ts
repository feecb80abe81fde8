import { type Beverage, beverageFields, type NewBeverage } from '../../core/kegs/records/beverage-record.ts';
import { type KegInputs, kegInputs } from '../../core/kegs/records/keg-record.ts';
import { producerFields } from '../../core/kegs/records/producer-record.ts';
import type { KegSize } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import { validateNew, validateText, validationError } from '../shared/bounds.ts';

export interface NewKeg extends Partial<KegInputs> {
  /** An existing beverage, or name, producer and style, matched exactly or created. */
  readonly beverage:
    | { readonly id: number }
    | ({
        readonly producerName: string;
        readonly styleName: string;
      } & Omit<NewBeverage, 'producerId' | 'style'>);
  /** Key of the keg size; default `half-barrel`. */
  readonly sizeKey?: string;
  /** Id of the keg size, instead of the key. */
  readonly sizeId?: number;
}

/** The requested keg size; null when none is requested. Throws `invalid_request` for an unknown one. */
export function findRequestedSize(
  store: Store,
  { sizeKey, sizeId }: Pick<NewKeg, 'sizeKey' | 'sizeId'>,
): KegSize | null {
  if (sizeKey !== undefined) return requireKegSize(store, sizeKey);
  if (sizeId === undefined) return null;
  const size = store.kegs.sizes().find((candidate) => candidate.id === sizeId);
  if (size === undefined)
    throw validationError('size_id', 'must be the id of a keg size', { name: 'exists', what: 'keg_size' });
  return size;
}

/** The size with that key; throws `invalid_request` when there is none. */
export function requireKegSize(store: Store, key: string): KegSize {
  const size = store.kegs.sizes().find((candidate) => candidate.key === key);
  if (size === undefined)
    throw validationError('keg_type', 'must be the key of a keg size', { name: 'exists', what: 'keg_size' });
  return size;
}

/** The keg, when it has a volume: a size without one gives 0. */
export function requireFullVolume<T extends Pick<KegInputs, 'fullVolumeMl'>>(keg: T): T {
  if (keg.fullVolumeMl !== 0) return keg;
  throw validationError('full_volume_ml', 'is needed for a keg of this size, and above 0', {
    name: 'above',
    limit: 0,
  });
}

/** What staff write of a new keg of that size; throws `invalid_request`. */
export const validateNewKeg = ({ volumeMl }: KegSize, inputs: Partial<KegInputs>): KegInputs =>
  validateNew(kegInputs, requireFullVolume({ fullVolumeMl: volumeMl, ...inputs }));

/** The beverage of a new keg: by id, or by its names, created when it does not exist. */
export function findOrCreateBeverage(store: Store, beverage: NewKeg['beverage']): Beverage {
  if ('id' in beverage) {
    const existing = Number.isSafeInteger(beverage.id) ? store.kegs.beverages.byId(beverage.id) : null;
    if (existing === null)
      throw validationError('beverage_id', 'must be the id of a beverage', {
        name: 'exists',
        what: 'beverage',
      });
    return existing;
  }
  const {
    producerName: maker,
    styleName,
    beverageType = beverageFields.beverageType.default,
    ...fields
  } = beverage;
  const name = validateText('beverage_name', beverage.name, { max: beverageFields.name.max });
  const producerName = validateText('producer_name', maker, { max: producerFields.name.max });
  const style = validateText('style_name', styleName, { min: 0, max: beverageFields.style.max }) || null;
  const existing = store.kegs.beverages.byNames({ name, producerName, style, beverageType });
  if (existing !== null) return existing;
  const producerId =
    store.kegs.producers.idByName(producerName) ??
    store.kegs.producers.add(validateNew(producerFields, { name: producerName }));
  const added = validateNew(beverageFields, { ...fields, name, producerId, style, beverageType });
  return store.kegs.beverages.byId(store.kegs.beverages.add(added))!;
}
