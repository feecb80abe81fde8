import type { Database } from '../../src/store/database.ts';

interface Column {
  readonly table: string;
  readonly column: string;
}

/** The columns of all tables. */
export const listColumns = (db: Database): readonly Column[] =>
  db
    .prepare<[], Column>(
      `SELECT t.name AS "table", c.name AS "column" FROM sqlite_schema t JOIN pragma_table_info(t.name) c
       WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY t.name, c.cid`,
    )
    .all();

/** The columns that refer to a table, and what happens to them when its row is deleted. */
export const listReferences = (
  db: Database,
  to: string,
): readonly (Column & { readonly onDelete: string })[] =>
  db
    .prepare<[string], Column & { onDelete: string }>(
      `SELECT t.name AS "table", f."from" AS "column", f.on_delete AS onDelete
       FROM sqlite_schema t JOIN pragma_foreign_key_list(t.name) f WHERE t.type = 'table' AND f."table" = ?`,
    )
    .all(to);
