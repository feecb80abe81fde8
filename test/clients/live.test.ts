import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createClient, TapsterError } from '../../clients/typescript/src/index.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a server that answers each request with the next of `answers`, the last one again and again. */
async function serve(...answers: ((response: ServerResponse) => void)[]) {
  let requests = 0;
  const server = createServer((_request, response) => {
    answers[Math.min(requests++, answers.length - 1)]!(response);
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, client: createClient({ url, retries: 0 }), requests: () => requests };
}

const snapshot = (title: string) => `event: snapshot\ndata: ${JSON.stringify({ title })}\n\n`;
const refuse = (status: number) => (response: ServerResponse) =>
  void response
    .writeHead(status, { 'Content-Type': 'application/json' })
    .end(JSON.stringify({ error: { code: 'PermissionDeniedError', message: 'Log in.' } }));

/** Reads titles of snapshots until there are `count`. */
async function readTitles(client: ReturnType<typeof createClient>, count: number, silenceMs = 10_000) {
  const titles: string[] = [];
  for await (const { event, data } of client.live({ retryMs: 5, silenceMs })) {
    if (event === 'snapshot') titles.push(data.title);
    if (titles.length === count) break;
  }
  return titles;
}

test('a stream that ends is opened again', async () => {
  const { client, requests } = await serve(
    (response) => void response.end(`retry: 1\n\n${snapshot('first')}`),
    (response) => void response.destroy(),
    (response) => void response.write(snapshot('second')),
  );
  expect(await readTitles(client, 2)).toEqual(['first', 'second']);
  expect(requests()).toBe(3);
});

test('events are put together from chunks that end within a line or a character', async () => {
  const bytes = Buffer.from(`:\n\n${snapshot('Bräustüberl')}`);
  const { client } = await serve((response) => {
    const send = (at: number): void => {
      if (at < bytes.length) response.write(bytes.subarray(at, at + 1), () => send(at + 1));
    };
    send(0);
  });
  expect(await readTitles(client, 1)).toEqual(['Bräustüberl']);
});

test('a silent connection is replaced', async () => {
  const { client } = await serve(
    (response) => void response.write(':\n\n'),
    (response) => void response.write(snapshot('after the silence')),
  );
  expect(await readTitles(client, 1, 50)).toEqual(['after the silence']);
});

test('an overloaded daemon is asked again, a refusal is an error', async () => {
  const { client, requests } = await serve(refuse(503), refuse(429), refuse(403));
  const fault = await readTitles(client, 1).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(TapsterError);
  expect(fault).toMatchObject({ status: 403, code: 'PermissionDeniedError', message: 'Log in.' });
  expect(requests()).toBe(3);
});

test('an aborted stream ends without an error', async () => {
  const { client } = await serve((response) => void response.write(snapshot('one')));
  const stop = new AbortController();
  const seen: string[] = [];
  for await (const { event } of client.live({ signal: stop.signal })) {
    seen.push(event);
    stop.abort();
  }
  expect(seen).toEqual(['snapshot']);
});

test('a write is repeated only if it has an idempotency key, a read always', async () => {
  const answer = (response: ServerResponse) => void response.end(JSON.stringify({ result: {} }));
  const { url, requests } = await serve(refuse(503), refuse(503), answer, refuse(503), answer);
  const client = createClient({ url, retries: 1, retryPauseMs: 1 });
  const input = { path: { ref: '1' }, body: { volume_ml: 330 } };
  await expect(client.call('POST /taps/{ref}/record-drink', input)).rejects.toMatchObject({ status: 503 });
  expect(requests()).toBe(1);
  await client.call('POST /taps/{ref}/record-drink', input, { idempotencyKey: 'a' });
  expect(requests()).toBe(3);
  await client.call('GET /taps');
  expect(requests()).toBe(5);
});

test('a page of a list that leads to another server is not followed', async () => {
  const { client } = await serve((response) => {
    const paging = { total: 2, limit: 1, pos: 0, next: 'http://attacker.example/api/drinks', prev: null };
    response.end(JSON.stringify({ result: { paging, drinks: [{ id: 2 }] } }));
  });
  const rows = async () => {
    for await (const _drink of client.rows('GET /drinks'));
  };
  await expect(rows()).rejects.toThrow(/another server, http:\/\/attacker\.example/);
});
