import { createProblem, type Problem } from '../health/problems.ts';
import type { UpdaterState } from './update-state.ts';

/** How long an update that did not go well is reported: the owner reads it within a week, and it is in the log for good. */
const reportedForMs = 7 * 86_400_000;

/**
 * What the last update left to say to the staff of the version `running`: its package could not be installed, it was refused, or it
 * was tried and taken back; then how it is tried again. Nothing once a later update has gone well, when a person took it back, or after a
 * week by the clock of the machine.
 */
export function updateProblems(
  { last, update, install }: Pick<UpdaterState, 'last' | 'update' | 'install'>,
  running: string,
  nowMs: number,
): readonly Problem[] {
  const isReported = (wallMs: number): boolean => nowMs - wallMs <= reportedForMs;
  // A package that was asked for later than the last update.
  if (update === null && install !== null && (last === null || install.wallMs >= last.wallMs)) {
    const { version, reason, wallMs } = install;
    const isOpen = reason !== null && version !== running && isReported(wallMs);
    return isOpen ? [createProblem('update_refused', { version, running, reason }), retry()] : [];
  }
  if (last === null || update !== null || last.from !== running || last.reason === null) return [];
  if (!isReported(last.wallMs)) return [];
  if (last.reason === 'asked') return [];
  const params = { version: last.to, running, reason: last.reason };
  switch (last.outcome) {
    case 'refused':
      return [createProblem('update_refused', params), retry()];
    case 'reverted':
    case 'failed':
      return [createProblem('update_taken_back', params), retry()];
    default:
      return [];
  }
}

const retry = (): Problem => createProblem('update_retry');
