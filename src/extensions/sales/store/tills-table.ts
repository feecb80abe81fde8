import type { Database } from '../../../store/database.ts';
import type { SalesFormat } from '../core/sales-format.ts';

/** A till whose lines are imported. */
export interface Till {
  readonly id: number;
  readonly name: string;
  /** How its files are read; null: it sends its lines by the API. */
  readonly format: SalesFormat | null;
  /** Categories whose products are ignored, unless one is mapped. */
  readonly ignoredCategories: readonly string[];
  /** Tax in its amounts, hundredths of a percent, unless a serving has another one; 0: they are without tax. Null: nobody said. */
  readonly includedTaxBasisPoints: number | null;
}

interface TillRow {
  readonly id: number;
  readonly name: string;
  readonly format: string | null;
  readonly included_tax_basis_points: number | null;
}

/** Tills. */
export function tillsTable(db: Database) {
  const all = db.prepare<[], TillRow>('SELECT * FROM tills ORDER BY id');
  const byId = db.prepare<[number], TillRow>('SELECT * FROM tills WHERE id = ?');
  const byName = db.prepare<[string], TillRow>('SELECT * FROM tills WHERE name = ?');
  const insert = db.prepare<[string], number>('INSERT INTO tills (name) VALUES (?) RETURNING id').pluck();
  const rename = db.prepare<{ id: number; name: string }>('UPDATE tills SET name = @name WHERE id = @id');
  const setFormat = db.prepare<{ id: number; format: string | null }>(
    'UPDATE tills SET format = @format WHERE id = @id',
  );
  const setIncludedTax = db.prepare<{ id: number; tax: number | null }>(
    'UPDATE tills SET included_tax_basis_points = @tax WHERE id = @id',
  );
  const priceTax = db.prepare<[], number | null>('SELECT max(included_tax_basis_points) FROM tills').pluck();
  const remove = db.prepare<[number]>('DELETE FROM tills WHERE id = ?');
  const categories = db
    .prepare<[number], string>(
      'SELECT category FROM till_ignored_categories WHERE till_id = ? ORDER BY category',
    )
    .pluck();
  const clear = db.prepare<[number]>('DELETE FROM till_ignored_categories WHERE till_id = ?');
  const ignore = db.prepare<[number, string]>('INSERT INTO till_ignored_categories VALUES (?, ?)');
  const toTill = (row: TillRow): Till => ({
    id: row.id,
    name: row.name,
    format: row.format === null ? null : (JSON.parse(row.format) as SalesFormat),
    ignoredCategories: categories.all(row.id),
    includedTaxBasisPoints: row.included_tax_basis_points,
  });
  const orNull = (row: TillRow | undefined): Till | null => (row === undefined ? null : toTill(row));
  return {
    all: (): readonly Till[] => all.all().map(toTill),
    byId: (id: number): Till | null => orNull(byId.get(id)),
    byName: (name: string): Till | null => orNull(byName.get(name)),
    add: (name: string): number => insert.get(name)!,
    rename: (id: number, name: string): void => void rename.run({ id, name }),
    setFormat: (id: number, format: SalesFormat | null): void =>
      void setFormat.run({ id, format: format === null ? null : JSON.stringify(format) }),
    setIncludedTax: (id: number, tax: number | null): void => void setIncludedTax.run({ id, tax }),
    /** Tax in the prices of the site, which are those of its tills; null while nobody said of any till. */
    priceTax: (): number | null => priceTax.get() ?? null,
    setIgnoredCategories(id: number, ignored: readonly string[]): void {
      clear.run(id);
      for (const category of ignored) ignore.run(id, category);
    },
    remove: (id: number): void => void remove.run(id),
  };
}
