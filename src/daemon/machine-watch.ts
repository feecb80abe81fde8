import { dirname } from 'node:path';
import type { Finding } from '../system/finding.ts';
import { powerFindings } from '../system/power-health.ts';
import { restingStorageFindings, type StorageRoots } from '../system/storage-health.ts';
import type { Tell } from './tellers.ts';

/** Looks of a minute apart between two readings: they are cheap, but nothing here changes by the minute. */
const looksBetween = 5;

/** Looks after supply voltage, heat, free space and the disk's own error counters. */
export function createMachineWatch(parts: {
  readonly database: string;
  readonly tellPower: Tell;
  readonly tellDisk: Tell;
  /** The system's own but for tests. */
  readonly roots?: StorageRoots;
}) {
  const { database, tellPower, tellDisk, roots = {} } = parts;
  let untilLook = 0;
  return {
    /** Every minute. */
    look(): void {
      if (untilLook-- > 0) return;
      untilLook = looksBetween - 1;
      tellPower(troubleOf(powerFindings(roots.sysDirectory)));
      tellDisk(troubleOf(restingStorageFindings(dirname(database), roots)));
    },
  };
}

function troubleOf(findings: readonly Finding[]): string | null {
  const bad = findings.filter(({ verdict }) => verdict === 'warn' || verdict === 'fail');
  const sentences = bad.map(({ text, advice }) => (advice === undefined ? text : `${text} ${advice}`));
  return sentences.length === 0 ? null : sentences.join(' ');
}
