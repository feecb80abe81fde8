import type { Picture } from '../../core/records.ts';
import { cachedUntilTableWrite } from '../cached-until-table-write.ts';
import type { Database } from '../database.ts';

interface PictureRow {
  id: number;
  name: string;
  caption: string;
  drink_id: number | null;
}

/** What a picture may be of; at most one picture each. */
export type PictureSubject = 'drink' | 'beverage' | 'producer' | 'site' | 'site_logo' | 'user';

/** Of pictures whose drinks were taken back so many are kept, the newest: some ten megabytes. */
const maxSetAside = 100;

/** Which pictures there are and what they show; their files lie beside the database. */
export function picturesTable(db: Database) {
  const byName = db.prepare<[string], PictureRow>('SELECT * FROM pictures WHERE name = ?');
  const moveToDrink = db.prepare<[number, number]>('UPDATE pictures SET drink_id = ? WHERE drink_id = ?');
  const setAside = db.prepare<[string]>(
    'INSERT INTO pictures_set_aside (name) VALUES (?) ON CONFLICT (name) DO NOTHING',
  );
  const removeOldest = db.prepare<[number]>(
    `DELETE FROM pictures_set_aside
     WHERE id <= (SELECT id FROM pictures_set_aside ORDER BY id DESC LIMIT 1 OFFSET ?)`,
  );
  const restore = db.prepare<[string]>('DELETE FROM pictures_set_aside WHERE name = ?');
  const isSetAside = db.prepare<[string], number>('SELECT 1 FROM pictures_set_aside WHERE name = ?').pluck();
  const names = db.prepare<[], string>('SELECT name FROM pictures').pluck();
  const of = (column: `${PictureSubject}_id`) => ({
    find: db.prepare<[number], PictureRow>(`SELECT * FROM pictures WHERE ${column} = ?`),
    insert: db.prepare<{ name: string; caption: string; subjectId: number }>(
      `INSERT INTO pictures (name, caption, ${column}) VALUES (@name, @caption, @subjectId)`,
    ),
    remove: db.prepare<[number]>(`DELETE FROM pictures WHERE ${column} = ?`),
  });
  // Every drink is asked for its picture, and hardly one in a hundred has any: a new one cannot have one yet.
  const newest = db.prepare<[], number | null>('SELECT max(drink_id) FROM pictures').pluck();
  const newestPictured = cachedUntilTableWrite(db)([{ table: 'pictures' }], () => newest.get() ?? 0);
  const subjects = {
    drink: of('drink_id'),
    beverage: of('beverage_id'),
    producer: of('producer_id'),
    site: of('site_id'),
    site_logo: of('site_logo_id'),
    user: of('user_id'),
  };
  return {
    byName: (name: string): Picture | null => toPicture(byName.get(name)),
    of: (subject: PictureSubject, id: number): Picture | null => toPicture(subjects[subject].find.get(id)),
    ofDrink: (drinkId: number): Picture | null =>
      drinkId > newestPictured() ? null : toPicture(subjects.drink.find.get(drinkId)),
    addToDrink: (name: string, drinkId: number): void =>
      void subjects.drink.insert.run({ name, caption: '', subjectId: drinkId }),
    /** The subject's one picture; the one it had goes. */
    set({ subject, id, name, caption }: NewPicture): void {
      subjects[subject].remove.run(id);
      subjects[subject].insert.run({ name, caption, subjectId: id });
    },
    remove: (subject: PictureSubject, id: number): void => void subjects[subject].remove.run(id),
    /** What was a picture of one drink is one of another, which has none. */
    moveToDrink: (fromId: number, toId: number): void => void moveToDrink.run(toId, fromId),
    /** Its drink was taken back: it is shown to nobody, but its files stay, should the drink come back. */
    setAside(name: string): void {
      setAside.run(name);
      removeOldest.run(maxSetAside);
    },
    isSetAside: (name: string): boolean => isSetAside.get(name) !== undefined,
    /** Gives it back to the ledger; false when its files are no longer kept. */
    restore: (name: string): boolean => restore.run(name).changes > 0,
    names: (): readonly string[] => names.all(),
  };
}

/** A picture about to be named in the ledger; `id` is its subject's. */
export interface NewPicture {
  readonly subject: PictureSubject;
  readonly id: number;
  readonly name: string;
  readonly caption: string;
}

function toPicture(row: PictureRow | undefined): Picture | null {
  if (row === undefined) return null;
  return { id: row.id, name: row.name, caption: row.caption, drinkId: row.drink_id };
}
