import { expect, test } from 'vitest';
import { createHealthReporters } from '../../../src/daemon/monitors/health-reporters.ts';
import { createHealthRegistry } from '../../../src/system/health.ts';
import { createLog } from '../../../src/system/log.ts';

test('a problem is logged once with its cause, and once when it is over', () => {
  const lines: string[] = [];
  const health = createHealthRegistry();
  const report = createHealthReporters(
    health,
    createLog({ level: 'info', isHumanReadable: false, write: (line) => lines.push(line) }).log,
  )('disk');
  report('The disk is full.', new Error('ENOSPC: no space left on device'));
  report('The disk is full.', new Error('ENOSPC: no space left on device'));
  report(null);
  report(null);
  expect(lines.length).toBe(2);
  expect(lines[0]).toContain('ENOSPC');
  expect(health.problems().join()).not.toContain('ENOSPC');
});

test('two reporters of one part do not hide each other’s problem', () => {
  const health = createHealthRegistry();
  const createReporter = createHealthReporters(health, createLog({ level: 'fatal', write: () => {} }).log);
  const databaseReporter = createReporter('storing');
  const recorderReporter = createReporter('storing');
  databaseReporter('The disk is full.');
  recorderReporter('A finished pour waits.');
  recorderReporter(null);
  expect(health.report().parts.find(({ name }) => name === 'storing')?.problem).toBe('The disk is full.');
  databaseReporter(null);
  expect(health.report().parts.find(({ name }) => name === 'storing')?.problem).toBeNull();
});
