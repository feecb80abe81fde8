import type { Database } from '../database.ts';

/** A stored PIN. */
interface StoredPin {
  /** A password hash. */
  readonly hash: string;
  /** Wrong entries since the last correct one. */
  readonly wrong: number;
}

/** PINs of users for shared tablets. */
export function pinsTable(db: Database) {
  const byUser = db.prepare<[number], { pin_hash: string; wrong: number }>(
    'SELECT pin_hash, wrong FROM pins WHERE user_id = ?',
  );
  const set = db.prepare<[number, string]>(
    `INSERT INTO pins (user_id, pin_hash) VALUES (?, ?)
     ON CONFLICT (user_id) DO UPDATE SET pin_hash = excluded.pin_hash, wrong = 0`,
  );
  const setWrong = db.prepare<[number, number]>('UPDATE pins SET wrong = ? WHERE user_id = ?');
  const resetWrong = db.prepare<[number]>('UPDATE pins SET wrong = 0 WHERE user_id = ? AND wrong > 0');
  const remove = db.prepare<[number]>('DELETE FROM pins WHERE user_id = ?');
  const owners = db
    .prepare<[], number>(
      `SELECT u.id FROM pins p JOIN users u ON u.id = p.user_id
       WHERE u.is_active AND (u.is_staff OR u.is_superuser) ORDER BY u.display_name, u.id`,
    )
    .pluck();
  return {
    byUser(userId: number): StoredPin | null {
      const row = byUser.get(userId);
      return row === undefined ? null : { hash: row.pin_hash, wrong: row.wrong };
    },
    set: (userId: number, hash: string): void => void set.run(userId, hash),
    setWrong: (userId: number, wrong: number): void => void setWrong.run(wrong, userId),
    /** Resets the number of wrong entries. */
    resetWrong: (userId: number): void => void resetWrong.run(userId),
    remove: (userId: number): boolean => remove.run(userId).changes > 0,
    /** Ids of active staff with a PIN, by name. */
    owners: (): readonly number[] => owners.all(),
  };
}
