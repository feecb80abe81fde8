import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { loadConfig } from '../../src/daemon/load-config.ts';
import { startDaemon } from '../../src/daemon/start-daemon.ts';
import { createLog } from '../../src/system/log/log.ts';
import { eventually, makeTokenBar } from '../kit/token-bar.ts';

// A real daemon with its own timers.
vi.setConfig({ testTimeout: 40_000 });

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A connection on which a request has begun: all but the end of its head or body is sent. */
async function beginRequest(port: number, beginning: string) {
  const socket: Socket = connect(port, '127.0.0.1');
  closing.push(() => socket.destroy());
  let received = '';
  socket.on('data', (bytes: Buffer) => {
    received += bytes.toString('latin1');
  });
  const ended = new Promise<void>((done) => {
    socket.on('error', () => done());
    socket.on('close', () => done());
  });
  await new Promise<void>((done) => socket.write(beginning, () => done()));
  return {
    /** Sends the rest; resolves to the status, or null for a connection that was closed. */
    async finish(rest: string) {
      socket.write(rest);
      await ended;
      return /^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? null;
    },
  };
}

test('requests that arrive or run while the daemon stops get 503 or no answer, and are no fault', async () => {
  const bar = makeTokenBar({ demo: undefined });
  closing.push(bar.remove);
  const { config } = loadConfig({ path: bar.configFile, env: {} });
  const logged: string[] = [];
  const { log } = createLog({ level: 'warn', write: (line) => void logged.push(line) });
  const daemon = await startDaemon({ config, log });
  const port = daemon.port()!;
  const key = `X-Kegbot-Api-Key: ${bar.staffKey}`;
  const body = 'ticks=500&pour_id=p1';
  const form = `Host: bar\r\n${key}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n`;
  const begun = await Promise.all([
    beginRequest(port, `GET /api/taps HTTP/1.1\r\nHost: bar\r\n${key}\r\n`),
    beginRequest(port, 'GET / HTTP/1.1\r\nHost: bar\r\n'),
    beginRequest(port, 'GET /healthz HTTP/1.1\r\nHost: bar\r\n'),
    beginRequest(port, `POST /api/v1/taps/pi.flow0 HTTP/1.1\r\n${form}${body.slice(0, 9)}`),
  ]);
  // An answer on another connection: what was sent before it has arrived.
  await fetch(`http://127.0.0.1:${port}/healthz`, { headers: { connection: 'close' } });
  const closed = daemon.close();
  // The last connection to a database removes its log.
  await eventually(
    async () => existsSync(`${bar.database}-wal`),
    (isOpen) => !isOpen,
  );
  const rests = ['\r\n', '\r\n', '\r\n', body.slice(9)];
  const statuses = await Promise.all(begun.map(({ finish }, i) => finish(rests[i]!)));
  await closed;
  for (const status of statuses) expect(['503', null]).toContain(status);
  expect(logged).toEqual([]);
  // Otherwise nothing was tried.
  expect(statuses).toContain('503');
});
