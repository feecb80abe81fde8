import { createHash } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { actAsOwner } from '../../../../cli/act-as-owner.ts';
import type { CliIo } from '../../../../cli/command.ts';
import { loadConfig } from '../../../../daemon/load-config.ts';
import { openImportStaging } from '../../store/import-staging.ts';
import { createImportReport } from '../import-report.ts';
import { type ImportChoices, importStaged, withImportLock } from '../import-staged.ts';
import { type ImportParts, withImports } from '../with-imports.ts';
import { chooseSource } from './choose-source.ts';
import { requireOtherServer } from './own-server.ts';
import { type ApiName, findApi } from './remote-api.ts';
import type { RemoteClient } from './remote-client.ts';
import { stageRemote } from './stage-remote.ts';

/** What was read from a server longer ago is read again, milliseconds: drinks may have been corrected there since. */
const maxStagingAgeMs = 7 * 86_400_000;

interface ServerImport {
  readonly parts: ImportParts;
  /** Null: it is found out. */
  readonly api: ApiName | null;
  /** Name of the source, if one was given. */
  readonly source: string | null;
  readonly choices: ImportChoices;
  readonly configPath: string | undefined;
}

/** Imports from a running server. Returns the exit code. */
export async function importServer(
  client: RemoteClient,
  { parts, api: wanted, source: named, choices, configPath }: ServerImport,
  io: CliIo,
): Promise<number> {
  const loaded = loadConfig({ path: configPath, env: io.env, cwd: io.cwd });
  actAsOwner(loaded.config.database);
  const database = resolve(io.cwd, loaded.config.database);
  return withImportLock(database, () =>
    withImports(parts, loaded, async (open) => {
      const { engine, imports, now } = open;
      const api = await findApi(client, wanted);
      const address = client.base.toLowerCase();
      const start = await requireOtherServer(client, {
        api,
        imports,
        http: loaded.config.http,
        source: named ?? address,
        isNamed: named !== null,
      });
      const staging = openImportStaging(freshStagingFile(dirname(database), start, now.wallMs), {
        resume: true,
      });
      let isDone = false;
      try {
        const report = createImportReport();
        const drinksThrough = await stageRemote({
          client,
          api,
          engine,
          imports,
          now,
          staging,
          report,
          drinksThrough: imports.drinksThrough(start),
          showProgress: (sentence) => io.err(`${sentence}\n`),
        });
        const wanted = { source: start, isNamed: named !== null, isFile: false };
        const source = chooseSource(imports, staging, wanted);
        if (source !== (named ?? address)) {
          io.err(`Its drinks were imported from “${source}” before: it is continued.\n`);
        }
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
