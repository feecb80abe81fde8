import { join } from 'node:path';
import { createProblem } from '../../core/health/problems.ts';
import { parseManifest } from '../../core/updates/manifest.ts';
import { type KeptCheck, keptCheckFileName, readKeptCheck } from '../../services/updates/kept-check.ts';
import { isThere } from '../../system/small-files.ts';
import { createCommands } from '../../updater/commands.ts';
import { describeStatus } from '../../updater/describe-status.ts';
import { parseOptions } from '../../updater/options.ts';
import { readUpdateSource, usualSettings } from '../../updater/settings-source.ts';
import { type Command, readArgs } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';

/** Prints the state of the updater. */
export const updateStatusCommand: Command = {
  help: `Usage: tapster update status

Shows the release that runs, the others that are kept, how the last update went and why, what tries it again, and, to root, the
last update check.

Exit codes: 0 done, 64 wrong call, 69 Tapster was not installed by its package.
`,
  async run(args, io) {
    readArgs(args, {});
    const { options } = parseOptions([]);
    if (!isThere(options.releases)) {
      io.err(`There are no releases in ${options.releases}: Tapster was not installed by its package.\n`);
      return exitCodes.unavailable;
    }
    io.out(describeStatus(createCommands(options, () => {}).status()));
    const check = readKeptCheck(join(options.stateDirectory, keptCheckFileName));
    if (check !== null) io.out(describeCheck(check, findHost(options.settings ?? usualSettings)));
    return exitCodes.ok;
  },
};

/** The server of the settings; only root may be sure of them. */
function findHost(settings: string): string {
  try {
    return new URL(readUpdateSource(settings).manifestUrl).host;
  } catch {
    return 'the address of the settings';
  }
}

/** What the daemon keeps of its update check as lines for a terminal. */
export function describeCheck(
  { lastCheckedMs, failure, manifest, planned }: KeptCheck,
  host: string,
): string {
  const version = parseManifest(Buffer.from(manifest, 'base64').toString('utf8'))?.version;
  const when = lastCheckedMs === null ? 'not yet' : new Date(lastCheckedMs).toISOString();
  return [
    `Update check:    ${when}`,
    ...(failure === null ? [] : [createProblem('update_check_failed', { host, ...failure }).message]),
    ...(version === undefined ? [] : [`Newest version:  ${version}`]),
    ...(planned === null ? [] : [`Planned:         ${planned}, in the quiet hour`]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}
