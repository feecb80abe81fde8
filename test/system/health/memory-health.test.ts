import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { memoryFindings } from '../../../src/system/health/memory-health.ts';

/** Creates a `/sys` with these control group controllers; null without control groups. */
function createSys(controllers: string | null): string {
  const root = mkdtempSync(join(tmpdir(), 'sys-'));
  mkdirSync(join(root, 'fs', 'cgroup'), { recursive: true });
  if (controllers !== null)
    writeFileSync(join(root, 'fs', 'cgroup', 'cgroup.controllers'), `${controllers}\n`);
  return root;
}

test.each([
  ['cpuset cpu io memory pids', 'ok'],
  // Raspberry Pi OS.
  ['cpuset cpu io pids', 'warn'],
  [null, 'unknown'],
])('the memory limit with the controllers %s is %s', (controllers, status) => {
  const findings = memoryFindings(createSys(controllers));
  expect(findings.map((finding) => finding.status)).toEqual([status]);
});
