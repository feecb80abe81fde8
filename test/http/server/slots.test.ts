import { expect, test } from 'vitest';
import { createSlots } from '../../../src/http/server/slots.ts';

/** Slots whose holders are words; those in capitals cannot be evicted. */
function createTestSlots(limits: { total: number; perAddress?: number }) {
  const evicted: string[] = [];
  const slots = createSlots<string>(limits, {
    isEvictable: (holder) => holder !== holder.toUpperCase(),
    evict: (holder) => void evicted.push(holder),
  });
  return { slots, evicted };
}

test('a newcomer evicts the oldest holder of the address with the most', () => {
  const { slots, evicted } = createTestSlots({ total: 4 });
  slots.acquire('a1', 'a');
  for (const holder of ['b1', 'b2', 'b3']) slots.acquire(holder, 'b');
  expect(slots.acquire('c1', 'c')).toBe(true);
  expect(evicted).toEqual(['b1']);
  expect(slots.holders()).toEqual(['a1', 'b2', 'b3', 'c1']);
});

test('an address at its limit evicts its own oldest holder', () => {
  const { slots, evicted } = createTestSlots({ total: 9, perAddress: 2 });
  for (const holder of ['b1', 'b2']) slots.acquire(holder, 'b');
  for (const holder of ['a1', 'a2', 'a3']) expect(slots.acquire(holder, 'a')).toBe(true);
  expect(evicted).toEqual(['a1']);
});

test('a renewed holder is the newest', () => {
  const { slots, evicted } = createTestSlots({ total: 2 });
  slots.acquire('a1', 'a');
  slots.acquire('a2', 'a');
  slots.renew('a1');
  slots.acquire('b1', 'b');
  expect(evicted).toEqual(['a2']);
});

test('a newcomer is refused when no holder can be evicted', () => {
  const { slots, evicted } = createTestSlots({ total: 2 });
  slots.acquire('A', 'a');
  slots.acquire('B', 'b');
  expect(slots.acquire('c', 'c')).toBe(false);
  expect(slots.size).toBe(2);
  slots.release('A');
  expect(slots.acquire('c', 'c')).toBe(true);
  expect(evicted).toEqual([]);
});

test('a holder has one slot, however often it acquires and releases it', () => {
  const { slots } = createTestSlots({ total: 2 });
  slots.acquire('a', 'a');
  slots.acquire('a', 'a');
  expect(slots.size).toBe(1);
  slots.release('a');
  slots.release('a');
  expect(slots.size).toBe(0);
});
