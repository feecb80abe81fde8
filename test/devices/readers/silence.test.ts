import { expect, test } from 'vitest';
import { Silence } from '../../../src/devices/readers/silence.ts';

test('silence is over its limit after polls without bytes', () => {
  const silence = new Silence(300);
  const over = [0, 50, 100, 150, 200, 250, 300].map((now) => silence.isOver(false, now));
  expect(over).toEqual([false, false, false, false, false, false, true]);
  expect(silence.isOver(true, 350)).toBe(false);
  expect(silence.isOver(false, 600)).toBe(false);
});

test('one late poll is no silence: bytes may have arrived unread', () => {
  const silence = new Silence(300);
  silence.isOver(true, 0);
  expect(silence.isOver(false, 60_000)).toBe(false);
  expect(silence.isOver(false, 60_050)).toBe(false);
});
