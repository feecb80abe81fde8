import { closeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { actAsOwner } from '../../../../cli/act-as-owner.ts';
import type { CliIo } from '../../../../cli/command.ts';
import { exitCodes } from '../../../../cli/exit-codes.ts';
import { type InputFile, openInput } from '../../../../cli/open-input.ts';
import { loadConfig } from '../../../../daemon/load-config.ts';
import { openImportStaging } from '../../store/import-staging.ts';
import { createImportReport } from '../import-report.ts';
import { type ImportChoices, importStaged, withImportLock } from '../import-staged.ts';
import { type ImportParts, withImports } from '../with-imports.ts';
import { backupPrefix, chooseSource } from './choose-source.ts';
import { backupBounds, openBackup } from './files/open-backup.ts';
import { stageTables } from './files/stage-tables.ts';
import { createRecordStager, reportFindings } from './stage-records.ts';

interface BackupImport {
  readonly parts: ImportParts;
  /** Path of the file as it was written. */
  readonly path: string;
  /** Name of the source, if one was given. */
  readonly source: string | null;
  readonly choices: ImportChoices;
  readonly configPath: string | undefined;
}

/** Imports a backup of a Kegbot or a dump of its database. Returns the exit code. */
export async function importBackup({ path, ...options }: BackupImport, io: CliIo): Promise<number> {
  // Before root becomes the database's owner, who may not be allowed to read it.
  const file = openInput(path, io, backupBounds);
  if (file === null) return exitCodes.noInput;
  try {
    return await importFile(file, options, io);
  } finally {
    closeSync(file.descriptor);
  }
}

async function importFile(
  file: InputFile,
  { parts, source: named, choices, configPath }: Omit<BackupImport, 'path'>,
  io: CliIo,
): Promise<number> {
  const loaded = loadConfig({ path: configPath, env: io.env, cwd: io.cwd });
  actAsOwner(loaded.config.database);
  const database = resolve(io.cwd, loaded.config.database);
  return withImportLock(database, () =>
    withImports(parts, loaded, async (open) => {
      const { imports, now } = open;
      const tables = await openBackup(file);
      const staging = openImportStaging(join(dirname(database), 'import-kegbot.staging'));
      try {
        const report = createImportReport();
        const { registrationId, highest } = await stageTables({
          name: file.name,
          tables,
          stager: createRecordStager({ imports, now, staging, isReadOnce: true }),
          imports,
          staging,
          report,
          showProgress: (sentence) => io.err(`${sentence}\n`),
        });
        report.addNote(
          'Passwords are not imported: nobody can log in until staff send a link or set a password.',
        );
        reportFindings(staging, report);
        const wanted = { source: named ?? toSource(registrationId), isNamed: named !== null, isFile: true };
        const source = chooseSource(imports, staging, wanted);
        if (source !== wanted.source)
          io.err(`Its drinks were imported from “${source}” before: it is continued.\n`);
        return await importStaged(open, {
          io,
          source,
          isFile: true,
          needsKegs: false,
          staging,
          report,
          placeOf: ({ kind, key }) => `${kind} ${kind === 'user' ? `“${key}”` : key}`,
          choices,
          drinksThrough: highest,
        });
      } finally {
        staging.remove();
      }
    }),
  );
}

/** The name of a source by the id that a Kegbot gives itself. */
function toSource(registrationId: string | null): string {
  const id = registrationId
    ?.toLowerCase()
    .replaceAll(/[^\w.-]/g, '')
    .slice(0, 64);
  return `${backupPrefix}${id || 'backup'}`;
}
