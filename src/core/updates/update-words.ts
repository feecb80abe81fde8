import { createProblem } from '../health/problems.ts';
import type {
  InstallReason,
  PackageInstall,
  RunningUpdate,
  UpdatePhase,
  UpdateResult,
} from './update-state.ts';

/** What the updater did and does, in English sentences for a terminal and the log. */

/** How the last change of the version ended: what happened, why, and what runs now. */
export function describeResult({ kind, from, to, outcome, reason }: UpdateResult): string {
  switch (outcome) {
    case 'done':
      return kind === 'rollback'
        ? `Version ${to} was chosen again and runs.`
        : `Version ${to} was installed and runs.`;
    case 'cancelled':
      return `The change to version ${to} was cancelled. Version ${from} runs on.`;
    case 'refused':
      return createProblem('update_refused', { version: to, running: from, reason: reason ?? 'other' })
        .message;
    case 'reverted':
      return describeWayBack({ from, to, reason });
    case 'failed':
      return `${describeWayBack({ from, to, reason })} Then it did not answer: sudo journalctl -u tapster -n 50`;
  }
}

function describeWayBack({ from, to, reason }: Pick<UpdateResult, 'from' | 'to' | 'reason'>): string {
  if (reason === 'asked') return `Version ${to} was taken back by hand. Version ${from} runs again.`;
  return createProblem('update_taken_back', { version: to, running: from, reason: reason ?? 'other' })
    .message;
}

/** Why a package was not installed, and what runs now. */
export const describeInstallFailure = (
  version: string,
  running: string,
  reason: InstallReason | null,
): string => createProblem('update_refused', { version, running, reason: reason ?? 'other' }).message;

/** What is under way. */
export function describeRunning({ from, to, phase }: Pick<RunningUpdate, 'from' | 'to' | 'phase'>): string {
  return `From version ${from} to ${to}: ${phaseTexts[phase]}.`;
}

const phaseTexts: Readonly<Record<UpdatePhase, string>> = {
  checking: 'the new program is checked with the settings and data of this machine',
  backing_up: 'a backup is made',
  waiting: 'it waits until no tap pours, at most 15 minutes',
  switching: 'the version is switched, and Tapster restarts',
  trial:
    'the new version is on trial for ten minutes; if it does not work, the version before comes back by itself',
  switching_back: 'the version before comes back',
  verifying: 'the version before has been started and must answer',
};

/** What is done with a package. */
export const describeInstall = ({ version, phase }: PackageInstall): string =>
  `The package of version ${version} is ${phase === 'installing' ? 'being installed' : 'being downloaded'}.`;
