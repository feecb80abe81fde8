import { EventEmitter } from 'node:events';
import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { createFairQueue } from '../../../src/http/server/fair-queue.ts';

/** A bar where serving takes time and everything happens in rounds: what is put off belongs to the next one. */
function openBar({ serviceMs = 10 } = {}) {
  let nowMs = 0;
  let putOff: (() => void)[] = [];
  const served: string[] = [];
  const listener = ((request: { guest: string }) => {
    served.push(request.guest);
    nowMs += serviceMs;
  }) as unknown as RequestListener;
  const enter = createFairQueue(listener, { nowMs: () => nowMs, defer: (work) => void putOff.push(work) });
  return {
    served,
    /** Somebody asks; what he holds can be let go. */
    ask(guest: string, from = guest) {
      const response = Object.assign(new EventEmitter(), { destroyed: false });
      enter({ guest, socket: { remoteAddress: from } } as never, response as never);
      return response;
    },
    /** Everything that was put off until now. */
    round() {
      const due = putOff;
      putOff = [];
      const before = served.length;
      for (const work of due) work();
      return served.slice(before);
    },
    get isQuiet() {
      return putOff.length === 0;
    },
  };
}

test('where there is time everybody is served at once', () => {
  const bar = openBar({ serviceMs: 0.2 });
  for (let i = 0; i < 10; i++) bar.ask(`guest ${i}`);
  expect(bar.served).toHaveLength(10);
});

test('a rush is served in slices, so that pins and doors are looked at in between', () => {
  const bar = openBar({ serviceMs: 3 });
  for (let i = 0; i < 6; i++) bar.ask(`guest ${i}`);
  expect(bar.served).toEqual(['guest 0', 'guest 1']);
  expect(bar.round()).toEqual(['guest 2', 'guest 3']);
  expect(bar.round()).toEqual(['guest 4', 'guest 5']);
  bar.round();
  expect(bar.isQuiet).toBe(true);
});

test('a large party waits for itself: the lone guest is next', () => {
  const bar = openBar({ serviceMs: 20 });
  for (let i = 0; i < 50; i++) bar.ask(`party ${i}`, '10.0.0.1');
  bar.ask('Anna', '10.0.0.2');
  const order = ['party 0'];
  while (!bar.isQuiet) order.push(...bar.round());
  expect(order.indexOf('Anna')).toBe(2);
  expect(order.filter((guest) => guest !== 'Anna')).toEqual(
    Array.from({ length: 50 }, (_, i) => `party ${i}`),
  );
});

test('who has left while waiting is not served, and nobody else misses a turn', () => {
  const bar = openBar({ serviceMs: 20 });
  bar.ask('first');
  bar.ask('gone', 'table').destroyed = true;
  bar.ask('stays', 'table');
  while (!bar.isQuiet) bar.round();
  expect(bar.served).toEqual(['first', 'stays']);
});

test('after a rush nobody waits any more', () => {
  const bar = openBar({ serviceMs: 20 });
  for (let i = 0; i < 5; i++) bar.ask(`guest ${i}`);
  while (!bar.isQuiet) bar.round();
  bar.ask('latecomer');
  expect(bar.served.at(-1)).toBe('latecomer');
});
