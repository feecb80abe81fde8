import { extensions } from '../../../src/extensions/all.ts';
import { openDatabase } from '../../../src/store/database.ts';
import { createDiskSpace } from '../../../src/store/disk-space.ts';
import { schemaStepsWith } from '../../../src/store/schema/migrations.ts';
import { createTables } from '../../../src/store/store.ts';
import { extensionCases } from '../../kit/extension-cases.ts';

/** Kinds of credentials, as the table of `credential-routes.ts` names them. */
export type Credential =
  | 'password'
  | 'address'
  | 'name'
  | 'role'
  | 'key'
  | 'login'
  | 'pin'
  | 'tablet'
  | 'board'
  | 'invitation'
  | 'link'
  | 'setting';

/** The columns that are one credential; a row is a write of it only while `holds` is true for it. */
export interface Watched {
  readonly table: string;
  readonly columns: readonly string[];
  readonly credential: Credential | 'purpose';
  readonly holds: (row: 'NEW' | 'OLD') => string;
}

const always = () => '1';
/** A new name lets nobody in; one that is freed can be taken. */
const onceStored = (row: 'NEW' | 'OLD') => (row === 'OLD' ? '1' : '0');

export const watched: readonly Watched[] = [
  {
    table: 'users',
    columns: ['password_hash'],
    credential: 'password',
    holds: (row) => `${row}.password_hash IS NOT NULL`,
  },
  { table: 'users', columns: ['email'], credential: 'address', holds: (row) => `${row}.email <> ''` },
  {
    table: 'users',
    columns: ['is_staff', 'is_superuser', 'is_active'],
    credential: 'role',
    holds: (row) => `${row}.is_staff + ${row}.is_superuser > 0`,
  },
  { table: 'users', columns: ['username'], credential: 'name', holds: onceStored },
  { table: 'user_aliases', columns: ['username'], credential: 'name', holds: always },
  {
    table: 'site',
    columns: ['privacy', "settings->>'$.registrationMode'", "settings->>'$.requireHttps'"],
    credential: 'setting',
    holds: always,
  },
  { table: 'api_keys', columns: ['hash', 'user_id', 'is_active'], credential: 'key', holds: always },
  { table: 'logins', columns: ['token_hash', 'user_id'], credential: 'login', holds: always },
  { table: 'pins', columns: ['pin_hash'], credential: 'pin', holds: always },
  { table: 'tablets', columns: ['token_hash'], credential: 'tablet', holds: always },
  ...extensionCases.flatMap(({ credentials }) => credentials?.watched ?? []),
  { table: 'mailed_secrets', columns: ['secret_hash', 'user_id'], credential: 'purpose', holds: always },
];

/** Columns with a hash that lets nobody act as an account or as a part of the bar. */
export const otherHashes = [
  // A link in a message about an alarm: shows and acknowledges that alarm.
  'alarm_deliveries.link_hash',
  ...extensionCases.flatMap((one) => one.otherHashes ?? []),
];

/** A store in memory whose writes of credentials are noted, whoever makes them: triggers of SQLite do it. */
export function openWatchedStore() {
  const db = openDatabase(':memory:', { steps: schemaStepsWith(extensions) });
  db.exec('CREATE TEMP TABLE credential_writes (credential TEXT NOT NULL)');
  for (const [i, { table, columns, credential, holds }] of watched.entries()) {
    const note = (row: 'NEW' | 'OLD') =>
      `BEGIN INSERT INTO credential_writes VALUES (${
        credential === 'purpose'
          ? `iif(${row}.purpose = 'invitation', 'invitation', 'link')`
          : `'${credential}'`
      }); END`;
    const changed = columns.map((column) => `OLD.${column} IS NOT NEW.${column}`).join(' OR ');
    db.exec(`
      CREATE TEMP TRIGGER watch_${i}_insert AFTER INSERT ON main.${table} WHEN ${holds('NEW')} ${note('NEW')};
      CREATE TEMP TRIGGER watch_${i}_delete AFTER DELETE ON main.${table} WHEN ${holds('OLD')} ${note('OLD')};
      CREATE TEMP TRIGGER watch_${i}_update AFTER UPDATE ON main.${table} WHEN ${changed} ${note('NEW')};
    `);
  }
  const read = db.prepare<[], string>('SELECT DISTINCT credential FROM credential_writes ORDER BY 1').pluck();
  const clear = db.prepare<[]>('DELETE FROM credential_writes');
  return {
    store: createTables(db, ':memory:', createDiskSpace(null), extensions),
    /** The credentials that were written and committed since the last call. */
    takeWrites(): readonly string[] {
      const writes = read.all();
      clear.run();
      return writes;
    },
    /** Every stored hash as hexadecimal digits and as Base64. */
    hashes: (): readonly string[] =>
      watched
        .filter(({ columns: [column] }) => column!.endsWith('hash'))
        .flatMap(({ table, columns: [column] }) =>
          db.prepare<[], Buffer | string | null>(`SELECT ${column} FROM ${table}`).pluck().all(),
        )
        .filter((hash) => hash !== null)
        .flatMap((hash) =>
          typeof hash === 'string' ? [hash] : [hash.toString('hex'), hash.toString('base64')],
        ),
    /** Columns of the schema that store a hash, `table.column`. */
    hashColumns: (): readonly string[] =>
      db
        .prepare<[], string>(
          `SELECT t.name || '.' || c.name FROM sqlite_schema t, pragma_table_info(t.name) c
           WHERE t.type = 'table' AND c.name LIKE '%hash' ORDER BY 1`,
        )
        .pluck()
        .all(),
  };
}
