import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { parseManifest } from '../../core/updates/manifest.ts';
import { findRetry } from '../../core/updates/retry.ts';
import { requestFileName } from '../../core/updates/update-request.ts';
import { keptCheckFileName, readKeptCheck } from '../../services/updates/kept-check.ts';
import { writeRequest } from '../../services/updates/updates.ts';
import { createCommands, UpdaterFault } from '../../updater/commands.ts';
import { packageFolder, parseOptions, type UpdaterOptions } from '../../updater/options.ts';
import { actAsOwner } from '../act-as-owner.ts';
import { type CliIo, type Command, readArgs } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';

/** Has the updater try a version again; it does the work. */
export const updateRetryCommand: Command = {
  help: `Usage: sudo tapster update retry

Tries the version again that was refused or taken back last, once its cause is gone: a package that could not be downloaded
or installed is downloaded again, any other version is checked, backed up and tried as at the first time. The version that
runs comes back by itself if it does not work. "tapster update status" says what happened.

Exit codes: 0 the updater was told, 64 wrong call, 69 there is nothing to try again, 77 it needs root.
`,
  async run(args, io) {
    readArgs(args, {});
    if (process.getuid?.() !== 0) {
      io.err('This needs root. Call it with sudo: sudo tapster update retry\n');
      return exitCodes.noPermission;
    }
    const { options } = parseOptions(['--payload', packageFolder]);
    if (!existsSync(options.releases)) {
      io.err(`There are no releases in ${options.releases}: Tapster was not installed by its package.\n`);
      return exitCodes.unavailable;
    }
    await retryUpdate(options, io);
    return exitCodes.ok;
  },
};

/** Throws `unavailable` when there is nothing to try again. */
export async function retryUpdate(
  options: UpdaterOptions,
  io: Pick<CliIo, 'out'>,
  adapters: Parameters<typeof createCommands>[2] = {},
): Promise<void> {
  const commands = createCommands(options, (line) => io.out(`${line}\n`), adapters);
  const { state, current } = commands.status();
  const retry = findRetry(state, current);
  switch (retry.kind) {
    case 'under way':
      throw new AppError('unavailable', 'A change of the version is under way: tapster update status');
    case 'nothing':
      throw new AppError(
        'unavailable',
        `There is nothing to try again: Tapster ${current ?? ''} runs, and no version was refused or taken back since.`,
      );
    case 'install':
      requestInstall(options.stateDirectory, retry.version);
      io.out(
        `The package of Tapster ${retry.version} is downloaded and tried again. How it goes: tapster update status\n`,
      );
      return;
    case 'trial':
      try {
        await commands.retry(retry.version);
      } catch (fault) {
        if (fault instanceof UpdaterFault) throw new AppError('unavailable', fault.message);
        throw fault;
      }
  }
}

/** Leaves the request that the daemon would leave, with the manifest that its last check has kept. */
function requestInstall(stateDirectory: string, version: string): void {
  const kept = readKeptCheck(join(stateDirectory, keptCheckFileName));
  const { manifest = '', signature = '' } = kept ?? {};
  if (parseManifest(Buffer.from(manifest, 'base64').toString('utf8'))?.version !== version) {
    throw new AppError(
      'unavailable',
      `The list of versions names version ${version} no more. Look for new versions on the page (Updates), or install its package: sudo apt install ./tapster_${version}_….deb`,
    );
  }
  // The folder is the daemon's: root must not follow a link in it.
  actAsOwner(join(stateDirectory, requestFileName));
  writeRequest(join(stateDirectory, requestFileName), { action: 'install', manifest, signature });
}
