import { expect, test } from 'vitest';
import { createHealthRegistry } from '../../src/system/health.ts';

test('the house is not open before counting, storing and serving have begun', () => {
  const board = createHealthRegistry();
  board.set('counting');
  board.set('storing');
  expect(board.report().status).toBe('trouble');
  expect(board.problems()).toEqual(['Serving has not started yet.']);
  board.set('serving');
  expect(board.report()).toEqual({
    status: 'ok',
    parts: [
      { name: 'counting', problem: null, vital: true },
      { name: 'storing', problem: null, vital: true },
      { name: 'serving', problem: null, vital: true },
    ],
  });
});

test('a silent thermometer is told but does not close the house; a full card does', () => {
  const board = createHealthRegistry();
  for (const part of ['counting', 'storing', 'serving'] as const) board.set(part);
  board.set('sensors', 'The probe 28-01 gave no reading three times.');
  expect(board.report().status).toBe('ok');
  board.set('storing', 'The card is full.');
  expect(board.report().status).toBe('trouble');
  expect(board.problems()).toEqual(['The card is full.', 'The probe 28-01 gave no reading three times.']);
});

test('a part that says the same again is not news', () => {
  const news: [string, string | null][] = [];
  const board = createHealthRegistry((part, problem) => news.push([part, problem]));
  board.set('clock', 'The time is not known yet.');
  board.set('clock', 'The time is not known yet.');
  board.set('clock');
  board.set('clock');
  expect(news).toEqual([
    ['clock', 'The time is not known yet.'],
    ['clock', null],
  ]);
});
