import { expect, test } from 'vitest';
import { omitUndefined } from '../../../src/core/omit-undefined.ts';
import { HitCounter } from '../../../src/http/server/hit-counter.ts';

function counter(maxKeys?: number) {
  let nowMs = 0;
  const hits = new HitCounter({ now: () => nowMs, ...omitUndefined({ maxKeys }) });
  hits.init({ windowMs: 60_000 });
  const hit = (key: string) => hits.increment(key).totalHits;
  return { hits, hit, advance: (ms: number) => (nowMs += ms) };
}

test('counts each key for one minute from its first hit', () => {
  const { hits, hit, advance } = counter();
  expect([hit('bar'), hit('bar'), hit('kitchen')]).toEqual([1, 2, 1]);
  advance(59_999);
  expect(hit('bar')).toBe(3);
  expect(hits.increment('bar').resetTime).toEqual(new Date(60_000));
  advance(1);
  expect([hit('bar'), hit('kitchen')]).toEqual([1, 1]);
});

test('decrement undoes a hit', () => {
  const { hits, hit } = counter();
  hits.decrement('unknown');
  hit('bar');
  hits.decrement('bar');
  hits.decrement('bar');
  expect(hit('bar')).toBe(1);
});

test('a million keys do not exceed the maximum', () => {
  const { hits, hit, advance } = counter(1_000);
  for (let i = 0; i < 1_000_000; i++) hit(`address ${i}`);
  expect(hits.size).toBe(1_000);
  advance(60_000);
  hit('bar');
  expect(hits.size).toBe(1);
});

test('evicts the oldest key first', () => {
  const { hit } = counter(3);
  for (const key of ['a', 'b', 'c', 'd']) hit(key);
  expect([hit('d'), hit('c'), hit('b')]).toEqual([2, 2, 2]);
  expect(hit('a')).toBe(1);
});
