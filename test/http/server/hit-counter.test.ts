import { expect, test } from 'vitest';
import { HitCounter } from '../../../src/http/server/hit-counter.ts';

function counter(maxKeys?: number) {
  let nowMs = 0;
  const hits = new HitCounter({ now: () => nowMs, ...(maxKeys === undefined ? {} : { maxKeys }) });
  hits.init({ windowMs: 60_000 });
  const hit = (key: string) => hits.increment(key).totalHits;
  return { hits, hit, advance: (ms: number) => (nowMs += ms) };
}

test('everybody is counted alone, from the first hit on, for a minute', () => {
  const { hits, hit, advance } = counter();
  expect([hit('bar'), hit('bar'), hit('cellar')]).toEqual([1, 2, 1]);
  advance(59_999);
  expect(hit('bar')).toBe(3);
  expect(hits.increment('bar').resetTime).toEqual(new Date(60_000));
  advance(1);
  expect([hit('bar'), hit('cellar')]).toEqual([1, 1]);
});

test('what is given back was never counted', () => {
  const { hits, hit } = counter();
  hits.decrement('nobody');
  hit('bar');
  hits.decrement('bar');
  hits.decrement('bar');
  expect(hit('bar')).toBe(1);
});

test('a million addresses do not fill the memory', () => {
  const { hits, hit, advance } = counter(1_000);
  for (let i = 0; i < 1_000_000; i++) hit(`address ${i}`);
  expect(hits.size).toBe(1_000);
  advance(60_000);
  hit('bar');
  expect(hits.size).toBe(1);
});

test('the newest are remembered, the oldest forgotten', () => {
  const { hit } = counter(3);
  for (const key of ['a', 'b', 'c', 'd']) hit(key);
  expect([hit('d'), hit('c'), hit('b')]).toEqual([2, 2, 2]);
  expect(hit('a')).toBe(1);
});
