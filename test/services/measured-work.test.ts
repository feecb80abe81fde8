import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createMeasuring, type Measurements } from '../../src/core/measurements.ts';
import type { Transport, TransportOutcome } from '../../src/outbox/transport.ts';
import {
  measureCommits,
  measureJournal,
  measureRequest,
  measureSends,
} from '../../src/services/measured-work.ts';
import type { PourJournal } from '../../src/store/journal/pour-journal.ts';
import { openStore, type Store } from '../../src/store/store.ts';

const stores: Store[] = [];
afterEach(() => {
  for (const store of stores.splice(0)) store.close();
});

/** Notes what is told, without the durations. */
function listen() {
  const measuring = createMeasuring();
  const told: unknown[] = [];
  const measurements: Measurements = {
    committed: (kind, seconds) => void told.push([kind, seconds >= 0]),
    journalWritten: (seconds) => void told.push(['journal', seconds >= 0]),
    sent: (channel, result) => void told.push([channel, result]),
    answered: (request, seconds) => void told.push([request, seconds >= 0]),
    heartbeat: (intervalMs) => void told.push([intervalMs]),
  };
  return { measuring, told, begin: () => measuring.begin(measurements) };
}

test('a transaction within another one is one commit, and one that fails is told too', () => {
  const { measuring, told, begin } = listen();
  const store = openStore({ file: ':memory:' });
  stores.push(store);
  const measured = measureCommits(store, measuring);
  measured.transaction(() => 1);
  begin();
  measured.recording(() => measured.transaction(() => 1));
  expect(() =>
    measured.transaction(() => {
      throw new Error('refused');
    }),
  ).toThrow('refused');
  expect(told).toEqual([
    ['pour', true],
    ['change', true],
  ]);
});

test('a checkpoint without a change is no write to the journal', () => {
  const { measuring, told, begin } = listen();
  begin();
  let bytes = 0;
  const journal = { checkpoint: () => undefined, bytesWritten: () => bytes } as unknown as PourJournal;
  const writing = {
    ...journal,
    checkpoint() {
      bytes += 4_096;
    },
  };
  measureJournal(journal, measuring).checkpoint([], {} as never);
  expect(told).toEqual([]);
  measureJournal(writing, measuring).checkpoint([], {} as never);
  expect(told).toEqual([['journal', true]]);
});

test('each attempt of a transport is told with its result', async () => {
  const { measuring, told, begin } = listen();
  begin();
  const outcome: TransportOutcome = { kind: 'sent' };
  const transport: Transport = { kind: 'mail', maxConcurrent: 1, send: async () => outcome };
  expect(await measureSends(transport, measuring).send({} as never, new AbortController().signal)).toBe(
    outcome,
  );
  expect(told).toEqual([['mail', 'sent']]);
});

test('a request is told when its answer ends, and nobody waits for it while nothing is measured', () => {
  const { measuring, told, begin } = listen();
  const request = { method: 'GET', url: '/api/taps' } as IncomingMessage;
  const response = Object.assign(new EventEmitter(), { statusCode: 200 }) as unknown as ServerResponse;
  measureRequest(request, response, measuring);
  expect(response.listenerCount('close')).toBe(0);
  const end = begin();
  measureRequest(request, response, measuring);
  expect(told).toEqual([]);
  response.emit('close');
  expect(told).toEqual([[{ method: 'GET', url: '/api/taps', status: 200 }, true]]);
  end();
  expect(measuring.current()).toBeNull();
});

test('who begins later is told alone, and the end of the earlier one changes nothing', () => {
  const measuring = createMeasuring();
  const [first, second] = [{}, {}] as Measurements[];
  const endFirst = measuring.begin(first!);
  measuring.begin(second!);
  endFirst();
  expect(measuring.current()).toBe(second);
});
