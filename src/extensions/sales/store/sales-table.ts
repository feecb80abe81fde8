import type { Database } from '../../../store/database.ts';
import { pagedList } from '../../../store/shared/paged-list.ts';
import type { SaleKind } from '../core/sale-line.ts';

/** A stored line. */
export interface StoredSale {
  readonly id: number;
  readonly tillId: number;
  readonly importId: number;
  readonly itemId: number;
  readonly key: string;
  readonly checkId: string;
  readonly timeMs: number;
  readonly kind: SaleKind;
  readonly quantity: number;
  readonly grossMinor: number | null;
  readonly discountMinor: number | null;
  readonly netMinor: number | null;
  /** Who rang it up; null where that is not kept. */
  readonly seller: string | null;
}

/** A line with the names of its product. */
export interface SaleView extends StoredSale {
  readonly till: string;
  readonly itemName: string;
  readonly variant: string;
  readonly category: string;
}

/** The span of an import that has all lines of its till. */
export interface CompleteSpan {
  readonly id: number;
  readonly tillId: number;
  /** First and last millisecond. */
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Lines of a till after the one of that time and id, up to a time. */
export interface SalesAfter {
  readonly tillId: number;
  readonly timeMs: number;
  readonly id: number;
  readonly lastMs: number;
}

const afterLine = `AND s.time_ms BETWEEN @timeMs AND @lastMs AND (s.time_ms, s.id) > (@timeMs, @id)
  ORDER BY s.time_ms, s.is_current, s.id LIMIT @limit`;

/** How a line relates to what is stored. */
export type AddedSale = 'new' | 'changed' | 'known';

interface SaleRow {
  readonly id: number;
  readonly till_id: number;
  readonly import_id: number;
  readonly item_id: number;
  readonly key: string;
  readonly check_id: string;
  readonly time_ms: number;
  readonly kind: SaleKind;
  readonly quantity: number;
  readonly gross_minor: number | null;
  readonly discount_minor: number | null;
  readonly net_minor: number | null;
  readonly is_current: number;
  readonly seller: string | null;
}
interface ViewRow extends SaleRow {
  readonly till: string;
  readonly name: string;
  readonly variant: string;
  readonly category: string;
}

/**
 * The lines of tills. What is stored is the union of the lines of all imports, in whatever order they came: a line is known by its
 * key, and of several versions the voided one counts, else that of the latest import. None counts if a later import that is complete
 * for its span does not have the line.
 */
export function salesTable(db: Database) {
  const versions = db.prepare<[number, string], SaleRow>(
    'SELECT * FROM sales WHERE till_id = ? AND key = ? ORDER BY import_id, id',
  );
  const insert = db.prepare<Omit<StoredSale, 'id'> & { isCurrent: number }>(
    `INSERT INTO sales (till_id, import_id, item_id, key, check_id, time_ms, kind, quantity, gross_minor,
       discount_minor, net_minor, is_current, seller)
     VALUES (@tillId, @importId, @itemId, @key, @checkId, @timeMs, @kind, @quantity, @grossMinor, @discountMinor,
       @netMinor, @isCurrent, @seller)`,
  );
  const setCurrent = db.prepare<{ id: number; isCurrent: number }>(
    'UPDATE sales SET is_current = @isCurrent WHERE id = @id',
  );
  const setSeller = db.prepare<[seller: string, id: number]>('UPDATE sales SET seller = ? WHERE id = ?');
  const addRepeat = db.prepare<[number, number]>(
    'INSERT INTO sale_repeats VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const otherImport = db
    .prepare<[number], number | null>('SELECT min(import_id) FROM sale_repeats WHERE sale_id = ?')
    .pluck();
  const ofImport = db.prepare<[number, number], SaleRow>('SELECT * FROM sales WHERE import_id = ? LIMIT ?');
  const latestRepeat = db
    .prepare<[number], number | null>('SELECT max(import_id) FROM sale_repeats WHERE sale_id = ?')
    .pluck();
  const removeRepeat = db.prepare<[number, number]>(
    'DELETE FROM sale_repeats WHERE import_id = ? AND sale_id = ?',
  );
  const repeatsOf = db.prepare<[number, number], SaleRow>(
    `SELECT s.* FROM sale_repeats r JOIN sales s ON s.id = r.sale_id WHERE r.import_id = ? LIMIT ?`,
  );
  const goneBy = db.prepare<{ tillId: number; timeMs: number; latest: number }>(
    `SELECT 1 FROM sales_imports WHERE till_id = @tillId AND is_complete = 1 AND state = 'complete' AND id > @latest
       AND first_ms <= @timeMs AND last_ms >= @timeMs LIMIT 1`,
  );
  const missing = db
    .prepare<CompleteSpan & { limit: number }, number>(
      `SELECT s.id FROM sales s
       WHERE +s.till_id = @tillId AND s.time_ms >= @firstMs AND s.time_ms <= @lastMs AND s.is_current = 1
         AND NOT EXISTS (SELECT 1 FROM sales o WHERE o.till_id = s.till_id AND o.key = s.key AND (o.import_id >= @id
           OR EXISTS (SELECT 1 FROM sale_repeats r WHERE r.sale_id = o.id AND r.import_id >= @id)))
       LIMIT @limit`,
    )
    .pluck();
  const hidden = db.prepare<SalesAfter & { limit: number }, { id: number; time_ms: number; key: string }>(
    `SELECT s.id, s.time_ms, s.key FROM sales s WHERE +s.till_id = @tillId AND +s.is_current = 0 ${afterLine}`,
  );
  const currentAfter = db.prepare<SalesAfter & { limit: number }, ViewRow>(
    `SELECT s.*, t.name AS till, i.name, i.variant, i.category
     FROM sales s JOIN tills t ON t.id = s.till_id JOIN till_items i ON i.id = s.item_id
     WHERE +s.till_id = @tillId AND +s.is_current = 1 ${afterLine}`,
  );
  const any = db.prepare<[number]>('SELECT 1 FROM sales WHERE till_id = ? LIMIT 1');
  const setImport = db.prepare<{ id: number; importId: number }>(
    'UPDATE sales SET import_id = @importId WHERE id = @id',
  );
  const remove = db.prepare<[number]>('DELETE FROM sales WHERE id = ?');
  const list = pagedList<ViewRow>(db, {
    table: 'sales',
    alias: 's',
    columns: 's.*, t.name AS till, i.name, i.variant, i.category',
    joins: 'JOIN tills t ON t.id = s.till_id JOIN till_items i ON i.id = s.item_id',
    time: 'time_ms',
  });

  const latestImport = (row: SaleRow): number => Math.max(row.import_id, latestRepeat.get(row.id) ?? 0);

  /** Decides which version of a line counts. */
  const chooseCurrent = (tillId: number, key: string): void => {
    const rows = versions.all(tillId, key);
    const voided = rows.filter(({ kind }) => kind === 'void');
    const [current] = (voided.length > 0 ? voided : rows)
      .map((row) => ({ row, latest: latestImport(row) }))
      .sort((one, other) => other.latest - one.latest);
    const latest = Math.max(0, ...rows.map(latestImport));
    const isGone =
      current !== undefined && goneBy.get({ tillId, timeMs: current.row.time_ms, latest }) !== undefined;
    for (const row of rows) {
      const isCurrent = Number(row === current?.row && !isGone);
      if (row.is_current !== isCurrent) setCurrent.run({ id: row.id, isCurrent });
    }
  };

  /** Removes a row from its import: another import that has it, too, keeps it. */
  const withdraw = (row: SaleRow): void => {
    const otherId = otherImport.get(row.id) ?? null;
    if (otherId === null) {
      remove.run(row.id);
      return;
    }
    removeRepeat.run(otherId, row.id);
    setImport.run({ id: row.id, importId: otherId });
  };

  return {
    /**
     * Adds a line of an import; one that is stored with the same values is only noted to be in this import, too. Of two lines
     * of one import with the same key, the last one is that of the import.
     */
    add(sale: Omit<StoredSale, 'id'>): AddedSale {
      const stored = versions.all(sale.tillId, sale.key);
      if (stored.length === 0) {
        const isGone = goneBy.get({ ...sale, latest: sale.importId }) !== undefined;
        insert.run({ ...sale, isCurrent: Number(!isGone) });
        return 'new';
      }
      const same = stored.find((row) => isSame(row, sale));
      if (same !== undefined && same.seller === null && sale.seller !== null)
        setSeller.run(sale.seller, same.id);
      if (same?.import_id === sale.importId) return 'known';
      for (const row of stored) {
        if (row.import_id === sale.importId) withdraw(row);
        else if (row !== same) removeRepeat.run(sale.importId, row.id);
      }
      if (same === undefined) insert.run({ ...sale, isCurrent: 0 });
      else addRepeat.run(sale.importId, same.id);
      if (stored.length > 1 || same?.is_current !== 1) chooseCurrent(sale.tillId, sale.key);
      return same === undefined ? 'changed' : 'known';
    },
    /** How a line would relate to what is stored; of a product that is not known its item is 0. */
    compare(sale: Omit<StoredSale, 'id'>): AddedSale {
      const stored = versions.all(sale.tillId, sale.key);
      if (stored.length === 0) return 'new';
      return stored.some((row) => isSame(row, sale)) ? 'known' : 'changed';
    },
    /** Some lines in the span of a complete import that it does not have count no longer. Returns their number. */
    hideMissing(span: CompleteSpan, limit: number): number {
      const ids = missing.all({ ...span, limit });
      for (const id of ids) setCurrent.run({ id, isCurrent: 0 });
      return ids.length;
    },
    /** Lets some lines count again that were gone by an import, which counts no longer. Returns the last one; null at the end. */
    showHidden(after: SalesAfter, limit: number): SalesAfter | null {
      const rows = hidden.all({ ...after, limit });
      for (const { key } of rows) chooseCurrent(after.tillId, key);
      const last = rows.at(-1);
      return last === undefined ? null : { ...after, timeMs: last.time_ms, id: last.id };
    },
    /** Removes some lines of an import that no other import has. Returns false when none is left. */
    removeSome(importId: number, limit: number): boolean {
      const repeated = repeatsOf.all(importId, limit);
      for (const row of repeated) {
        removeRepeat.run(importId, row.id);
        chooseCurrent(row.till_id, row.key);
      }
      if (repeated.length > 0) return true;
      const rows = ofImport.all(importId, limit);
      for (const row of rows) {
        withdraw(row);
        chooseCurrent(row.till_id, row.key);
      }
      return rows.length > 0;
    },
    /** Lines of a till after one of them, oldest first. */
    currentAfter: (after: SalesAfter, limit: number): readonly SaleView[] =>
      currentAfter.all({ ...after, limit }).map(toView),
    hasAny: (tillId: number): boolean => any.get(tillId) !== undefined,
    list: {
      page: (...slice: Parameters<typeof list.page>): readonly SaleView[] => list.page(...slice).map(toView),
      count: list.count,
      countBy: list.countBy,
      between: list.between,
    },
  };
}

const isSame = (row: SaleRow, sale: Omit<StoredSale, 'id'>): boolean =>
  row.item_id === sale.itemId &&
  row.time_ms === sale.timeMs &&
  row.kind === sale.kind &&
  row.quantity === sale.quantity &&
  row.check_id === sale.checkId &&
  row.gross_minor === sale.grossMinor &&
  row.discount_minor === sale.discountMinor &&
  row.net_minor === sale.netMinor;

const toView = (row: ViewRow): SaleView => ({
  id: row.id,
  tillId: row.till_id,
  importId: row.import_id,
  itemId: row.item_id,
  key: row.key,
  checkId: row.check_id,
  timeMs: row.time_ms,
  kind: row.kind,
  quantity: row.quantity,
  grossMinor: row.gross_minor,
  discountMinor: row.discount_minor,
  netMinor: row.net_minor,
  seller: row.seller,
  till: row.till,
  itemName: row.name,
  variant: row.variant,
  category: row.category,
});
