import type { Moment } from '../../../../core/clock/moment.ts';
import { minorDigits } from '../../../../core/kegs/money.ts';
import type { GuessedColumns } from '../../core/guess-columns.ts';
import { isDraughtCategory } from '../../core/propose-product.ts';
import type { SaleLine } from '../../core/sale-line.ts';
import type { SaleField, SalesFormat } from '../../core/sales-format.ts';
import type { BadRow } from '../../store/sales-imports-table.ts';
import type { SalesParts } from '../parts.ts';
import { proposeComponents } from '../propose-components.ts';
import { validateFormat } from '../sales-bounds.ts';
import { compareWithStored, type PreviewedChanges } from './compare-lines.ts';
import { maxFaults } from './count-lines.ts';
import type { SalesFiles } from './join-dsfinvk.ts';
import { readSales } from './read-sales.ts';
import { findSalesCharset, type Pause } from './sales-table.ts';
import { isZip } from './unzip.ts';

/** Lines that are shown as they are understood. */
const maxSample = 10;
const maxCategories = 500;

/** What a category of a till's file holds. */
export interface PreviewedCategory {
  readonly name: string;
  readonly lines: number;
  readonly products: number;
  /** True when its name or one of its products says draught beer. */
  readonly isDraught: boolean;
}

/** How a file would be understood; nothing is stored. */
export interface SalesPreview {
  /** Names of the columns, without those that name persons. */
  readonly columns: readonly string[];
  readonly missing: readonly SaleField[];
  /** What the names of the columns say, whatever the format says. */
  readonly guessed: GuessedColumns;
  /** Line of the head; rows above it are skipped. */
  readonly headLine: number;
  /** The character set in which the file was read. */
  readonly charset: SalesFormat['charset'];
  readonly sample: readonly SaleLine[];
  readonly lines: number;
  readonly skippedRows: number;
  readonly badRows: number;
  readonly faults: readonly BadRow[];
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  /** Those with most lines first. */
  readonly categories: readonly PreviewedCategory[];
  /** What an import would do to the lines of the till; null where no till was named. */
  readonly changes: PreviewedChanges | null;
}

/** Previews of imports. */
export function createSalesPreviews({ store }: SalesParts) {
  return {
    /** Reads the whole file. Throws `invalid_request` for a file that is none. */
    async read(
      files: SalesFiles,
      {
        format: requested,
        tillId,
        pause,
        now,
      }: {
        readonly format: SalesFormat;
        readonly tillId: number | null;
        readonly pause: Pause;
        readonly now: Moment;
      },
    ): Promise<SalesPreview> {
      const format = validateFormat(requested);
      const comparer = tillId === null ? null : compareWithStored(store, tillId);
      const hasSellers = store.sellers.settings().reason !== null;
      const digits = minorDigits(store.reports.settings().currency);
      const propose = proposeComponents(store);
      const categories = new Map<string, { lines: number; products: Set<string>; isDraught: boolean }>();
      let columns: readonly string[] = [];
      let missing: readonly SaleField[] = [];
      let guessed: GuessedColumns = {};
      let headLine = 1;
      const sample: SaleLine[] = [];
      const faults: BadRow[] = [];
      let [lines, skippedRows, badRows] = [0, 0, 0];
      let [firstMs, lastMs]: (number | null)[] = [null, null];
      for await (const read of readSales(files, {
        format,
        minorDigits: digits,
        pause,
        hasSellers,
        nowMs: now.synced ? now.wallMs : null,
      })) {
        if (read.kind === 'head') ({ columns, missing, guessed, row: headLine } = read);
        else if (read.kind === 'skipped') skippedRows += 1;
        else if (read.kind === 'bad') {
          badRows += 1;
          if (faults.length < maxFaults) faults.push({ line: read.row, fault: read.fault });
        } else {
          const { line } = read;
          lines += 1;
          comparer?.add(line);
          if (sample.length < maxSample) sample.push(line);
          firstMs = Math.min(firstMs ?? line.timeMs, line.timeMs);
          lastMs = Math.max(lastMs ?? line.timeMs, line.timeMs);
          note(line);
        }
      }

      const isComplete = format.isComplete && badRows === 0;
      const span = typeof firstMs === 'number' && typeof lastMs === 'number' ? { firstMs, lastMs } : null;

      function note(line: SaleLine): void {
        const found = categories.get(line.category);
        if (found === undefined && categories.size >= maxCategories) return;
        const category = found ?? {
          lines: 0,
          products: new Set(),
          isDraught: isDraughtCategory(line.category),
        };
        categories.set(line.category, category);
        category.lines += 1;
        const product = `${line.itemKey}\n${line.variant}`;
        if (category.products.has(product)) return;
        category.products.add(product);
        category.isDraught ||= propose({ ...line, name: line.itemName }) !== null;
      }

      return {
        columns,
        missing,
        guessed,
        headLine,
        charset: isZip(files.main)
          ? format.charset
          : await findSalesCharset(files.main, format.charset, pause),
        sample,
        lines,
        skippedRows,
        badRows,
        faults,
        firstMs: firstMs ?? null,
        lastMs: lastMs ?? null,
        categories: [...categories]
          .map(([name, { products, ...rest }]) => ({ name, products: products.size, ...rest }))
          .sort((one, other) => other.lines - one.lines),
        changes: comparer && (await comparer.changes(isComplete ? span : null, pause)),
      };
    },
  };
}
