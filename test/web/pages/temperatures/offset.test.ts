import { expect, test } from 'vitest';
import { maxTypedOffset, toOffsetC, toTypedOffset } from '../../../../src/web/pages/temperatures/offset.ts';

test('an offset in °F is a difference: 1.8 times that in °C, without 32', () => {
  expect(toTypedOffset(-0.5, 'f')).toBe(-0.9);
  expect(toOffsetC(-0.9, 'f')).toBe(-0.5);
  expect(toTypedOffset(0, 'f')).toBe(0);
  expect(toOffsetC(0, 'f')).toBe(0);
});

test('an offset in °C is typed as it is stored', () => {
  expect(toTypedOffset(-0.5, 'c')).toBe(-0.5);
  expect(toOffsetC(0.25, 'c')).toBe(0.25);
});

test('the largest offset is 10 °C, which are 18 °F, and rounding does not exceed it', () => {
  expect([maxTypedOffset('c'), maxTypedOffset('f')]).toEqual([10, 18]);
  expect([toOffsetC(18, 'f'), toOffsetC(-18.01, 'f')]).toEqual([10, -10]);
});
