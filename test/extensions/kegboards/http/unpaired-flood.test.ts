import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApp } from '../../../../src/http/app.ts';
import { listen } from '../../../http/live/streams.ts';
import { createTestServices } from '../../../http/test-services.ts';
import { SimulatedBoard, type WireResponse } from '../../../kit/simulated-board.ts';
import { createKegboardRig } from '../engine/kegboard-rig.ts';

const pairedDevice = 'kegboard-0a1b2c';

let rig: ReturnType<typeof createKegboardRig>;
let http: Awaited<ReturnType<typeof listen>>;
let logLines: object[];
const agent = new Agent({ keepAlive: true, maxSockets: 20 });

beforeEach(async () => {
  rig = createKegboardRig();
  await rig.open();
  logLines = [];
  const log = (details: object) => logLines.push(details);
  http = await listen(
    createApp({
      engine: rig.engine,
      extensions: rig.http,
      services: createTestServices({
        clock: { now: rig.now, setManually() {} },
        log: { info: log, warn: log, error: log },
      }),
      settings: { trustProxy: false, rateLimits: true, hosts: [] },
      webDirectory: '/nowhere',
    }),
  );
});
afterEach(async () => {
  vi.useRealTimers();
  agent.destroy();
  await http.close(0);
  rig.remove();
});

/** Posts to `/api/device-event` from a local address. */
const post = (address: string, body: string, token: string | null = null): Promise<WireResponse> =>
  new Promise((resolve, reject) => {
    const call = httpRequest(
      `${http.url}/api/device-event`,
      {
        method: 'POST',
        localAddress: address,
        agent,
        headers: {
          'content-type': 'application/json',
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode!, body: JSON.parse(text) as object }));
      },
    );
    call.on('error', reject);
    call.end(body);
  });

const batch = (device: string, changes: object = {}) =>
  JSON.stringify({
    v: 1,
    device,
    boot_id: 'b1',
    sent_uptime_ms: 1,
    events: [{ id: 1, type: 'hello', age_ms: 0, data: {} }],
    ...changes,
  });

/** Size and hash of the database and its write-ahead log: they change with every write. */
const databaseFiles = () =>
  ['', '-wal'].map((suffix) => {
    const file = `${rig.file}${suffix}`;
    const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
    return { bytes: bytes.length, hash: createHash('sha256').update(bytes).digest('hex') };
  });

/** Two addresses alternate: the name of a paired board, invented names, and batches that cannot be parsed. */
async function flood(requests: number): Promise<void> {
  for (let i = 0; i < requests; i++) {
    const bodies = [batch(pairedDevice), batch(`invented-${i}`), batch(`invented-${i}`, { v: 7 }), 'no JSON'];
    await post(`127.0.0.${2 + (i & 1)}`, bodies[(i >> 1) % 4]!);
  }
}

function createBoard(device: string): SimulatedBoard {
  const wire = (sent: object, token: string | null) => post('127.0.0.9', JSON.stringify(sent), token);
  const board = new SimulatedBoard({ device, wire, nowMs: () => rig.now().wallMs });
  board.status('boot');
  return board;
}

test('a flood without a token writes no byte and one log line a minute', async () => {
  const before = databaseFiles();
  expect(before[1]!.bytes).toBeGreaterThan(0);
  await flood(400);
  expect(databaseFiles()).toEqual(before);
  expect(logLines).toHaveLength(1);
  rig.pass(59_999);
  await flood(40);
  expect(logLines).toHaveLength(1);
  rig.pass(1);
  await flood(40);
  expect(logLines).toHaveLength(2);
  expect(logLines[1]).toMatchObject({ requests: expect.any(Number) });
  expect(databaseFiles()).toEqual(before);
});

test('more than 100 requests of one address in 10 s are answered with 503, except those that are listed', async () => {
  // All requests are in one window, however slow the machine is.
  vi.useFakeTimers({ toFake: ['Date'] });
  await post('127.0.0.2', batch('listed'));
  const burst = Array.from({ length: 150 }, (_, i) => post('127.0.0.2', batch(`invented-${i}`)));
  const statuses = (await Promise.all(burst)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 503)).toHaveLength(51);
  expect((await post('127.0.0.3', batch('elsewhere'))).status).toBe(401);
  expect((await post('127.0.0.2', 'no JSON')).status).toBe(503);
});

test('in a flood a new board is listed, allowed, gets its token and reports', async () => {
  await flood(300);
  const board = createBoard('kegboard-new');
  const { code } = (await board.deliver()).body.pairing!;
  await flood(100);
  const { request } = rig.kegboards.requests(rig.now()).find((one) => one.request.device === board.device)!;
  expect(request).toMatchObject({ code, address: '127.0.0.9', state: 'pending' });
  rig.kegboards.allow(board.device, { requestId: request.id, address: request.address }, rig.now());
  await flood(100);
  await board.deliver();
  await board.deliverAll();
  expect(board.token).toMatch(/^kbe_/);
  // The paired board of the name that was used is not affected.
  const { status } = await post('127.0.0.9', batch(pairedDevice, { boot_id: 'b2' }), rig.board.token);
  expect(status).toBe(200);
});
