import type { Database } from '../database.ts';

/** Which serving sizes of the site a tap offers. A tap without a choice offers all. */
export function tapServingSizesTable(db: Database) {
  const byTap = db
    .prepare<[number], number>(
      `SELECT c.serving_size_id FROM tap_serving_sizes c JOIN serving_sizes s ON s.id = c.serving_size_id
       WHERE c.tap_id = ? ORDER BY s.position, s.id`,
    )
    .pluck();
  const clear = db.prepare<[number]>('DELETE FROM tap_serving_sizes WHERE tap_id = ?');
  const add = db.prepare<[tapId: number, sizeId: number]>(
    'INSERT INTO tap_serving_sizes (tap_id, serving_size_id) VALUES (?, ?)',
  );
  return {
    /** Ids of the chosen sizes in the order of the menu; empty for all. */
    byTap: (tapId: number): readonly number[] => byTap.all(tapId),
    /** Replaces the choice; empty for all sizes. */
    set(tapId: number, sizeIds: readonly number[]): void {
      clear.run(tapId);
      for (const sizeId of sizeIds) add.run(tapId, sizeId);
    },
  };
}
