import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../../../src/cli/cli.ts';
import { type OpenDatabase, withDatabase } from '../../../../src/cli/with-database.ts';

/** A folder with a configuration and a database, on which commands run. */
export function createSite() {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-import-'));
  const settings = {
    database: 'data/bar.db',
    gpio: { driver: 'simulated' },
    http: { host: '127.0.0.1', port: 0 },
    onewire: { directory: 'w1' },
  };
  const writeSettings = (changed: object) =>
    writeFileSync(join(folder, 'bar.json'), JSON.stringify({ ...settings, ...changed }));
  writeSettings({});
  const io = (stdin?: string) => {
    const printed = { out: '', err: '' };
    return {
      printed,
      io: {
        out(text: string) {
          printed.out += text;
        },
        err(text: string) {
          printed.err += text;
        },
        stdin: (async function* () {
          if (stdin !== undefined) yield Buffer.from(stdin);
        })(),
        env: { TAPSTER_CONFIG: 'bar.json' },
        cwd: folder,
      },
    };
  };
  return {
    folder,
    path: (name: string): string => join(folder, name),
    /** Writes a file into the folder. */
    write: (name: string, text: string | Uint8Array): void => writeFileSync(join(folder, name), text),
    /** Writes the settings file with other settings. */
    change: writeSettings,
    /** Runs a command; words are separated by blanks. */
    async tapster(line: string, stdin?: string) {
      const { io: commandIo, printed } = io(stdin);
      const code = await runCli(line.split(' '), commandIo);
      return { code, ...printed };
    },
    /** Opens the database. */
    open: <T>(work: (database: OpenDatabase) => T | Promise<T>): Promise<T> =>
      withDatabase({ configPath: undefined, io: io().io }, work),
    remove: (): void => rmSync(folder, { recursive: true, force: true }),
  };
}

export type ImportSite = ReturnType<typeof createSite>;

/** What two sites with the same history have in common; ids may differ. */
export function readTotals({ engine }: OpenDatabase) {
  const kegs = engine.kegs.list({ limit: 1_000 }).items.map((keg) => ({
    beverage: engine.kegs.beverage(keg.beverageId)!.name,
    state: keg.state === 'on_tap' ? 'available' : keg.state,
    full: keg.fullVolumeMl,
    served: round(keg.servedVolumeMl),
    spilled: round(keg.spilledVolumeMl),
    created: toSeconds(keg.createdTimeMs),
  }));
  const sessions = engine.lists.sessions({ limit: 1_000 }).items.map((session) => ({
    start: toSeconds(session.startTimeMs),
    end: toSeconds(session.endTimeMs),
    volume: round(session.volumeMl),
  }));
  const drinks = engine.lists.drinks({ limit: 1_000, isValid: true });
  return {
    kegs: kegs.sort(byText),
    sessions: sessions.sort(byText),
    drinks: drinks.total,
    volumeMl: round(drinks.items.reduce((sum, drink) => sum + drink.volumeMl, 0)),
    byUser: count(drinks.items.map(({ username }) => username ?? '')),
  };
}

const byText = (one: object, other: object) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
const round = (ml: number): number => Math.round(ml * 1_000) / 1_000;
const toSeconds = (ms: number): number => Math.floor(ms / 1_000);

function count(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
