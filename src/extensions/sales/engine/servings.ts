import { type Corrected, correctableRecordChange } from '../../../engine/kegs/record-corrections.ts';
import type { RecordRows } from '../../../engine/kegs/record-rows.ts';
import type { ActorContext } from '../../../engine/shared/actor-context.ts';
import {
  requireFound,
  validateNumber,
  validateText,
  validationError,
} from '../../../engine/shared/bounds.ts';
import { maxItemText } from '../core/sale-line.ts';
import { codeRows, servingRows } from '../store/sales-store.ts';
import type { Serving, ServingFields } from '../store/servings-table.ts';
import type { SalesParts } from './parts.ts';
import { maxCodes } from './sales-bounds.ts';

/** A serving of a beverage with its price: what a till sells. */
export interface ServingView extends ServingFields {
  /** Beer in it, by itself or by its size. */
  readonly effectiveMl: number;
  /** The present standard price; null without one. */
  readonly priceMinor: number | null;
}

/** What the serving sizes of a beverage hold, cost and are called at tills. */
export function createServings(parts: SalesParts) {
  const { store } = parts;
  const beverage = (id: number) =>
    requireFound(Number.isSafeInteger(id) ? store.kegs.beverages.byId(id) : null, `beverage ${id}`);

  const list = (beverageId: number): readonly ServingView[] => {
    beverage(beverageId);
    const own = new Map(store.servings.byBeverage(beverageId).map((one) => [one.sizeId, one]));
    const prices = new Map(
      store.kegs.priceLists.current(beverageId).map((one) => [one.sizeId, one.priceMinor]),
    );
    return store.kegs.servingSizes.all().map(({ id: sizeId, volumeMl }) => {
      const {
        liquidMl = null,
        taxBasisPoints = null,
        codes = [],
      } = own.get(sizeId) ?? ({} as Partial<Serving>);
      const priceMinor = prices.get(sizeId) ?? null;
      return { sizeId, liquidMl, taxBasisPoints, codes, effectiveMl: liquidMl ?? volumeMl, priceMinor };
    });
  };

  const rowsOf = (beverageId: number): RecordRows => {
    const rows = store.drinks.rows.ofExtension(servingRows, 'beverage_id', beverageId);
    return {
      [servingRows]: rows,
      [codeRows]: rows.flatMap(({ id }) => store.drinks.rows.ofExtension(codeRows, 'serving_id', Number(id))),
    };
  };

  const snapshot = (id: number) => ({
    name: store.kegs.beverages.byId(id)?.name ?? '',
    servings: store.servings
      .byBeverage(id)
      .map(({ sizeId, liquidMl, taxBasisPoints, codes }) => {
        const size = store.kegs.servingSizes.all().find((one) => one.id === sizeId)?.volumeMl ?? 0;
        const tax = taxBasisPoints === null ? '' : ` ${taxBasisPoints / 100} %`;
        return `${Math.round(size)} mL: ${Math.round(liquidMl ?? size)} mL${tax} ${codes.join(' | ')}`.trim();
      })
      .join(', '),
  });

  return {
    /** All serving sizes with what is known of them for the beverage, in the order of the sizes. */
    ofBeverage: list,

    /** Replaces what is known; a size that is left out holds its volume and has no codes. Can be undone. */
    setOfBeverage: (
      beverageId: number,
      servings: readonly ServingFields[],
      context: ActorContext,
    ): Corrected<readonly ServingView[]> =>
      correctableRecordChange(
        parts,
        context,
        { action: 'beverage.servings_set', kind: 'beverage', id: beverageId, snapshot },
        () => rowsOf(beverageId),
        () => {
          beverage(beverageId);
          store.servings.set(beverageId, validate(beverageId, servings));
          return list(beverageId);
        },
      ),
  };

  function validate(beverageId: number, servings: readonly ServingFields[]): readonly ServingFields[] {
    const sizes = new Set(store.kegs.servingSizes.all().map(({ id }) => id));
    const codes = new Set<string>();
    const validated = servings.map((serving) => {
      const { sizeId, liquidMl, taxBasisPoints } = serving;
      if (!sizes.delete(sizeId))
        throw validationError('serving_size_id', 'must be the id of a serving size, each once', {
          name: 'exists',
          what: 'serving_size',
        });
      if (serving.codes.length > maxCodes) throw validationError('codes', `must be at most ${maxCodes}`);
      const own = serving.codes.map((code) => validateText('codes', code, { max: maxItemText }));
      for (const code of own) {
        const taken = store.servings.byCode(code);
        if (codes.has(code) || (taken !== null && taken.beverageId !== beverageId))
          throw validationError('codes', `must not have ${code}, which is that of another serving`, {
            name: 'taken',
          });
        codes.add(code);
      }
      return {
        sizeId,
        liquidMl: liquidMl === null ? null : validateNumber('liquid_ml', liquidMl, { min: 1, max: 100_000 }),
        taxBasisPoints:
          taxBasisPoints === null
            ? null
            : validateNumber('tax_basis_points', taxBasisPoints, { min: 0, max: 10_000, whole: true }),
        codes: own,
      };
    });
    // A serving that says nothing is not stored.
    return validated.filter(
      ({ liquidMl, taxBasisPoints, codes: own }) =>
        liquidMl !== null || taxBasisPoints !== null || own.length > 0,
    );
  }
}
