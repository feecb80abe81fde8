import { dirname } from 'node:path';
import type { Problem } from '../../core/health/problems.ts';
import type { Finding } from '../../system/health/finding.ts';
import { powerFindings } from '../../system/health/power-health.ts';
import { passiveStorageFindings, type StorageRoots } from '../../system/health/storage-health.ts';
import type { ReportProblem } from './health-reporters.ts';

/** Polls, one a minute, per check: nothing here changes within minutes. */
const pollsPerCheck = 5;

/** Monitors supply voltage, temperature, free space and the disk's error counters. */
export function createMachineMonitor(options: {
  readonly database: string;
  readonly reportPower: ReportProblem;
  readonly reportDisk: ReportProblem;
  /** The system's own directories except in tests. */
  readonly roots?: StorageRoots;
}) {
  const { database, reportPower, reportDisk, roots = {} } = options;
  let pollsUntilCheck = 0;
  return {
    /** Called every minute. */
    poll(): void {
      if (pollsUntilCheck-- > 0) return;
      pollsUntilCheck = pollsPerCheck - 1;
      reportPower(toProblems(powerFindings(roots.sysDirectory)));
      reportDisk(toProblems(passiveStorageFindings(dirname(database), roots)));
    },
  };
}

const toProblems = (findings: readonly Finding[]): readonly Problem[] =>
  findings.flatMap(({ problems = [] }) => problems);
