import { expect, test } from 'vitest';
import type { Moment } from '../../../src/core/clock/moment.ts';
import { UnreadableTexts } from '../../../src/services/valves/unreadable-texts.ts';

const minuteMs = 60_000;
const at = (minutes: number): Moment => ({
  bootId: 'b1',
  monoMs: minutes * minuteMs,
  wallMs: Date.UTC(2026, 4, 2, 18) + minutes * minuteMs,
  synced: true,
});

test('unreadable texts are shown with their number and the time of the latest', () => {
  const texts = new UnreadableTexts();
  expect(texts.of('/dev/a')).toEqual({ count: 0, text: null, timeMs: null });
  expect(texts.findProblem('/dev/a', 0)).toBeNull();
  texts.note('/dev/a', { count: 21, text: '?123' }, at(4));
  texts.note('/dev/a', { count: 21, text: '?123' }, at(5));
  expect(texts.of('/dev/a')).toEqual({ count: 21, text: '?123', timeMs: at(4).wallMs });
  expect(texts.findProblem('/dev/a', 5 * minuteMs)).toMatchObject({
    code: 'reader_unreadable',
    params: { path: '/dev/a', count: 20, time: '2026-05-02 18:04 UTC' },
  });
  expect(texts.findProblem('/dev/b', 5 * minuteMs)).toBeNull();
});

test('the problem ends an hour after the latest unreadable text', () => {
  const texts = new UnreadableTexts();
  texts.note('/dev/a', { count: 1, text: '?' }, at(0));
  expect(texts.findProblem('/dev/a', 60 * minuteMs)).not.toBeNull();
  expect(texts.findProblem('/dev/a', 61 * minuteMs)).toBeNull();
});

test('lasting noise changes the problem a few times per hour only', () => {
  const texts = new UnreadableTexts();
  const messages = new Set<string | undefined>();
  for (let minute = 0; minute < 60; minute++) {
    texts.note('/dev/a', { count: 100 + minute, text: '?' }, at(minute));
    messages.add(texts.findProblem('/dev/a', minute * minuteMs)?.message);
  }
  expect(messages.size).toBe(6);
});
