import type { Database } from '../database.ts';

/** The beverages that kegs had before merges; their earlier drinks keep those prices. */
export function formerBeveragesTable(db: Database) {
  const add = db.prepare<{ kegId: number; beverageId: number; untilMs: number }>(
    `INSERT INTO keg_former_beverages (keg_id, beverage_id, until_ms) VALUES (@kegId, @beverageId, @untilMs)
     ON CONFLICT DO NOTHING`,
  );
  const lastUse = db
    .prepare<{ id: number }, number | null>(
      `SELECT max(time_ms) FROM (
         SELECT max(d.pour_time_ms) + 1 AS time_ms FROM kegs k JOIN drinks d ON d.keg_id = k.id
           WHERE k.beverage_id = @id
         UNION ALL SELECT max(f.until_ms) FROM kegs k JOIN keg_former_beverages f ON f.keg_id = k.id
           WHERE k.beverage_id = @id)`,
    )
    .pluck();
  const ofBeverage = 'keg_id IN (SELECT id FROM kegs WHERE beverage_id = @id)';
  const removeLater = db.prepare<{ id: number; atMs: number }>(
    `DELETE FROM keg_former_beverages WHERE ${ofBeverage} AND until_ms > @atMs AND EXISTS (
       SELECT 1 FROM keg_former_beverages f WHERE f.keg_id = keg_former_beverages.keg_id
         AND f.until_ms >= @atMs AND f.until_ms < keg_former_beverages.until_ms)`,
  );
  const shorten = db.prepare<{ id: number; atMs: number }>(
    `UPDATE keg_former_beverages SET until_ms = @atMs WHERE ${ofBeverage} AND until_ms > @atMs`,
  );
  const removeByKeg = db.prepare<[number]>('DELETE FROM keg_former_beverages WHERE keg_id = ?');
  return {
    /** Drinks of the kegs before that time keep the prices of the beverage. */
    add(kegIds: readonly number[], { beverageId, untilMs }: { beverageId: number; untilMs: number }): void {
      for (const kegId of kegIds) add.run({ kegId, beverageId, untilMs });
    },
    /** The first time that is later than all drinks of the beverage's kegs, and not before an earlier merge; null without any. */
    firstUnusedMs: (beverageId: number): number | null => lastUse.get({ id: beverageId }) ?? null,
    /** Drinks of the beverage's kegs have its prices from that time on. */
    endAt(beverageId: number, atMs: number): void {
      removeLater.run({ id: beverageId, atMs });
      shorten.run({ id: beverageId, atMs });
    },
    /** All drinks of the keg have the prices of its present beverage. */
    removeByKeg: (kegId: number): void => void removeByKeg.run(kegId),
  };
}
