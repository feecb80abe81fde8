import type { Database } from '../../../store/database.ts';

/** The last month, `YYYY-MM`, whose balance was mailed. */
export function mailedMonthTable(db: Database) {
  const get = db.prepare<[], string | null>('SELECT month FROM mailed_month').pluck();
  const set = db.prepare<[string]>('UPDATE mailed_month SET month = ?');
  return {
    get: (): string | null => get.get()!,
    set: (month: string): void => void set.run(month),
  };
}
