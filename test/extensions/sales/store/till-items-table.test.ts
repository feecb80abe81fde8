import { expect, test } from 'vitest';
import { sales } from '../../../../src/extensions/sales/extension.ts';
import { tillItemsTable } from '../../../../src/extensions/sales/store/till-items-table.ts';
import { type Database, openDatabase } from '../../../../src/store/database.ts';
import { schemaStepsWith } from '../../../../src/store/schema/migrations.ts';

test('lines of the products of a till are counted in an index', () => {
  const db = openDatabase(':memory:', { steps: schemaStepsWith([sales]) });
  const statements: string[] = [];
  const prepare = db.prepare.bind(db);
  const recording = (sql: string) => {
    statements.push(sql);
    return prepare(sql);
  };
  tillItemsTable(Object.assign(Object.create(db) as Database, { prepare: recording }));
  const counted = statements.filter((sql) => sql.includes('FROM till_items i LEFT JOIN sales'));
  expect(counted).toHaveLength(2);
  for (const sql of counted) {
    const steps = db.prepare<[number], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(1);
    expect(steps.map(({ detail }) => detail).join()).toMatch(/s USING COVERING INDEX sales_by_item/);
  }
});
