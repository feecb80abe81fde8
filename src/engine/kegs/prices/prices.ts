import { AppError } from '../../../core/app-error.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import { fromMinor, maxPriceMinor, minorDigits } from '../../../core/kegs/money.ts';
import type { ServingSize } from '../../../core/kegs/serving-sizes.ts';
import type { SizePrice } from '../../../store/kegs/price-lists-table.ts';
import type { StoredSize } from '../../../store/kegs/serving-sizes-table.ts';
import type { ActorContext } from '../../shared/actor-context.ts';
import { requireFound, validateNumber, validationError } from '../../shared/bounds.ts';
import type { EngineParts } from '../../shared/parts.ts';
import { type Corrected, correctableRecordChange } from '../record-corrections.ts';
import { pricedRows, servingSizeRows } from '../record-rows.ts';
import { applySchedules, applyToBeverage, recomputeSchedules } from './apply-schedules.ts';
import { type Revaluation, toRevenueText, validateSince, valueDrinks } from './price-corrections.ts';
import { validateSizes } from './serving-size-bounds.ts';

/** The price that a size is to have. */
export interface NewPrice {
  readonly sizeId: number;
  readonly priceMinor: number;
}

/** Serving sizes of the site, and prices of beverages by size. */
export function createPrices(parts: EngineParts) {
  const { store } = parts;
  const ordinary = (beverageId: number): readonly SizePrice[] =>
    store.kegs.priceLists.ordinary(requireFound(findBeverage(beverageId), `beverage ${beverageId}`).id);
  /** Texts, which the audit log shows as they are. */
  const sizesSnapshot = () => ({
    serving_sizes: store.kegs.servingSizes
      .all()
      .map(({ volumeMl, name }) => `${name} ${Math.round(volumeMl)} mL`.trim())
      .join(', '),
  });
  const pricesSnapshot = (id: number) => {
    const { currency } = store.reports.settings();
    const digits = minorDigits(currency);
    return {
      name: store.kegs.beverages.byId(id)?.name ?? '',
      prices: ordinary(id)
        .map(({ volumeMl, priceMinor }) => {
          const sum = fromMinor(priceMinor, currency).toFixed(digits);
          return `${Math.round(volumeMl)} mL ${sum} ${currency}`;
        })
        .join(', '),
    };
  };
  const findBeverage = (id: number) => (Number.isSafeInteger(id) ? store.kegs.beverages.byId(id) : null);

  /** Writes lists with a changed or deleted size again, so that drinks from now on are valued by the new volume. */
  const renewLists = (lists: readonly (readonly [number, readonly SizePrice[]])[], now: Moment) => {
    const volumes = new Map(store.kegs.servingSizes.all().map(({ id, volumeMl }) => [id, volumeMl]));
    for (const [beverageId, prices] of lists) {
      if (prices.every(({ sizeId, volumeMl }) => volumes.get(sizeId) === volumeMl)) continue;
      requireSyncedClock(now);
      const renewed = prices.flatMap((price) => {
        const volumeMl = volumes.get(price.sizeId);
        return volumeMl === undefined ? [] : [{ ...price, volumeMl }];
      });
      store.kegs.priceLists.set(beverageId, Math.round(now.wallMs), renewed);
    }
  };

  return {
    /** In the order of the menu. */
    servingSizes: store.cachedUntilWrite(() => store.kegs.servingSizes.all()),

    /** Replaces the list. A size with an id keeps its prices; one that is left out is deleted with its present prices. */
    setServingSizes: (
      sizes: readonly StoredSize[],
      context: ActorContext,
    ): Corrected<readonly ServingSize[]> =>
      correctableRecordChange(
        parts,
        context,
        { action: 'site.serving_sizes_set', kind: 'site', id: 1, snapshot: sizesSnapshot },
        () => servingSizeRows(store),
        () => {
          const validated = validateSizes(sizes, store.kegs.servingSizes.all());
          recomputeSchedules(store, context.now);
          const lists = store.kegs.priceLists
            .beverages()
            .map((id) => [id, store.kegs.priceLists.ordinary(id)] as const);
          store.kegs.servingSizes.replace(validated, false);
          renewLists(lists, context.now);
          applySchedules(store, context.now);
          return store.kegs.servingSizes.all();
        },
      ),

    /** The prices of a beverage as staff set them, also while a schedule replaces them. Throws `not_found`. */
    ofBeverage: ordinary,

    /**
     * Sets all prices of a beverage from now on; a size that is left out has none. Earlier drinks keep the prices of their
     * time, unless `sinceMs` is given: that corrects prices which were wrong, and values the drinks since then again.
     */
    setOfBeverage(
      beverageId: number,
      prices: readonly NewPrice[],
      context: ActorContext,
      sinceMs?: number,
    ): Corrected<Revaluation | null> {
      const validSinceMs = sinceMs === undefined ? null : validateSince(sinceMs, context.now);
      const value = () => valueDrinks(store, beverageId, validSinceMs);
      return correctableRecordChange(
        parts,
        context,
        {
          action: 'beverage.priced',
          kind: 'beverage',
          id: beverageId,
          snapshot: (id) => ({ ...pricesSnapshot(id), ...toRevenueText(store, value()) }),
        },
        () => pricedRows(store, beverageId),
        () => {
          ordinary(beverageId);
          requireSyncedClock(context.now);
          recomputeSchedules(store, context.now);
          const before = value();
          const validated = validatePrices(prices, store.kegs.servingSizes.all());
          if (validSinceMs !== null) store.kegs.formerBeverages.endAt(beverageId, validSinceMs);
          const fromMs = validSinceMs ?? Math.round(context.now.wallMs);
          store.kegs.priceLists.set(beverageId, fromMs, validated);
          applyToBeverage(store, beverageId, fromMs, context.now);
          const after = value();
          if (before === null || after === null) return null;
          return { drinks: after.drinks, beforeMinor: before.revenueMinor, afterMinor: after.revenueMinor };
        },
      );
    },
  };
}

function validatePrices(prices: readonly NewPrice[], stored: readonly ServingSize[]): readonly SizePrice[] {
  const sizes = new Map(stored.map((size) => [size.id, size]));
  const validated = prices.map(({ sizeId, priceMinor }) => ({
    sizeId,
    volumeMl: requireSize(sizes, sizeId).volumeMl,
    priceMinor: validateNumber('price_minor', priceMinor, { min: 0, max: maxPriceMinor, whole: true }),
  }));
  if (new Set(validated.map(({ sizeId }) => sizeId)).size < validated.length)
    throw validationError('prices', 'must have each serving size once');
  return validated;
}

function requireSize(sizes: ReadonlyMap<number, ServingSize>, id: number): ServingSize {
  const size = sizes.get(id);
  if (size !== undefined) return size;
  throw validationError('serving_size_id', 'must be the id of a serving size', {
    name: 'exists',
    what: 'serving_size',
  });
}

/** Prices hold from a time on: it must be the right one. */
export function requireSyncedClock({ synced }: Moment): void {
  if (synced) return;
  throw new AppError('conflict', 'The clock is not set yet: set the clock, then the price.', {
    reason: { name: 'clock_not_set' },
  });
}
