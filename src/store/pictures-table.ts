import type { Picture } from '../core/ledger.ts';
import type { Database } from './database.ts';

interface PictureRow {
  id: number;
  name: string;
  drink_id: number | null;
}

/** Which pictures there are and what they show; their files lie beside the database. */
export function picturesTable(db: Database) {
  const byName = db.prepare<[string], PictureRow>('SELECT * FROM pictures WHERE name = ?');
  const byDrink = db.prepare<[number], PictureRow>('SELECT * FROM pictures WHERE drink_id = ?');
  const insert = db.prepare<{ name: string; drinkId: number }>(
    'INSERT INTO pictures (name, drink_id) VALUES (@name, @drinkId)',
  );
  const names = db.prepare<[], string>('SELECT name FROM pictures').pluck();
  return {
    byName: (name: string): Picture | null => toPicture(byName.get(name)),
    ofDrink: (drinkId: number): Picture | null => toPicture(byDrink.get(drinkId)),
    addToDrink: (name: string, drinkId: number): void => void insert.run({ name, drinkId }),
    names: (): readonly string[] => names.all(),
  };
}

function toPicture(row: PictureRow | undefined): Picture | null {
  return row === undefined ? null : { id: row.id, name: row.name, drinkId: row.drink_id };
}
