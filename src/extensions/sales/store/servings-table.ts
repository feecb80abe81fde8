import type { Database } from '../../../store/database.ts';

/** What a serving of a beverage holds, how it is taxed and what tills call it. */
export interface Serving {
  readonly id: number;
  readonly beverageId: number;
  readonly sizeId: number;
  /** Null: as much as the size. */
  readonly liquidMl: number | null;
  /** Hundredths of a percent; null: not known. */
  readonly taxBasisPoints: number | null;
  readonly codes: readonly string[];
}

export type ServingFields = Omit<Serving, 'id' | 'beverageId'>;

interface ServingRow {
  readonly id: number;
  readonly beverage_id: number;
  readonly serving_size_id: number;
  readonly liquid_ml: number | null;
  readonly tax_basis_points: number | null;
}

/** Servings of beverages, where they differ from their serving size or have codes. */
export function servingsTable(db: Database) {
  const byBeverage = db.prepare<[number], ServingRow>(
    `SELECT v.* FROM servings v JOIN serving_sizes s ON s.id = v.serving_size_id
     WHERE v.beverage_id = ? ORDER BY s.position, s.id`,
  );
  const codesOf = db
    .prepare<[number], string>('SELECT code FROM serving_codes WHERE serving_id = ? ORDER BY code')
    .pluck();
  const byCode = db.prepare<[string], { beverage_id: number; serving_size_id: number }>(
    `SELECT v.beverage_id, v.serving_size_id FROM serving_codes c JOIN servings v ON v.id = c.serving_id
     WHERE c.code = ?`,
  );
  const removeAll = db.prepare<[number]>('DELETE FROM servings WHERE beverage_id = ?');
  const insert = db
    .prepare<Omit<ServingRow, 'id'>, number>(
      `INSERT INTO servings (beverage_id, serving_size_id, liquid_ml, tax_basis_points)
       VALUES (@beverage_id, @serving_size_id, @liquid_ml, @tax_basis_points) RETURNING id`,
    )
    .pluck();
  const insertCode = db.prepare<[string, number]>(
    'INSERT INTO serving_codes (code, serving_id) VALUES (?, ?)',
  );
  return {
    /** In the order of the sizes. */
    byBeverage: (beverageId: number): readonly Serving[] =>
      byBeverage.all(beverageId).map((row) => ({
        id: row.id,
        beverageId: row.beverage_id,
        sizeId: row.serving_size_id,
        liquidMl: row.liquid_ml,
        taxBasisPoints: row.tax_basis_points,
        codes: codesOf.all(row.id),
      })),
    /** The serving that a till names by its code; null for an unknown one. */
    byCode(code: string): { readonly beverageId: number; readonly sizeId: number } | null {
      const row = byCode.get(code);
      return row === undefined ? null : { beverageId: row.beverage_id, sizeId: row.serving_size_id };
    },
    /** Replaces the servings of a beverage. */
    set(beverageId: number, servings: readonly ServingFields[]): void {
      removeAll.run(beverageId);
      for (const { sizeId, liquidMl, taxBasisPoints, codes } of servings) {
        const id = insert.get({
          beverage_id: beverageId,
          serving_size_id: sizeId,
          liquid_ml: liquidMl,
          tax_basis_points: taxBasisPoints,
        })!;
        for (const code of codes) insertCode.run(code, id);
      }
    },
  };
}
