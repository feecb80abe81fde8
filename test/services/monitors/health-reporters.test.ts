import { expect, test } from 'vitest';
import { createProblem } from '../../../src/core/health/problems.ts';
import { createHealthReporters } from '../../../src/services/monitors/health-reporters.ts';
import { createHealthRegistry } from '../../../src/system/health/health.ts';
import { createLog } from '../../../src/system/log/log.ts';

const diskFull = createProblem('archive_disk_full');

test('a problem is logged once with its cause, and once when it is over', () => {
  const lines: string[] = [];
  const health = createHealthRegistry();
  const report = createHealthReporters(
    health,
    createLog({ level: 'info', isHumanReadable: false, write: (line) => lines.push(line) }).log,
  )('disk');
  report([diskFull], new Error('ENOSPC: no space left on device'));
  report([diskFull], new Error('ENOSPC: no space left on device'));
  report([]);
  report([]);
  expect(lines.length).toBe(2);
  expect(lines[0]).toContain('ENOSPC');
  expect(JSON.stringify(health.report())).not.toContain('ENOSPC');
});

test('two reporters of one part do not hide each other’s problem', () => {
  const health = createHealthRegistry();
  const createReporter = createHealthReporters(health, createLog({ level: 'fatal', write: () => {} }).log);
  const databaseReporter = createReporter('storing');
  const recorderReporter = createReporter('storing');
  const storingProblems = () => health.report().parts.find(({ name }) => name === 'storing')?.problems;
  databaseReporter([diskFull]);
  recorderReporter([createProblem('drips_waiting')]);
  recorderReporter([]);
  expect(storingProblems()).toEqual([diskFull]);
  databaseReporter([]);
  expect(storingProblems()).toEqual([]);
});
