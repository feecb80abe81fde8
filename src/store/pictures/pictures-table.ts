import type { Picture } from '../../core/records.ts';
import type { Database } from '../database.ts';
import type { Caches } from '../shared/caches.ts';

interface PictureRow {
  id: number;
  name: string;
  caption: string;
  drink_id: number | null;
}

/** A picture of a drink, with the drink's time and user. */
export interface DrinkPicture {
  readonly drinkId: number;
  /** End of the pour, Unix milliseconds. */
  readonly pourTimeMs: number;
  readonly username: string | null;
  readonly picture: Picture;
}

/** Subjects of pictures, with at most one picture each. */
type PictureSubject = 'drink' | 'beverage' | 'producer' | 'site' | 'site_logo' | 'user' | 'keg';

/** Stored pictures of cancelled drinks, the newest, about ten megabytes. */
const maxCancelled = 100;

/** Pictures and their subjects; the files are beside the database. */
export function picturesTable(db: Database, caches: Caches) {
  const byName = db.prepare<[string], PictureRow>('SELECT * FROM pictures WHERE name = ?');
  const byId = db.prepare<[number], PictureRow>('SELECT * FROM pictures WHERE id = ?');
  const insert = db.prepare<[string], number>('INSERT INTO pictures (name) VALUES (?) RETURNING id').pluck();
  const removeById = db.prepare<[number]>('DELETE FROM pictures WHERE id = ?');
  const moveToDrink = db.prepare<[number, number]>('UPDATE pictures SET drink_id = ? WHERE drink_id = ?');
  const addCancelled = db.prepare<[string]>(
    'INSERT INTO cancelled_pictures (name) VALUES (?) ON CONFLICT (name) DO NOTHING',
  );
  const removeOldest = db.prepare<[number]>(
    `DELETE FROM cancelled_pictures
     WHERE id <= (SELECT id FROM cancelled_pictures ORDER BY id DESC LIMIT 1 OFFSET ?)`,
  );
  const restore = db.prepare<[string]>('DELETE FROM cancelled_pictures WHERE name = ?');
  const isCancelled = db.prepare<[string], number>('SELECT 1 FROM cancelled_pictures WHERE name = ?').pluck();
  const bySession = db.prepare<
    [number],
    PictureRow & { drink_id: number; pour_time_ms: number; username: string | null }
  >(
    `SELECT p.*, d.pour_time_ms, u.username FROM drinks d JOIN pictures p ON p.drink_id = d.id
       LEFT JOIN users u ON u.id = d.user_id
     WHERE d.session_id = ? ORDER BY d.pour_time_ms, d.id`,
  );
  const names = db.prepare<[], string>('SELECT name FROM pictures').pluck();
  const removed = watchRemovals(db);
  const of = (column: `${PictureSubject}_id`) => ({
    find: db.prepare<[number], PictureRow>(`SELECT * FROM pictures WHERE ${column} = ?`),
    insert: db.prepare<{ name: string; caption: string; subjectId: number }>(
      `INSERT INTO pictures (name, caption, ${column}) VALUES (@name, @caption, @subjectId)`,
    ),
    remove: db.prepare<[number]>(`DELETE FROM pictures WHERE ${column} = ?`),
  });
  // Every drink view looks for a picture, and hardly one drink in a hundred has one: newer drinks need no
  // query.
  const newest = db.prepare<[], number | null>('SELECT max(drink_id) FROM pictures').pluck();
  const newestPictured = caches.untilChange(() => newest.get() ?? 0);
  const subjects = {
    drink: of('drink_id'),
    beverage: of('beverage_id'),
    producer: of('producer_id'),
    site: of('site_id'),
    site_logo: of('site_logo_id'),
    user: of('user_id'),
    keg: of('keg_id'),
  };
  return {
    byName: (name: string): Picture | null => toPicture(byName.get(name)),
    bySubject: (subject: PictureSubject, id: number): Picture | null =>
      toPicture(subjects[subject].find.get(id)),
    byDrink: (drinkId: number): Picture | null =>
      drinkId > newestPictured() ? null : toPicture(subjects.drink.find.get(drinkId)),
    /** Pictures of the drinks of a session, oldest pour first. */
    bySession: (sessionId: number): readonly DrinkPicture[] =>
      bySession.all(sessionId).map((row) => ({
        drinkId: row.drink_id,
        pourTimeMs: row.pour_time_ms,
        username: row.username,
        picture: toPicture(row)!,
      })),
    byId: (id: number): Picture | null => toPicture(byId.get(id)),
    /** Adds a picture to which a table of an extension refers. Returns its id. */
    add: (name: string): number => insert.get(name)!,
    removeById: (id: number): void => void removeById.run(id),
    addToDrink: (name: string, drinkId: number): void =>
      void subjects.drink.insert.run({ name, caption: '', subjectId: drinkId }),
    /** Sets the subject's picture and removes the previous one. */
    set({ subject, id, name, caption }: NewPicture): void {
      subjects[subject].remove.run(id);
      subjects[subject].insert.run({ name, caption, subjectId: id });
    },
    remove: (subject: PictureSubject, id: number): void => void subjects[subject].remove.run(id),
    /** Moves a picture to another drink, which must have none. */
    moveToDrink: (fromId: number, toId: number): void => void moveToDrink.run(toId, fromId),
    /**
     * Keeps the files of a cancelled drink's picture, so that undo can restore it. It is not shown meanwhile.
     */
    addCancelled(name: string): void {
      addCancelled.run(name);
      removeOldest.run(maxCancelled);
    },
    isCancelled: (name: string): boolean => isCancelled.get(name) !== undefined,
    /** Removes it from the cancelled pictures; false if its files are no longer stored. */
    restore: (name: string): boolean => restore.run(name).changes > 0,
    names: (): readonly string[] => names.all(),
    /**
     * Names of the pictures that this connection removed since the last call and that no row refers to. Called outside
     * of transactions: a removal that was rolled back is not among them.
     */
    takeUnreferenced(): readonly string[] {
      if (removed.size === 0) return [];
      const candidates = [...removed];
      removed.clear();
      return candidates.filter(
        (name) => byName.get(name) === undefined && isCancelled.get(name) === undefined,
      );
    },
  };
}

/**
 * Collects the names of removed rows in memory, also of rows that the removal of their subject removes. The triggers are
 * temporary: they belong to this connection and write nothing.
 */
function watchRemovals(db: Database): Set<string> {
  const removed = new Set<string>();
  db.function('note_removed_picture', (name) => {
    removed.add(String(name));
    return null;
  });
  for (const table of ['pictures', 'cancelled_pictures']) {
    db.exec(`CREATE TEMP TRIGGER note_removed_${table} AFTER DELETE ON main.${table}
             BEGIN SELECT note_removed_picture(OLD.name); END`);
  }
  return removed;
}

/** A picture to be written; `id` is the subject's. */
interface NewPicture {
  readonly subject: PictureSubject;
  readonly id: number;
  readonly name: string;
  readonly caption: string;
}

function toPicture(row: PictureRow | undefined): Picture | null {
  if (row === undefined) return null;
  return { id: row.id, name: row.name, caption: row.caption, drinkId: row.drink_id };
}
