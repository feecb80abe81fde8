import type { Database } from '../../../store/database.ts';
import { type KegPurchase, noPurchase } from '../core/keg-stock.ts';

interface PurchaseRow {
  keg_id: number;
  supplier: string;
  batch: string;
  code: string;
  location: string;
  received_on: string | null;
  born_on: string | null;
  best_before: string | null;
  cost_minor: number | null;
  deposit_minor: number | null;
  deposit_returned_on: string | null;
}

/** What is known of kegs from their deliveries. */
export function kegPurchasesTable(db: Database) {
  const byKeg = db.prepare<[number], PurchaseRow>('SELECT * FROM keg_purchases WHERE keg_id = ?');
  const set = db.prepare<KegPurchase & { kegId: number }>(
    `INSERT INTO keg_purchases (keg_id, supplier, batch, code, location, received_on, born_on, best_before, cost_minor,
       deposit_minor, deposit_returned_on)
     VALUES (@kegId, @supplier, @batch, @code, @location, @receivedOn, @bornOn, @bestBefore, @costMinor, @depositMinor,
       @depositReturnedOn)
     ON CONFLICT (keg_id) DO UPDATE SET supplier = @supplier, batch = @batch, code = @code, location = @location,
       received_on = @receivedOn, born_on = @bornOn, best_before = @bestBefore, cost_minor = @costMinor,
       deposit_minor = @depositMinor, deposit_returned_on = @depositReturnedOn`,
  );
  const depositsOut = db
    .prepare<[], number>(
      `SELECT p.keg_id FROM keg_purchases p JOIN kegs k ON k.id = p.keg_id
       WHERE p.deposit_minor > 0 AND p.deposit_returned_on IS NULL AND k.state = 'finished' ORDER BY p.keg_id`,
    )
    .pluck();
  const costPerMl = db
    .prepare<[number], number>(
      `SELECT p.cost_minor / k.full_volume_ml FROM keg_purchases p JOIN kegs k ON k.id = p.keg_id
       WHERE k.beverage_id = ? AND p.cost_minor IS NOT NULL ORDER BY k.id DESC LIMIT 1`,
    )
    .pluck();
  const suppliers = db
    .prepare<[], string>(
      `SELECT supplier FROM keg_purchases WHERE supplier <> '' GROUP BY supplier ORDER BY max(id) DESC LIMIT 50`,
    )
    .pluck();
  return {
    /** Without any, that nothing is known. */
    byKeg(kegId: number): KegPurchase {
      const row = byKeg.get(kegId);
      return row === undefined ? noPurchase : toPurchase(row);
    },
    set: (kegId: number, purchase: KegPurchase): void => void set.run({ ...purchase, kegId }),
    /** Ids of the ended kegs whose deposit has not come back. */
    depositsOut: (): readonly number[] => depositsOut.all(),
    /** Cost of a beverage in the keg that came last with a known cost, smallest units of the currency per millilitre. */
    costPerMl: (beverageId: number): number | null => costPerMl.get(beverageId) ?? null,
    /** The last suppliers, newest first. */
    suppliers: (): readonly string[] => suppliers.all(),
  };
}

const toPurchase = (row: PurchaseRow): KegPurchase => ({
  supplier: row.supplier,
  batch: row.batch,
  code: row.code,
  location: row.location,
  receivedOn: row.received_on,
  bornOn: row.born_on,
  bestBefore: row.best_before,
  costMinor: row.cost_minor,
  depositMinor: row.deposit_minor,
  depositReturnedOn: row.deposit_returned_on,
});
