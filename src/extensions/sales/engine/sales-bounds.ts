import { AppError } from '../../../core/app-error.ts';
import type { Problem } from '../../../core/health/problems.ts';
import { validateNumber, validateText, validationError } from '../../../engine/shared/bounds.ts';
import { maxItemText, saleKinds } from '../core/sale-line.ts';
import {
  isColumnName,
  isPersonalColumn,
  maxColumnName,
  maxKindTexts,
  requiredSaleFields,
  type SalesFormat,
  saleFields,
} from '../core/sales-format.ts';
import type { SalesDatabase } from '../store/sales-store.ts';
import type { ItemComponent } from '../store/till-items-table.ts';

/** More than the tills of any bar. */
export const maxTills = 50;
/** Products of one till. */
export const maxTillItems = 5_000;
export const maxComponents = 24;
export const maxMappings = 100;
export const maxIgnoredCategories = 500;
export const maxCodes = 20;

/** The error of a file that cannot be read. */
export const fileError = (problem: Problem): AppError =>
  new AppError('invalid_request', problem, { fields: { file: problem.message } });

/** `field` names it in errors. */
export const validateTillName = (name: string, field: string): string =>
  validateText(field, name, { max: 64 });

/** Validates how files of a till are read; names of columns with personal data are refused. */
export function validateFormat(format: SalesFormat): SalesFormat {
  if (!isTimeZone(format.timeZone))
    throw validationError('time_zone', 'must be the name of a time zone such as Europe/Berlin', {
      name: 'time_zone',
    });
  for (const field of saleFields) {
    const name = format.columns[field];
    if (name === undefined) {
      if (requiredSaleFields.some((required) => required === field))
        throw validationError(`columns.${field}`, 'is required', { name: 'required' });
      continue;
    }
    if (!isColumnName(name))
      throw validationError(`columns.${field}`, `must be a text of 1 to ${maxColumnName} characters`, {
        name: 'text_from_to',
        least: 1,
        most: maxColumnName,
      });
    if (field !== 'seller' && isPersonalColumn(name))
      throw validationError(`columns.${field}`, 'must not be a column with names of persons');
  }
  const kinds = Object.entries(format.kinds);
  validateNumber('kinds', kinds.length, { min: 0, max: maxKindTexts });
  return {
    ...format,
    kinds: Object.fromEntries(
      kinds.map(([text, kind]) => {
        if (kind !== 'skip' && !saleKinds.includes(kind))
          throw validationError('kinds', `must be one of ${saleKinds.join(', ')}`);
        return [validateText('kinds', text, { max: maxItemText }).toLowerCase(), kind];
      }),
    ),
  };
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name !== '' && name.length <= 64;
  } catch {
    return false;
  }
}

/** A component as it is requested: a serving size of a beverage, or a volume of its own. */
export interface RequestedComponent {
  readonly beverageId: number;
  readonly sizeId: number | null;
  readonly count: number;
  /** Only without a size. */
  readonly liquidMl: number | null;
}

/** Validates what a product contains; beverages and sizes must exist. */
export function validateComponents(
  store: SalesDatabase,
  components: readonly RequestedComponent[],
): readonly ItemComponent[] {
  validateNumber('components', components.length, { min: 0, max: maxComponents });
  const sizes = new Map(store.kegs.servingSizes.all().map((size) => [size.id, size]));
  return components.map(({ beverageId, sizeId, count, liquidMl }) => {
    if (!Number.isSafeInteger(beverageId) || store.kegs.beverages.byId(beverageId) === null)
      throw validationError('beverage_id', 'must be the id of a beverage', {
        name: 'exists',
        what: 'beverage',
      });
    const size = sizeId === null ? null : sizes.get(sizeId);
    if (size === undefined)
      throw validationError('serving_size_id', 'must be the id of a serving size', {
        name: 'exists',
        what: 'serving_size',
      });
    if (size === null && liquidMl === null)
      throw validationError('liquid_ml', 'is required without a serving size', { name: 'required' });
    const serving =
      size && store.servings.byBeverage(beverageId).find(({ sizeId: other }) => other === size.id);
    const ml = size === null ? liquidMl! : (serving?.liquidMl ?? size.volumeMl);
    return {
      beverageId,
      sizeId,
      count: validateNumber('count', count, { min: 1, max: 1_000, whole: true }),
      liquidMl: validateNumber('liquid_ml', ml, { min: 1, max: 100_000 }),
    };
  });
}
