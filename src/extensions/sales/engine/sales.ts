import type { Moment } from '../../../core/clock/moment.ts';
import { hasTimeSpan } from '../../../engine/shared/bounds.ts';
import { type Page, type PageRequest, readPage } from '../../../engine/shared/paging.ts';
import { change } from '../../../engine/shared/parts.ts';
import type { TimeSpan } from '../../../engine/shared/views.ts';
import type { SaleKind } from '../core/sale-line.ts';
import type { SalesFile } from '../store/sales-files-table.ts';
import type { SaleView } from '../store/sales-table.ts';
import type { SoldLine, SoldTotal, UnmappedTotal } from '../store/sold-table.ts';
import { createApiSales } from './imports/api-sales.ts';
import { createSalesPreviews } from './imports/preview-sales.ts';
import { createSalesImports } from './imports/sales-imports.ts';
import type { SalesParts } from './parts.ts';
import { createServings } from './servings.ts';
import { createTills } from './tills.ts';

/** Filters of the lines; absent ones do not filter. */
export interface SalesQuery extends PageRequest, TimeSpan {
  readonly tillId?: number;
  readonly importId?: number;
  readonly itemId?: number;
  readonly kind?: SaleKind;
}

/** A time span of what was sold. */
interface Span {
  readonly sinceMs: number;
  /** Exclusive. */
  readonly untilMs: number;
}

/** What tills sold, and what they sell. */
export function createSales(parts: SalesParts) {
  const { store } = parts;
  return {
    servings: createServings(parts),
    tills: createTills(parts),
    imports: createSalesImports(parts),
    previews: createSalesPreviews(parts),
    api: createApiSales(parts),

    /** Lines that count, newest first. */
    lines({ tillId, importId, itemId, kind, sinceMs, untilMs, ...page }: SalesQuery): Page<SaleView> {
      const { list } = store.sales;
      const span = { ...(sinceMs !== undefined && { sinceMs }), ...(untilMs !== undefined && { untilMs }) };
      const time = hasTimeSpan(span) ? list.between(span) : undefined;
      // The most selective filter is found by its index.
      const seek =
        importId !== undefined ? { import_id: importId } : itemId !== undefined ? { item_id: itemId } : {};
      const filter = {
        seek,
        scan: {
          is_current: 1,
          ...(tillId !== undefined && { till_id: tillId }),
          ...(importId !== undefined && itemId !== undefined && { item_id: itemId }),
          ...(kind !== undefined && { kind }),
        },
        ...(time !== undefined && { time }),
      };
      return readPage(
        page,
        list.count(filter),
        (slice) => list.page(filter, slice),
        ({ timeMs }) => timeMs,
      );
    },

    /** What was sold in a time span by beverage, serving and kind. */
    totals: (span: Span): readonly SoldTotal[] => store.snapshot(() => store.sold.totals(span)),
    /** The same line by line; for spans of some days. */
    soldLines: (span: Span): readonly SoldLine[] => store.snapshot(() => store.sold.lines(span)),
    /** Products with lines in the span that nobody has mapped or ignored: they are missing in the totals. */
    unmapped: (span: Span): readonly UnmappedTotal[] => store.snapshot(() => store.sold.unmapped(span)),

    /** Files of the watched folder. */
    files: (): readonly SalesFile[] => store.salesFiles.all(),
    /** Notes that a file was read, or why it could not be imported. */
    noteFile: (file: Omit<SalesFile, 'readMs'>, { wallMs }: Moment): void =>
      change(
        parts,
        () => store.salesFiles.put({ ...file, readMs: Math.max(0, Math.round(wallMs)) }),
        'operation',
      ),
    /** Forgets files that are no longer in the folder. */
    forgetFiles(present: ReadonlySet<string>): void {
      const gone = store.salesFiles.all().filter(({ path }) => !present.has(path));
      if (gone.length === 0) return;
      change(
        parts,
        () => {
          for (const { path } of gone) store.salesFiles.remove(path);
        },
        'removal',
      );
    },
  };
}

export type Sales = ReturnType<typeof createSales>;
