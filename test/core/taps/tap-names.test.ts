import { expect, test } from 'vitest';
import { numberBeforeName } from '../../../src/core/taps/tap-names.ts';

test.each([
  ['Left', 3, '3 · '],
  ['Tap 3', 3, ''],
  ['3', 3, ''],
  ['Tap 03', 3, ''],
  // The number is one of several in the name, and no part of a longer one.
  ['Room 2, tap 3', 3, ''],
  ['Tap 30', 3, '3 · '],
  ['Tap 4', 3, '3 · '],
  ['', 3, '3 · '],
])('before the name “%s” tap %s has “%s”', (name, number, before) => {
  expect(numberBeforeName({ name, number })).toBe(before);
});
