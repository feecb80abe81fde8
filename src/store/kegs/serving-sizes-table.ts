import type { ServingSize } from '../../core/kegs/serving-sizes.ts';
import type { Database } from '../database.ts';

interface SizeRow {
  readonly id: number;
  readonly volume_ml: number;
  readonly name: string;
  readonly names: string;
}

/** A size to store; without an id it is a new one. */
export type StoredSize = Omit<ServingSize, 'id'> & { readonly id: number | null };

/** The serving sizes of the site in their order; `beforeDeletion` are the statements of all extensions for a size that goes. */
export function servingSizesTable(db: Database, beforeDeletion: readonly string[] = []) {
  const all = db.prepare<[], SizeRow>(
    'SELECT id, volume_ml, name, names FROM serving_sizes ORDER BY position, id',
  );
  const isDefault = db.prepare<[], number>('SELECT are_default FROM serving_size_state').pluck();
  const setDefault = db.prepare<[number]>('UPDATE serving_size_state SET are_default = ?');
  const insert = db.prepare<Omit<SizeRow, 'id'> & { position: number }>(
    'INSERT INTO serving_sizes (position, volume_ml, name, names) VALUES (@position, @volume_ml, @name, @names)',
  );
  const update = db.prepare<SizeRow & { position: number }>(
    `UPDATE serving_sizes SET position = @position, volume_ml = @volume_ml, name = @name, names = @names
     WHERE id = @id`,
  );
  const prepareDeletion = beforeDeletion.map((sql) => db.prepare<{ id: number }>(sql));
  const remove = db.prepare<[number]>('DELETE FROM serving_sizes WHERE id = ?');
  const list = (): readonly ServingSize[] =>
    all.all().map(({ id, volume_ml: volumeMl, name, names }) => ({
      id,
      volumeMl,
      name,
      names: JSON.parse(names) as ServingSize['names'],
    }));
  return {
    all: list,
    /** False once staff have changed the list. */
    areDefault: (): boolean => isDefault.get() === 1,
    /** Replaces the list; sizes that are not in it are deleted. */
    replace(sizes: readonly StoredSize[], areDefault: boolean): void {
      const kept = new Set(sizes.map(({ id }) => id));
      for (const { id } of list()) {
        if (kept.has(id)) continue;
        for (const statement of prepareDeletion) statement.run({ id });
        remove.run(id);
      }
      sizes.forEach(({ id, volumeMl, name, names }, position) => {
        const row = { position, volume_ml: volumeMl, name, names: JSON.stringify(names) };
        if (id === null) insert.run(row);
        else update.run({ ...row, id });
      });
      setDefault.run(Number(areDefault));
    },
  };
}
