import { expect, test } from 'vitest';
import { BackOff } from '../../../src/devices/back-off.ts';
import { CardPresentments } from '../../../src/devices/readers/card-presentments.ts';

test('a repeated card is presented at most twice a second', () => {
  const presentments = new CardPresentments(false);
  expect(presentments.tokenRead('b1', 0)).toEqual([{ kind: 'presented', value: 'b1' }]);
  expect(presentments.tokenRead('b1', 100)).toEqual([]);
  expect(presentments.tokenRead('b1', 500)).toHaveLength(1);
  expect(presentments.tokenRead('ed', 550)).toEqual([{ kind: 'presented', value: 'ed' }]);
});

test('a swiped card is never removed', () => {
  const presentments = new CardPresentments(false);
  presentments.tokenRead('b1', 0);
  expect([...presentments.step(60_000), ...presentments.readerGone()]).toEqual([]);
});

test('a captive card is removed after silence, by another card, or when the reader is gone', () => {
  const presentments = new CardPresentments(true);
  presentments.tokenRead('b1', 0);
  presentments.tokenRead('b1', 1_000);
  expect(presentments.step(2_500)).toEqual([]);
  expect(presentments.step(2_501)).toEqual([{ kind: 'removed', value: 'b1' }]);
  expect(presentments.step(9_000)).toEqual([]);
  presentments.tokenRead('b1', 10_000);
  expect(presentments.tokenRead('ed', 10_100)).toEqual([
    { kind: 'removed', value: 'b1' },
    { kind: 'presented', value: 'ed' },
  ]);
  expect(presentments.readerGone()).toEqual([{ kind: 'removed', value: 'ed' }]);
});

test('the retry delay grows after failures and is reset after success', () => {
  const backOff = new BackOff();
  expect(backOff.isDue(0)).toBe(true);
  let now = 0;
  const pauses: number[] = [];
  for (let i = 0; i < 7; i++) {
    backOff.failed(now);
    let pause = 0;
    while (!backOff.isDue(now + pause)) pause += 1_000;
    pauses.push(pause);
    now += pause;
  }
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  backOff.succeeded();
  backOff.failed(now);
  expect(backOff.isDue(now + 1_000)).toBe(true);
});
