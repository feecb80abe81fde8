import { findRetry } from '../core/updates/retry.ts';
import type { UpdaterState } from '../core/updates/update-state.ts';
import {
  describeInstall,
  describeInstallFailure,
  describeResult,
  describeRunning,
} from '../core/updates/update-words.ts';

/** The state of the updater as lines for a terminal: what happened, what runs now, and what tries it again. */
export function describeStatus({
  current,
  releases,
  state,
}: {
  readonly current: string | null;
  readonly releases: readonly string[];
  readonly state: UpdaterState;
}): string {
  const { update, last, next, install } = state;
  const others = releases.filter((version) => version !== current);
  const canRetry = ['trial', 'install'].includes(findRetry(state, current).kind);
  const lines: readonly (readonly [title: string, text: string | null | undefined])[] = [
    ['Running release:', current ?? 'none'],
    ['Other releases:', others.join(', ') || 'none'],
    ['Under way:', update && describeRunning(update)],
    ['Package:', install && describePackage(install, current)],
    ['', install?.detail],
    ['Next:', next?.version],
    ['Last update:', last && describeResult(last)],
    ['', last?.detail],
    ['Backup:', last?.backup],
    ['To try it again:', canRetry ? 'sudo tapster update retry' : null],
  ];
  return lines
    .filter(([, text]) => text)
    .map(([title, text]) => `${title === '' ? '' : title.padEnd(17)}${text}\n`)
    .join('');
}

const describePackage = (install: NonNullable<UpdaterState['install']>, current: string | null): string =>
  install.phase === 'failed'
    ? describeInstallFailure(install.version, current ?? 'none', install.reason)
    : describeInstall(install);
