import JSONParser from '@streamparser/json/jsonparser.js';
import {
  invalidBackup,
  rememberTable,
  type TableRow,
  type TableSource,
  type TableValue,
} from './table-rows.ts';
import type { ZipMember } from './zip-archive.ts';

/** Longest row, bytes of JSON. */
const maxRowBytes = 4 * 1024 * 1024;

/** The tables of a backup of Kegbot 0.9.25 to 1.1: one file of JSON for each, as Django writes its records. */
export function openJsonTables(name: string, members: readonly ZipMember[]): TableSource {
  const tables = new Set<string>();
  const found = members.flatMap((member) => {
    const table = /^tables\/(\w+)\.json$/.exec(member.path)?.[1];
    return table === undefined ? [] : [{ table, member }];
  });
  for (const { table } of found) rememberTable(tables, table);
  return {
    tables,
    notes: new Set(),
    async *rows(wanted) {
      for (const { table, member } of found) {
        if (wanted.has(table)) yield* readTable(name, table, member);
      }
    },
  };
}

/** Reads an array of `{pk, fields}`. */
async function* readTable(
  name: string,
  table: string,
  member: ZipMember,
): AsyncGenerator<readonly TableRow[]> {
  const damaged = () => invalidBackup(name, `has a damaged ${member.path}: make or copy it again`);
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false });
  let rows: TableRow[] = [];
  let sinceRow = 0;
  let fault: unknown = null;
  parser.onError = (cause) => {
    fault ??= cause;
  };
  parser.onValue = ({ value }) => {
    sinceRow = 0;
    rows.push({ table, values: toValues(value) });
  };
  for await (const chunk of member.open()) {
    sinceRow += chunk.length;
    parser.write(chunk);
    if (fault !== null || sinceRow > maxRowBytes + chunk.length) throw damaged();
    if (rows.length > 0) yield rows;
    rows = [];
  }
  if (!parser.isEnded) throw damaged();
}

function toValues(row: unknown): TableRow['values'] {
  const { pk, fields } = (row ?? {}) as { pk?: unknown; fields?: unknown };
  const entries = typeof fields === 'object' && fields !== null ? Object.entries(fields) : [];
  return Object.fromEntries(
    [['id', pk] as const, ...entries].flatMap(([column, value]) =>
      isTableValue(value) ? [[column, value] as const] : [],
    ),
  );
}

const isTableValue = (value: unknown): value is TableValue =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);
