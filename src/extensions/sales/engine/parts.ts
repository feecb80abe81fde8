import type { EngineParts } from '../../../engine/shared/parts.ts';
import type { SalesDatabase } from '../store/sales-store.ts';

/** The base's parts with the tables of this extension. */
export interface SalesParts extends EngineParts {
  readonly store: SalesDatabase;
}
