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
  const removeByKeg = db.prepare<[number]>('DELETE FROM keg_former_beverages WHERE keg_id = ?');
  return {
    /** Drinks of the kegs before that time keep the prices of the beverage. */
    add(kegIds: readonly number[], { beverageId, untilMs }: { beverageId: number; untilMs: number }): void {
      for (const kegId of kegIds) add.run({ kegId, beverageId, untilMs });
    },
    /** The first time that is later than all drinks of the beverage's kegs, and not before an earlier merge; null without any. */
    firstUnusedMs: (beverageId: number): number | null => lastUse.get({ id: beverageId }) ?? null,
    /** All drinks of the keg have the prices of its present beverage. */
    removeByKeg: (kegId: number): void => void removeByKeg.run(kegId),
  };
}
