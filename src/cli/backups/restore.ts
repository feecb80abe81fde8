import { closeSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { LoadedConfig } from '../../config/load.ts';
import { AppError } from '../../core/app-error.ts';
import { loadConfig, parseConfig } from '../../daemon/load-config.ts';
import { runArchiveJob } from '../../services/backups/run-archive-job.ts';
import { backupsFolder, isBackupName, listBackups } from '../../store/archive/backup-folder.ts';
import { LostDatabase, siteHasBegun } from '../../store/site-files.ts';
import { createClock } from '../../system/clock.ts';
import { productVersion } from '../../system/product.ts';
import { lockInstance } from '../../system/single-instance.ts';
import { isThere } from '../../system/small-files.ts';
import { findOwner } from '../act-as-owner.ts';
import { type CliIo, type Command, configOption, readArgs } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { openInput } from '../open-input.ts';
import { requireReadableDatabase } from '../permission.ts';
import { placeSettings, requireReplaceable } from '../place-settings.ts';
import { controlService } from '../tapster-service.ts';
import { backupTable } from './backup-table.ts';

/** A bar's database and pictures of ten years are a few gibibytes. */
const maxArchiveGib = 64;

const options = {
  ...configOption,
  'keep-settings': { type: 'boolean' },
  restart: { type: 'boolean' },
} as const;

/** Lists the backups, or replaces settings file, database and pictures by one and sets the former ones aside. */
export const restoreCommand: Command = {
  help: `Usage: tapster restore [FILE] [--restart] [--keep-settings] [--config FILE]

Without FILE: lists the backups beside the database and in the folder of copies, the newest first, with date, occasion
and the version of Tapster that wrote the database.

With FILE, or the bare name of a listed backup: replaces settings file, database and pictures by those of the backup. The
daemon must not run. Everything in the archive is checked before anything is changed; the present database, its pictures
and the present settings file are set aside, never overwritten. A backup of an older Tapster is upgraded. Everybody has to
log in again.

  --restart        stop tapster.service before and start it afterwards
  --keep-settings  restore database and pictures only, to the database that the present settings name

  sudo tapster restore --restart tapster-20260502T020000Z-nightly.tar.gz

Exit codes: 0 done, 64 wrong call, 65 no backup or a damaged one, 66 no such file, 69 the daemon runs, 74 the disk fails,
77 no permission, 78 faults in the settings.
`,
  async run(args, io) {
    const { values, positionals } = readArgs(args, options, ['FILE'], { areOptional: true });
    const present = loadConfig({ path: values.config, env: io.env, cwd: io.cwd });
    const [name] = positionals;
    if (name === undefined) return listAll(present, io);
    const path = findArchive(name, present, io);
    if (path === null) {
      io.err(`The file ${name} cannot be opened.\n`);
      return exitCodes.noInput;
    }
    // Before the daemon stops for a file that is no backup.
    closeSync(openArchive(path, io));
    if (!values.restart) return restore(path, present, values['keep-settings'] === true, io);
    controlService('stop', io.env);
    try {
      return await restore(path, present, values['keep-settings'] === true, io);
    } finally {
      controlService('start', io.env);
    }
  },
};

async function listAll({ config }: LoadedConfig, io: CliIo): Promise<number> {
  const folders = foldersOf(config, io.cwd);
  const refused: unknown[] = [];
  const found = await Promise.all(
    folders.map(async (folder) =>
      (await listBackups(folder, (fault) => refused.push(fault))).map((backup) => ({
        ...backup,
        path: join(folder, backup.name),
      })),
    ),
  );
  const backups = found.flat().sort((a, b) => b.manifest.createdMs - a.manifest.createdMs);
  io.out(backupTable(backups));
  const note = lossNote(resolve(io.cwd, config.database));
  if (note !== null) io.err(`${note}\n`);
  const [refusal] = refused;
  if (refusal !== undefined) throw refusal;
  if (backups.length === 0) io.err(`There is no backup in ${folders.join(' or ')}.\n`);
  return exitCodes.ok;
}

/** What is lost when the database is missing. */
function lossNote(database: string): string | null {
  try {
    requireReadableDatabase(database);
    return null;
  } catch (fault) {
    if (fault instanceof LostDatabase) return fault.message;
    throw fault;
  }
}

const foldersOf = (config: LoadedConfig['config'], cwd: string): readonly string[] => [
  backupsFolder(resolve(cwd, config.database)),
  ...(config.backups.copy_to === '' ? [] : [resolve(cwd, config.backups.copy_to)]),
];

/** The path of a file, or of a listed backup when only a bare name is given; null if there is none. */
function findArchive(name: string, { config }: LoadedConfig, { cwd }: CliIo): string | null {
  const listed = isBackupName(name) ? foldersOf(config, cwd).map((folder) => join(folder, name)) : [];
  return [resolve(cwd, name), ...listed].find(isThere) ?? null;
}

/** Opens a backup. Throws `invalid_request` for a folder or a device. */
function openArchive(path: string, io: CliIo): number {
  const archive = openInput(path, io, { maxGib: maxArchiveGib });
  if (archive === null) throw new AppError('invalid_request', `The file ${path} is gone.`);
  return archive.descriptor;
}

async function restore(path: string, present: LoadedConfig, keeps: boolean, io: CliIo): Promise<number> {
  io.err('Checking the backup …\n');
  const settings = keeps ? null : await readNewSettings(path, present, io);
  const config = settings?.config ?? present.config;
  const database = resolve(io.cwd, config.database);
  const owner = findOwner(database);
  const lock = await lockInstance(database);
  if (lock === null) {
    throw new AppError(
      'unavailable',
      'The daemon runs on this database: stop it first, then restore, or use --restart.',
    );
  }
  const archive = openArchive(path, io);
  try {
    const { prepared, manifest, mismatches } = await runArchiveJob<'prepare'>(
      { kind: 'prepare', database, archive: null, serverVersion: productVersion() },
      { input: archive, owner },
    );
    const nowMs = Math.max(0, Math.round(createClock().now().wallMs));
    const { setAside, otherSettings } = await runArchiveJob<'swap'>(
      { kind: 'swap', database, prepared, settings: present.source, nowMs },
      { owner },
    );
    // Whoever asked for a new site and restores a backup instead has none: a database that is missing later is lost.
    siteHasBegun(database);
    io.err(`Restored the database of ${new Date(manifest.createdMs).toISOString()} to ${database}.\n`);
    if (setAside !== null) io.err(`The former one is in ${setAside}.\n`);
    if (settings !== null) {
      const former = placeSettings(present.source, settings.text, nowMs);
      io.err(`Restored the settings file ${present.source}. The former one is ${former}.\n`);
      if (otherSettings !== null) rmSync(otherSettings);
    } else if (otherSettings !== null) {
      io.err(`The settings file of the backup differs and is not in use: it is ${otherSettings}.\n`);
    }
    if (mismatches.length > 0)
      io.err('Some totals in it differ from their sums; run “tapster doctor” to see which.\n');
    return exitCodes.ok;
  } finally {
    closeSync(archive);
    lock.release();
  }
}

/** On a new card there is no such file. Elsewhere a trial of a backup must not replace a database that is in use. */
function rejectOtherDatabase(restored: string, present: string): void {
  if (restored === present || !isThere(restored)) return;
  throw new AppError(
    'conflict',
    `The settings in the backup name the database ${restored}, which exists, and the present ones name ${present}: ` +
      'to restore database and pictures to the latter, use --keep-settings.',
  );
}

/**
 * The settings of a backup that differ from the present ones; null if there are none, or if no settings file is in
 * use, as in the demo. Throws `ConfigFault` if this version cannot use them.
 */
async function readNewSettings(path: string, present: LoadedConfig, io: CliIo) {
  if (present.isDemo) return null;
  const archive = openArchive(path, io);
  try {
    const { text } = await runArchiveJob<'settings'>(
      { kind: 'settings' },
      { input: archive, owner: findOwner(resolve(io.cwd, present.config.database)) },
    );
    if (text === null || text === present.text) return null;
    const config = parseConfig(text, `the backup ${path}`, { env: io.env, cwd: io.cwd });
    requireReplaceable(present.source);
    rejectOtherDatabase(resolve(io.cwd, config.database), resolve(io.cwd, present.config.database));
    return { text, config };
  } finally {
    closeSync(archive);
  }
}
