import type { PackageInstall, UpdaterState } from '../core/updates/update-state.ts';

const outcomes = {
  done: 'went well',
  refused: 'was refused; the version before runs on',
  cancelled: 'was cancelled',
  reverted: 'was tried and taken back; the version before runs again',
  failed: 'was taken back, but the version before does not answer',
} as const;

/** The state of the updater as lines for a terminal. */
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
  return [
    `Running release: ${current ?? 'none'}`,
    `Other releases:  ${others.join(', ') || 'none'}`,
    ...(update === null
      ? []
      : [`Under way:       ${update.from} → ${update.to}, ${update.phase.replace('_', ' ')}`]),
    ...(install === null ? [] : describeInstall(install)),
    ...(next === null ? [] : [`Next:            ${next.version}`]),
    ...(last === null ? [] : [`Last update:     ${last.from} → ${last.to} ${outcomes[last.outcome]}`]),
    ...(last?.reason == null ? [] : [`Reason:          ${last.reason.replaceAll('_', ' ')}`]),
    ...(last?.detail ? [last.detail] : []),
    ...(last?.backup == null ? [] : [`Backup:          ${last.backup}`]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function describeInstall({ version, phase, reason, detail }: PackageInstall): readonly string[] {
  if (phase !== 'failed') return [`Package:         ${version}, ${phase}`];
  const why = reason === null ? '' : `: ${reason.replaceAll('_', ' ')}`;
  return [`Package:         ${version} was not installed${why}`, ...(detail === '' ? [] : [detail])];
}
