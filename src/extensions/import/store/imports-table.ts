import type { Database } from '../../../store/database.ts';

/** Kinds of records that are remembered one by one; drinks are found by their pour ids. */
export type ImportedKind = 'user' | 'beverage' | 'keg';

/** A source of imported records. */
export interface ImportSource {
  readonly id: number;
  /** All drinks of that server up to this id were handled; 0 before the first complete import. */
  readonly drinksThrough: number;
}

/** The record here that is one of the source. */
export interface ImportRecord {
  /** The record may have been deleted since. */
  readonly localId: number;
  readonly fingerprint: string;
  /** Spilled volume of a keg that was imported so far, millilitres. */
  readonly spilledMl: number;
  /** False for a record that was here before. */
  readonly isCreated: boolean;
}

/** A source with what is here of it. */
export interface ImportedSource {
  readonly name: string;
  readonly drinks: number;
}

/** An imported drink. */
export interface ImportedDrinkRow {
  readonly id: number;
  readonly sessionId: number;
  readonly kegId: number | null;
}

export type ImportsTable = ReturnType<typeof importsTable>;

/** Sources of imports, and which records came from them. */
export function importsTable(db: Database) {
  const source = db.prepare<[string], ImportSource>(
    'SELECT id, drinks_through AS drinksThrough FROM import_sources WHERE name = ?',
  );
  const addSource = db
    .prepare<[string], number>('INSERT INTO import_sources (name) VALUES (?) RETURNING id')
    .pluck();
  const setDrinksThrough = db.prepare<[drinkId: number, sourceId: number]>(
    'UPDATE import_sources SET drinks_through = max(drinks_through, ?) WHERE id = ?',
  );
  const sourceName = db.prepare<[number], string>('SELECT name FROM import_sources WHERE id = ?').pluck();
  const importedDrink = db
    .prepare<{ fromMs: number; untilMs: number; volumeMl: number }, string>(
      `SELECT pour_id FROM drinks WHERE pour_time_ms BETWEEN @fromMs AND @untilMs AND is_valid = 1
         AND source = 'import' AND pour_id LIKE 'import.%' AND abs(volume_ml - @volumeMl) < 0.01 LIMIT 1`,
    )
    .pluck();
  const record = db.prepare<
    [number, ImportedKind, string],
    Omit<ImportRecord, 'isCreated'> & { isCreated: number }
  >(
    `SELECT local_id AS localId, fingerprint, spilled_ml AS spilledMl, is_created AS isCreated FROM import_records
     WHERE source_id = ? AND kind = ? AND key = ?`,
  );
  const keyOf = db
    .prepare<[number, ImportedKind, number], string>(
      'SELECT key FROM import_records WHERE source_id = ? AND kind = ? AND local_id = ? LIMIT 1',
    )
    .pluck();
  const localIds = db
    .prepare<[number, ImportedKind], number>(
      'SELECT local_id FROM import_records WHERE source_id = ? AND kind = ? ORDER BY local_id',
    )
    .pluck();
  const put = db.prepare<
    [
      sourceId: number,
      kind: ImportedKind,
      key: string,
      localId: number,
      fingerprint: string,
      spilledMl: number,
      isCreated: number,
    ]
  >(
    `INSERT INTO import_records (source_id, kind, key, local_id, fingerprint, spilled_ml, is_created)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (source_id, kind, key) DO UPDATE SET local_id = excluded.local_id, fingerprint = excluded.fingerprint,
       spilled_ml = excluded.spilled_ml`,
  );
  return {
    source: (name: string): ImportSource | null => source.get(name) ?? null,
    /** Returns its id. */
    addSource: (name: string): number => addSource.get(name)!,
    /** The name of the source from which a drink of that time and volume was imported; null without one. */
    sourceOfDrink({ fromMs, untilMs, volumeMl }: { fromMs: number; untilMs: number; volumeMl: number }) {
      const pourId = importedDrink.get({ fromMs, untilMs, volumeMl });
      return pourId === undefined ? null : (sourceName.get(Number(pourId.split('.')[1])) ?? null);
    },
    setDrinksThrough: (sourceId: number, drinkId: number): void =>
      void setDrinksThrough.run(drinkId, sourceId),
    record(sourceId: number, kind: ImportedKind, key: string): ImportRecord | null {
      const row = record.get(sourceId, kind, key);
      return row === undefined ? null : { ...row, isCreated: row.isCreated === 1 };
    },
    /** The key of a record of the source that is this record here; a few hundred rows are searched. */
    keyOf: (sourceId: number, kind: ImportedKind, localId: number): string | null =>
      keyOf.get(sourceId, kind, localId) ?? null,
    /** All records here that are one of the source, in the order of their ids. */
    localIds: (sourceId: number, kind: ImportedKind): readonly number[] => localIds.all(sourceId, kind),
    /** Adds or replaces. */
    put: (sourceId: number, kind: ImportedKind, key: string, record: ImportRecord): void =>
      void put.run(
        sourceId,
        kind,
        key,
        record.localId,
        record.fingerprint,
        record.spilledMl,
        Number(record.isCreated),
      ),
    ...importUndo(db),
  };
}

/** The pour ids of a source: all that begin with `import.<id>.`; a slash follows the dot. */
const pourIdsOf = (sourceId: string): string =>
  `pour_id > 'import.' || ${sourceId} || '.' AND pour_id < 'import.' || ${sourceId} || '/'`;

/** A number is bound as a real one, whose text has a decimal point. */
const boundSource = 'CAST(@sourceId AS INTEGER)';

/** Reads and statements to undo the import of a source. */
function importUndo(db: Database) {
  const sources = db.prepare<[], ImportedSource>(
    `SELECT name, (SELECT count(*) FROM drinks WHERE ${pourIdsOf('s.id')}) AS drinks
     FROM import_sources s ORDER BY s.id`,
  );
  const drinks = db.prepare<{ sourceId: number; limit: number }, ImportedDrinkRow>(
    `SELECT id, session_id AS sessionId, keg_id AS kegId FROM drinks WHERE ${pourIdsOf(boundSource)} LIMIT @limit`,
  );
  const createdKegs = db
    .prepare<[number], number>(
      `SELECT local_id FROM import_records WHERE source_id = ? AND kind = 'keg' AND is_created = 1`,
    )
    .pluck();
  const remove = [
    `DELETE FROM cancelled_pours WHERE ${pourIdsOf(boundSource)}`,
    `DELETE FROM spills WHERE ${pourIdsOf(boundSource)}`,
    'DELETE FROM import_records WHERE source_id = @sourceId',
    'UPDATE import_sources SET drinks_through = 0 WHERE id = @sourceId',
  ].map((sql) => db.prepare<{ sourceId: number }>(sql));
  return {
    /** All sources in the order of their first import. */
    sources: (): readonly ImportedSource[] => sources.all(),
    /** Some of the drinks of a source. */
    drinks: (sourceId: number, limit: number): readonly ImportedDrinkRow[] => drinks.all({ sourceId, limit }),
    createdKegs: (sourceId: number): readonly number[] => createdKegs.all(sourceId),
    /** Forgets the source; its drinks must be gone. The caller recomputes the kegs of its spills. */
    forget(sourceId: number): void {
      for (const statement of remove) statement.run({ sourceId });
    },
  };
}
