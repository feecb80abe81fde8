import { expect, test } from 'vitest';
import { joinMessages, textProblem } from '../../../src/core/health/problems.ts';
import { createHealthRegistry, type HealthRegistry } from '../../../src/system/health/health.ts';

const messages = (registry: HealthRegistry) =>
  registry.report().parts.flatMap(({ problems }) => problems.map(({ message }) => message));

test('the status is trouble until counting, storing and serving have started', () => {
  const registry = createHealthRegistry();
  registry.set('counting');
  registry.set('storing');
  expect(registry.report().status).toBe('trouble');
  expect(messages(registry)).toEqual(['Serving has not started yet.']);
  registry.set('serving');
  expect(registry.report()).toEqual({
    status: 'ok',
    parts: [
      { name: 'counting', problems: [], vital: true },
      { name: 'storing', problems: [], vital: true },
      { name: 'serving', problems: [], vital: true },
    ],
  });
});

test('a silent sensor is reported but does not change the status; a full card does', () => {
  const registry = createHealthRegistry();
  for (const part of ['counting', 'storing', 'serving'] as const) registry.set(part);
  registry.set('sensors', textProblem('The probe 28-01 gave no reading three times.'));
  expect(registry.report().status).toBe('ok');
  registry.set('storing', textProblem('The card is full.'));
  expect(registry.report().status).toBe('trouble');
  expect(messages(registry)).toEqual(['The card is full.', 'The probe 28-01 gave no reading three times.']);
});

test('reporting the same problem again is not a change', () => {
  const changes: [string, string | null][] = [];
  const registry = createHealthRegistry((part, problems) => changes.push([part, joinMessages(problems)]));
  registry.set('clock', textProblem('The time is not known yet.'));
  registry.set('clock', textProblem('The time is not known yet.'));
  registry.set('clock');
  registry.set('clock');
  expect(changes).toEqual([
    ['clock', 'The time is not known yet.'],
    ['clock', null],
  ]);
});
