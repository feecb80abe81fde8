import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CliIo } from '../../../cli/command.ts';
import { type Command, configOption, readArgs, UsageFault } from '../../../cli/command.ts';
import { readSecretLine } from '../../../cli/read-stdin.ts';
import { importOptions } from './import-staged.ts';
import { importBackup } from './kegbot/import-backup.ts';
import { importServer } from './kegbot/import-server.ts';
import { type ApiName, apiNames } from './kegbot/remote-api.ts';
import { createRemoteClient, readServerAddress } from './kegbot/remote-client.ts';
import type { ImportParts } from './with-imports.ts';

const options = {
  ...configOption,
  ...importOptions,
  key: { type: 'string' },
  api: { type: 'string' },
  source: { type: 'string' },
} as const;

/** Names of files: what `kegbot backup` and programs for dumps write. */
const fileName = /\.(?:zip|sql|gz|json|tar|tgz|bz2|xz|dump)$/i;

/** Imports people, beverages, kegs and drinks of another server, or of a backup of it. */
export const importKegbotCommand = (parts: ImportParts): Command => ({
  help: `Usage: tapster import kegbot URL [--key KEY] [--dry-run] [--config FILE]
       tapster import kegbot FILE [--dry-run] [--config FILE]

Imports people, beverages, kegs and drinks of a Kegbot server or of another Tapster, also while the daemon runs and beer
flows: from the running server, from the zip archive that “kegbot backup” makes, or from a dump of its MySQL database
(dump.sql, dump.sql.gz). Called again it adds only what is new, also from the server first and from its backup later.
Passwords, rights, pictures and temperatures are not imported: see docs/import.md.

  --key KEY        an API key of a staff account of the other server; "-" reads it from standard input
  --dry-run        read everything and print what would be imported; write nothing
  --skip-bad-rows  import what is possible; without it one faulty record stops everything before anything is written
  --api NAME       kegbot (Kegbot 2), legacy (Kegbot 1) or reference (Tapster); found by itself
  --source NAME    name of the server in this database, if its address has changed since the first import
  --no-backup      do not make a backup first

  tapster import kegbot http://old-pi.local:8000 --key - --dry-run
  tapster import kegbot kegbot-backup.zip --dry-run

Exit codes: 0 done, 64 wrong call, 65 faulty records or file, 66 the file is not there, 69 the other server or the
database cannot be used, 77 the key is refused or the file may not be read, 7x other faults.
`,
  async run(args, io) {
    const { values, positionals } = readArgs(args, options, ['URL or FILE']);
    const from = positionals[0]!;
    const api = readApi(values.api);
    const source = readSource(values.source);
    const common = { parts, source, choices: values, configPath: values.config };
    if (isFile(from, io)) {
      if (values.key !== undefined || api !== null)
        throw new UsageFault('A file needs neither --key nor --api.');
      return importBackup({ ...common, path: from }, io);
    }
    const key = values.key === '-' ? await readSecretLine(io.stdin) : (values.key ?? null);
    if (key !== null && !/^[\x21-\x7e]{1,256}$/.test(key))
      throw new UsageFault('KEY has characters that no key has.');
    const client = createRemoteClient({
      base: readServerAddress(from),
      key,
      onWait: (reason, seconds) => io.err(`${reason}: next attempt in ${seconds} s.\n`),
    });
    return importServer(client, { ...common, api }, io);
  },
});

/** Whether this is a path: a file is there, or its name is that of one. An address has a scheme, or is a host. */
function isFile(from: string, io: CliIo): boolean {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(from)) return false;
  if (fileName.test(from)) return true;
  try {
    const stats = statSync(resolve(io.cwd, from));
    // A folder may be called like a host.
    return !stats.isDirectory() || from.includes('/');
  } catch {
    return false;
  }
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
