import type { Database } from '../database.ts';

/** Which features were switched on or off; a feature without a row has its default. */
export function featuresTable(
  db: Database,
  extensions: readonly { readonly name: string; readonly keptOn?: string; readonly setUpBy?: string }[] = [],
) {
  const read = db.prepare<[], { name: string; is_on: 0 | 1 }>('SELECT name, is_on FROM features');
  const set = db.prepare<{ name: string; isOn: number }>(
    `INSERT INTO features (name, is_on) VALUES (@name, @isOn)
     ON CONFLICT (name) DO UPDATE SET is_on = excluded.is_on`,
  );
  const queries = (of: 'keptOn' | 'setUpBy') =>
    new Map(
      extensions.flatMap(({ name, [of]: query }) =>
        query === undefined ? [] : [[name, db.prepare<[], unknown>(query)] as const],
      ),
    );
  const kept = queries('keptOn');
  const setUp = queries('setUpBy');
  return {
    /** Whether something of the feature runs, so that it must be on. */
    isKeptOn: (name: string): boolean => kept.get(name)?.get() !== undefined,
    /** Whether the bar has something of the feature. */
    isSetUp: (name: string): boolean => setUp.get(name)?.get() !== undefined,
    read: (): ReadonlyMap<string, boolean> =>
      new Map(read.all().map(({ name, is_on }) => [name, is_on === 1])),
    set: (name: string, isOn: boolean): void => void set.run({ name, isOn: Number(isOn) }),
  };
}
