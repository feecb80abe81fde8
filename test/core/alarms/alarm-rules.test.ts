import { expect, test } from 'vitest';
import { ConditionTimer, toTempCondition } from '../../../src/core/alarms/alarm-rules.ts';

test('a short rise while a door is open does not count as too warm', () => {
  const timer = new ConditionTimer();
  expect(timer.step('bad', 0)).toEqual({ badForMs: 0, goodForMs: null });
  expect(timer.step('bad', 60_000)).toEqual({ badForMs: 60_000, goodForMs: null });
  expect(timer.step('good', 90_000)).toEqual({ badForMs: null, goodForMs: 0 });
  expect(timer.step('bad', 100_000)).toEqual({ badForMs: 0, goodForMs: null });
});

test('the state between neither starts nor resets a duration', () => {
  const timer = new ConditionTimer();
  expect(timer.step('between', 0)).toEqual({ badForMs: null, goodForMs: null });
  timer.step('bad', 1_000);
  expect(timer.step('between', 2_000)).toEqual({ badForMs: null, goodForMs: null });
  expect(timer.step('bad', 3_000)).toEqual({ badForMs: 2_000, goodForMs: null });
});

test('durations restart after an unknown state', () => {
  const timer = new ConditionTimer();
  timer.step('bad', 0);
  timer.step('unknown', 60_000);
  expect(timer.step('bad', 120_000)).toEqual({ badForMs: 0, goodForMs: null });
  timer.step('good', 180_000);
  timer.step('unknown', 240_000);
  expect(timer.step('good', 300_000)).toEqual({ badForMs: null, goodForMs: 0 });
});

test('a cooler at its limit is neither bad nor good', () => {
  expect([12.1, 12, 11.5, 11, 4].map((tempC) => toTempCondition(tempC, 12))).toEqual([
    'bad',
    'between',
    'between',
    'good',
    'good',
  ]);
});
