import { afterEach, beforeEach, expect, test } from 'vitest';
import { downloadBytes } from '../../src/system/http-download.ts';
import { PackageServer } from '../kit/package-server.ts';

let server: PackageServer;
beforeEach(async () => {
  server = await PackageServer.start();
});
afterEach(() => server.close());

const load = (change: Partial<Parameters<typeof downloadBytes>[0]> = {}) =>
  downloadBytes({ url: `${server.url}/tapster.deb`, maxBytes: 1_000, timeoutMs: 20_000, ...change });

test('a file is read to its end', async () => {
  expect(await load()).toMatchObject({ status: 200, body: server.package });
});

test('an answer that never ends is given up', async () => {
  server.answer = (_request, response) => {
    response.writeHead(200).write('a');
    return true;
  };
  await expect(load({ timeoutMs: 50 })).rejects.toMatchObject({ kind: 'too_slow' });
});

test('an answer that ends early is no file', async () => {
  server.answer = (_request, response) => {
    response.writeHead(200, { 'content-length': 10 });
    response.write('half', () => response.destroy());
    return true;
  };
  await expect(load()).rejects.toMatchObject({ kind: 'unreachable' });
});

test('an answer above the limit is not read on', async () => {
  await expect(load({ maxBytes: 3 })).rejects.toMatchObject({ kind: 'too_large' });
});

test('a status other than 200 and 304 is a failure with its number', async () => {
  await expect(load({ url: `${server.url}/missing` })).rejects.toMatchObject({ kind: 'status', status: 404 });
});

test('an address where nothing listens, and a request that is aborted, are failures', async () => {
  await expect(load({ url: 'http://127.0.0.1:1/' })).rejects.toMatchObject({ kind: 'unreachable' });
  const abort = new AbortController();
  server.answer = () => {
    abort.abort();
    return true;
  };
  await expect(load({ signal: abort.signal })).rejects.toMatchObject({ kind: 'unreachable' });
});
