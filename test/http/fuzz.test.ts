import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHttpServer, type HttpServer } from '../../src/http/server/http-server.ts';
import { firstRandomSeed, isSlowRun, randomSeconds } from '../kit/slow.ts';
import { createRandom } from './fuzz/random.ts';
import { type FuzzRequest, randomRequest } from './fuzz/random-requests.ts';
import { exchange, type RawAnswer } from './fuzz/raw-exchange.ts';
import { createTestServer, type TestServer } from './test-server.ts';

const firstSeed = firstRandomSeed(1);
const requestsPerSeed = 200;
const seedsWithoutClock = 2;
const concurrentClients = 4;
const warmUpRounds = 8;
const measuredRounds = 12;
/** A leaked request keeps its socket, head and answer: about 10 KiB. A leak of one in twenty is detected. */
const maxKibPerRequest = 0.5;

let server: TestServer;
let http: HttpServer;
let port: number;

beforeEach(async () => {
  server = createTestServer({
    settings: { trustProxy: false, rateLimits: true, holdsRefusedBodies: false, hosts: [] },
  });
  http = createHttpServer(server.app);
  await new Promise<void>((done) => http.server.listen(0, '127.0.0.1', done));
  port = (http.server.address() as AddressInfo).port;
});
afterEach(async () => {
  await http.close(0);
  server.store.close();
});

test('answers random requests correctly and keeps the database consistent', {
  timeout: (randomSeconds + 60) * 1_000,
}, async () => {
  const startedMs = performance.now();
  const share = (round: number) =>
    randomSeconds > 0 ? (performance.now() - startedMs) / (randomSeconds * 1_000) : round / seedsWithoutClock;
  for (let round = 0; share(round) < 1; round++) await sendRandomRequests(firstSeed + round);
  expect(server.engine.drinks.newest(1_000).length).toBeGreaterThan(25);
  expect(server.faults).toEqual([]);
  expect(server.engine.site.checkDatabase()).toEqual([]);
  expect(
    (await exchange(port, Buffer.from('GET /healthz HTTP/1.1\r\nHost: pi\r\nConnection: close\r\n\r\n')))
      ?.status,
  ).toBe(200);
});

test.runIf(isSlowRun)('repeated requests do not leak memory', { timeout: 180_000 }, async () => {
  // Compiled schemas and caches are filled after the warm-up rounds.
  for (let round = 0; round < warmUpRounds; round++) await sendRandomRequests(firstSeed);
  const usedKib: number[] = [];
  for (let round = 0; round < measuredRounds; round++) {
    await sendRandomRequests(firstSeed);
    usedKib.push(await measureMemoryKib());
  }
  // The minimum of each half, since objects that are freed later are not leaks.
  const halfRounds = measuredRounds / 2;
  const growthKib = Math.min(...usedKib.slice(halfRounds)) - Math.min(...usedKib.slice(0, halfRounds));
  expect(growthKib / (halfRounds * requestsPerSeed), `${usedKib}`).toBeLessThan(maxKibPerRequest);
});

async function sendRandomRequests(seed: number): Promise<void> {
  const clients = Array.from({ length: concurrentClients }, async (_, client) => {
    const random = createRandom(seed * 1_000 + client);
    for (let i = 0; i < requestsPerSeed / concurrentClients; i++) {
      const request = randomRequest(random, server);
      const answer = await exchange(port, request.bytes);
      const faults = answer === null ? ['no answer'] : findFaults(request, answer);
      if (faults.length > 0) {
        throw new Error(
          `${faults.join(', ')} (seed ${seed}): ${formatRequest(request)} → ${answer?.body.slice(0, 300)}`,
        );
      }
    }
  });
  await Promise.all(clients);
}

/** Returns everything wrong with an answer that must hold for any request. */
function findFaults({ method, target }: FuzzRequest, { status, headers, body }: RawAnswer): string[] {
  const faults: string[] = [];
  const isUnreadable = status >= 400 && headers.get('x-frame-options') === undefined;
  if (status >= 500 && status !== 503) faults.push(`status ${status}`);
  if (status === 429 && !headers.has('retry-after')) faults.push('no Retry-After');
  if (status === 405 && !headers.has('allow')) faults.push('no Allow');
  if (method !== 'HEAD') {
    const length = Number(headers.get('content-length'));
    if (length !== Buffer.byteLength(body))
      faults.push(`Content-Length ${length}, but ${Buffer.byteLength(body)} bytes`);
  }
  if (isUnreadable) {
    if (!isJson(body)) faults.push('no JSON');
    return faults;
  }
  const path = target.replace(/^http:\/\/pi\.local/, '');
  if (!/^\/api\/v1(\/|\?|$)/.test(path)) return faults;
  if (headers.get('deprecation') !== 'true') faults.push('no Deprecation');
  if (headers.get('cache-control') !== 'no-store') faults.push('cacheable');
  if (headers.get('content-type') !== 'application/json; charset=utf-8') faults.push('wrong Content-Type');
  if (method !== 'HEAD' && !isJson(body) && !isJson(/^[^({]+\((.*)\);$/s.exec(body)?.[1] ?? '')) {
    faults.push('no JSON');
  }
  if (/at .*\.[tj]s:|node_modules|SQLITE|SELECT /.test(body)) faults.push('internal details');
  return faults;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const formatRequest = ({ bytes }: FuzzRequest): string =>
  JSON.stringify(bytes.subarray(0, 800).toString('latin1'));

/** Returns the memory in use after garbage collection. Objects of a closed socket are freed one event loop turn later. */
async function measureMemoryKib(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((done) => setImmediate(done));
    collectGarbage();
  }
  const { heapUsed, external } = process.memoryUsage();
  return Math.round((heapUsed + external) / 1_024);
}
