import { dirname } from 'node:path';
import type { Finding } from '../system/finding.ts';
import { powerFindings } from '../system/power-health.ts';
import { passiveStorageFindings, type StorageRoots } from '../system/storage-health.ts';
import type { ReportProblem } from './health-reporters.ts';

/** Looks of a minute apart between two readings: they are cheap, but nothing here changes by the minute. */
const pollsPerCheck = 5;

/** Looks after supply voltage, heat, free space and the disk's own error counters. */
export function createMachineMonitor(options: {
  readonly database: string;
  readonly reportPower: ReportProblem;
  readonly reportDisk: ReportProblem;
  /** The system's own but for tests. */
  readonly roots?: StorageRoots;
}) {
  const { database, reportPower, reportDisk, roots = {} } = options;
  let pollsUntilCheck = 0;
  return {
    /** Every minute. */
    poll(): void {
      if (pollsUntilCheck-- > 0) return;
      pollsUntilCheck = pollsPerCheck - 1;
      reportPower(toProblem(powerFindings(roots.sysDirectory)));
      reportDisk(toProblem(passiveStorageFindings(dirname(database), roots)));
    },
  };
}

function toProblem(findings: readonly Finding[]): string | null {
  const bad = findings.filter(({ verdict }) => verdict === 'warn' || verdict === 'fail');
  const sentences = bad.map(({ text, advice }) => (advice === undefined ? text : `${text} ${advice}`));
  return sentences.length === 0 ? null : sentences.join(' ');
}
