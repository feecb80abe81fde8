import { join } from 'node:path';
import type { Clock } from '../../core/clock/moment.ts';
import { updateProblems } from '../../core/updates/update-problems.ts';
import { emptyState, parseState } from '../../core/updates/update-state.ts';
import { productVersion } from '../../system/product.ts';
import { ownReleaseFolder } from '../../system/release-folder.ts';
import { readTextFile } from '../../system/small-files.ts';
import type { ReportProblem } from '../monitors/health-reporters.ts';

/** Where the updater keeps its state: beside the releases; null for a checkout. */
function stateFile(): string | null {
  const folder = ownReleaseFolder();
  return folder === null ? null : join(folder, 'state.json');
}

/** Reports an update that was refused or taken back. */
export function createUpdateMonitor({
  clock,
  reportProblem,
  file = stateFile(),
  running = productVersion(),
}: {
  readonly clock: Clock;
  readonly reportProblem: ReportProblem;
  readonly file?: string | null;
  readonly running?: string;
}) {
  return {
    /** Reads the state of the updater, which changes while this program runs. */
    everyMinute(): void {
      if (file === null) return;
      const state = parseState(readTextFile(file) ?? '') ?? emptyState;
      reportProblem(updateProblems(state, running, clock.now().wallMs));
    },
  };
}
