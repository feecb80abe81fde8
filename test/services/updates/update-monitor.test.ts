import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Problem } from '../../../src/core/health/problems.ts';
import { emptyState } from '../../../src/core/updates/update-state.ts';
import { createUpdateMonitor } from '../../../src/services/updates/update-monitor.ts';

const now = { monoMs: 0, wallMs: Date.UTC(2026, 10, 24), synced: true, bootId: 'boot' };
const last = {
  kind: 'update',
  from: '0.1.0',
  to: '0.2.0',
  outcome: 'reverted',
  reason: 'restarts',
  detail: '',
  backup: null,
  wallMs: now.wallMs,
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapster-updates-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function monitor() {
  const file = join(folder, 'state.json');
  const reports: (readonly Problem[])[] = [];
  const { everyMinute } = createUpdateMonitor({
    clock: { now: () => now },
    reportProblem: (problems) => reports.push(problems),
    file,
    running: '0.1.0',
  });
  const codes = () => {
    everyMinute();
    return reports.at(-1)?.map(({ code }) => code);
  };
  return { codes, write: (text: string) => writeFileSync(file, text) };
}

test('an update that was taken back is reported until the next one goes well', () => {
  const { codes, write } = monitor();
  expect(codes()).toEqual([]);
  write(JSON.stringify({ ...emptyState, last }));
  expect(codes()).toEqual(['update_taken_back', 'update_retry']);
  write(JSON.stringify({ ...emptyState, last: { ...last, outcome: 'done', reason: null } }));
  expect(codes()).toEqual([]);
});

test.each([
  ['half a file', '{"format": 1, "last"'],
  ['another format', '{"format": 2}'],
  ['a list', '[]'],
])('%s is reported as nothing', (_, text) => {
  const { codes, write } = monitor();
  write(text);
  expect(codes()).toEqual([]);
});
