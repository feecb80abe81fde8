import { expect, test } from 'vitest';
import { createFairQueue } from '../../../src/http/server/fair-queue.ts';

/** A queue with a test clock: each request takes `serviceMs`, and deferred work runs on `runDeferred`. */
function createTestQueue({ serviceMs = 10 } = {}) {
  let nowMs = 0;
  let deferred: (() => void)[] = [];
  const served: string[] = [];
  const queue = createFairQueue({ nowMs: () => nowMs, defer: (work) => void deferred.push(work) });
  return {
    served,
    send(client: string, from = client) {
      queue.run(from, () => {
        served.push(client);
        nowMs += serviceMs;
      });
    },
    /** A connection arrives; accepting it takes `ms`. */
    acceptConnection(ms = 0) {
      queue.shortenPass();
      nowMs += ms;
    },
    get nowMs() {
      return nowMs;
    },
    /** Runs the work deferred so far and returns who was served. */
    runDeferred() {
      const due = deferred;
      deferred = [];
      const before = served.length;
      for (const work of due) work();
      return served.slice(before);
    },
    get isIdle() {
      return deferred.length === 0;
    },
  };
}

test('serves requests at once within the time slice', () => {
  const bar = createTestQueue({ serviceMs: 0.2 });
  for (let i = 0; i < 10; i++) bar.send(`client ${i}`);
  expect(bar.served).toHaveLength(10);
});

test('serves many requests in slices, so that the event loop runs in between', () => {
  const bar = createTestQueue({ serviceMs: 3 });
  for (let i = 0; i < 6; i++) bar.send(`client ${i}`);
  expect(bar.served).toEqual(['client 0', 'client 1']);
  expect(bar.runDeferred()).toEqual(['client 2', 'client 3']);
  expect(bar.runDeferred()).toEqual(['client 4', 'client 5']);
  bar.runDeferred();
  expect(bar.isIdle).toBe(true);
});

test('serves addresses in turn, however many requests one of them has', () => {
  const bar = createTestQueue({ serviceMs: 20 });
  for (let i = 0; i < 50; i++) bar.send(`busy ${i}`, '10.0.0.1');
  bar.send('Anna', '10.0.0.2');
  const order = ['busy 0'];
  while (!bar.isIdle) order.push(...bar.runDeferred());
  expect(order.indexOf('Anna')).toBe(2);
  expect(order.filter((client) => client !== 'Anna')).toEqual(
    Array.from({ length: 50 }, (_, i) => `busy ${i}`),
  );
});

test('a client who asks for little waits for two others, however many addresses ask for much', () => {
  const bar = createTestQueue({ serviceMs: 20 });
  for (let round = 0; round < 5; round++) {
    for (let i = 0; i < 60; i++) bar.send(`busy ${i}`);
    for (let turn = 0; turn < 60; turn++) bar.runDeferred();
  }
  bar.send('Anna');
  const order: string[] = [];
  while (!bar.isIdle) order.push(...bar.runDeferred());
  expect(order.indexOf('Anna')).toBeLessThanOrEqual(1);
});

test('a client who has asked for much waits no longer than two rounds', () => {
  const bar = createTestQueue({ serviceMs: 20 });
  for (let i = 0; i < 100; i++) bar.send(`busy ${i}`, 'busy');
  while (!bar.isIdle) bar.runDeferred();
  bar.send('first');
  bar.send('again', 'busy');
  const order: string[] = [];
  for (let i = 0; i < 300; i++) {
    bar.send(`new ${i}`);
    order.push(...bar.runDeferred());
  }
  expect(order.indexOf('again')).toBeLessThan(4);
});

test('serves little in the pass of a new connection, so that the next connection is accepted soon', () => {
  const bar = createTestQueue({ serviceMs: 1 });
  bar.acceptConnection();
  for (let i = 0; i < 4; i++) bar.send(`client ${i}`);
  expect(bar.served).toEqual(['client 0']);
  expect(bar.runDeferred()).toEqual([]);
  expect(bar.runDeferred()).toEqual(['client 1', 'client 2', 'client 3']);
});

test('gives requests a quarter of the time while connections arrive without end', () => {
  const bar = createTestQueue({ serviceMs: 2 });
  for (let i = 0; i < 1_000; i++) {
    bar.acceptConnection(0.2);
    bar.send(`client ${i}`);
    bar.runDeferred();
  }
  const shareOfRequests = (bar.served.length * 2) / bar.nowMs;
  expect(shareOfRequests).toBeGreaterThan(0.2);
  expect(shareOfRequests).toBeLessThan(0.3);
});

test('serves at once again after the queue is empty', () => {
  const bar = createTestQueue({ serviceMs: 20 });
  for (let i = 0; i < 5; i++) bar.send(`client ${i}`);
  while (!bar.isIdle) bar.runDeferred();
  bar.send('latecomer');
  expect(bar.served.at(-1)).toBe('latecomer');
});
