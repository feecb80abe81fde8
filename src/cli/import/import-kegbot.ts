import { createHash } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { loadConfig } from '../../config/load.ts';
import { openImportStaging } from '../../engine/engine.ts';
import { actAsOwner } from '../act-as-owner.ts';
import { type CliIo, type Command, configOption, readArgs, UsageFault } from '../command.ts';
import { readSecretLine } from '../read-stdin.ts';
import { type OpenDatabase, withLoadedConfig } from '../with-database.ts';
import { createImportReport } from './import-report.ts';
import { type ImportChoices, importOptions, importStaged, withImportLock } from './import-staged.ts';
import { requireOtherServer } from './kegbot/own-server.ts';
import { type ApiName, apiNames, findApi } from './kegbot/remote-api.ts';
import { createRemoteClient, type RemoteClient, readServerAddress } from './kegbot/remote-client.ts';
import { stageRemote } from './kegbot/stage-remote.ts';

const options = {
  ...configOption,
  ...importOptions,
  key: { type: 'string' },
  api: { type: 'string' },
  source: { type: 'string' },
} as const;

/** What was read from a server longer ago is read again, milliseconds: drinks may have been corrected there since. */
const maxStagingAgeMs = 7 * 86_400_000;

/** Imports people, beverages, kegs and drinks of another server. */
export const importKegbotCommand: Command = {
  help: `Usage: tapster import kegbot URL [--key KEY] [--dry-run] [--config FILE]

Imports people, beverages, kegs and drinks of a Kegbot server or of another Tapster, also while the daemon runs and beer
flows. Called again it adds only what is new, and continues after an interruption. Passwords, rights, pictures and
temperatures are not imported: see docs/import.md.

  --key KEY        an API key of a staff account of the other server; "-" reads it from standard input
  --dry-run        read everything and print what would be imported; write nothing
  --skip-bad-rows  import what is possible; without it one faulty record stops everything before anything is written
  --api NAME       kegbot (Kegbot 2), legacy (Kegbot 1) or reference (Tapster); found by itself
  --source NAME    name of the server in this database, if its address has changed since the first import
  --no-backup      do not make a backup first

  tapster import kegbot http://old-pi.local:8000 --key - --dry-run

Exit codes: 0 done, 64 wrong call, 65 faulty records, 69 the other server or the database cannot be used, 77 the key is
refused, 7x other faults.
`,
  async run(args, io) {
    const { values, positionals } = readArgs(args, options, ['URL']);
    const api = readApi(values.api);
    const key = values.key === '-' ? await readSecretLine(io.stdin) : (values.key ?? null);
    if (key !== null && !/^[\x21-\x7e]{1,256}$/.test(key))
      throw new UsageFault('KEY has characters that no key has.');
    const client = createRemoteClient({
      base: readServerAddress(positionals[0]!),
      key,
      onWait: (reason, seconds) => io.err(`${reason}: next attempt in ${seconds} s.\n`),
    });
    const source = readSource(values.source) ?? client.base.toLowerCase();
    return importServer(client, { api, source, choices: values, configPath: values.config }, io);
  },
};

async function importServer(
  client: RemoteClient,
  {
    api: wanted,
    source,
    choices,
    configPath,
  }: {
    readonly api: ApiName | null;
    readonly source: string;
    readonly choices: ImportChoices;
    readonly configPath: string | undefined;
  },
  io: CliIo,
): Promise<number> {
  const loaded = loadConfig({ path: configPath, env: io.env, cwd: io.cwd });
  actAsOwner(loaded.config.database);
  const database = resolve(io.cwd, loaded.config.database);
  return withImportLock(database, () =>
    withLoadedConfig(loaded, async (open: OpenDatabase) => {
      const { engine, now } = open;
      const api = await findApi(client, wanted);
      await requireOtherServer(client, { api, engine, source, http: loaded.config.http });
      const staging = openImportStaging(freshStagingFile(dirname(database), source, now.wallMs), {
        resume: true,
      });
      let isDone = false;
      try {
        const report = createImportReport();
        const drinksThrough = await stageRemote({
          client,
          api,
          engine,
          now,
          staging,
          report,
          drinksThrough: engine.imports.drinksThrough(source),
          showProgress: (sentence) => io.err(`${sentence}\n`),
        });
        const code = await importStaged(open, {
          io,
          source,
          isFile: false,
          needsKegs: false,
          staging,
          report,
          placeOf: ({ kind, key }) => `${kind} ${kind === 'user' ? `“${key}”` : key}`,
          choices,
          drinksThrough,
        });
        isDone = code === 0 && choices['dry-run'] !== true;
        return code;
      } finally {
        // What was read is kept for the next call, unless all of it is imported.
        if (isDone) staging.remove();
        else staging.close();
      }
    }),
  );
}

/** The file for what is read from a source; an old one is deleted. */
function freshStagingFile(folder: string, source: string, nowMs: number): string {
  const name = createHash('sha256').update(source).digest('hex').slice(0, 16);
  const file = join(folder, `import-${name}.staging`);
  const modifiedMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  if (modifiedMs !== undefined && Math.abs(nowMs - modifiedMs) > maxStagingAgeMs) {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  }
  return file;
}

function readApi(name: string | undefined): ApiName | null {
  if (name === undefined) return null;
  const found = apiNames.find((one) => one === name);
  if (found === undefined)
    throw new UsageFault(`--api must be one of ${apiNames.join(', ')}, not "${name}".`);
  return found;
}

function readSource(name: string | undefined): string | null {
  if (name === undefined) return null;
  if (/^[\w.:/[\]-]{1,200}$/.test(name)) return name.toLowerCase();
  throw new UsageFault('--source must be the name or address under which the server was imported before.');
}
