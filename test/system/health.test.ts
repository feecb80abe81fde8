import { expect, test } from 'vitest';
import { createHealthRegistry } from '../../src/system/health.ts';

test('the status is trouble until counting, storing and serving have started', () => {
  const registry = createHealthRegistry();
  registry.set('counting');
  registry.set('storing');
  expect(registry.report().status).toBe('trouble');
  expect(registry.problems()).toEqual(['Serving has not started yet.']);
  registry.set('serving');
  expect(registry.report()).toEqual({
    status: 'ok',
    parts: [
      { name: 'counting', problem: null, vital: true },
      { name: 'storing', problem: null, vital: true },
      { name: 'serving', problem: null, vital: true },
    ],
  });
});

test('a silent sensor is reported but does not change the status; a full card does', () => {
  const registry = createHealthRegistry();
  for (const part of ['counting', 'storing', 'serving'] as const) registry.set(part);
  registry.set('sensors', 'The probe 28-01 gave no reading three times.');
  expect(registry.report().status).toBe('ok');
  registry.set('storing', 'The card is full.');
  expect(registry.report().status).toBe('trouble');
  expect(registry.problems()).toEqual(['The card is full.', 'The probe 28-01 gave no reading three times.']);
});

test('reporting the same problem again is not a change', () => {
  const changes: [string, string | null][] = [];
  const registry = createHealthRegistry((part, problem) => changes.push([part, problem]));
  registry.set('clock', 'The time is not known yet.');
  registry.set('clock', 'The time is not known yet.');
  registry.set('clock');
  registry.set('clock');
  expect(changes).toEqual([
    ['clock', 'The time is not known yet.'],
    ['clock', null],
  ]);
});
