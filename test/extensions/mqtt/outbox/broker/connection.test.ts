import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { startConnection } from '../../../../../src/extensions/mqtt/outbox/broker/connection.ts';
import { manualScheduler } from '../../../../http/live/streams.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close();
});

/** A broker that accepts each connection and ends it, as for two clients with one id; `keeps` makes it hold them. */
async function openEndingBroker() {
  const broker = { connections: 0, keeps: false, port: 0 };
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      broker.connections += 1;
      socket.write(Buffer.from([0x20, 2, 0, 0]));
      if (!broker.keeps) socket.end();
    });
    closers.push(() => void socket.destroy());
  }).listen(0, '127.0.0.1');
  closers.push(() => void server.close());
  await once(server, 'listening');
  broker.port = (server.address() as AddressInfo).port;
  return broker;
}

test('a connection that ends at once is opened again with growing delays and is reported, until one lasts', async () => {
  const broker = await openEndingBroker();
  const scheduler = manualScheduler();
  const reported: string[][] = [];
  const texts = { ca: '', certificate: '', key: '', username: '', password: '' };
  const connection = startConnection({
    broker: { host: '127.0.0.1', port: broker.port, usesTls: false, clientId: 'tapster-test', ...texts },
    protocol: '3.1.1',
    will: { topic: 'a', payload: 'offline', qos: 1, retain: true },
    scheduler,
    random: () => 0.5,
    log: { info() {}, warn() {}, error() {} },
    reportProblem: (problems) => void reported.push(problems.map(({ code }) => code)),
    onConnect() {},
    onMessage() {},
  });
  closers.push(connection.stop);
  const until = (isReached: () => boolean) => vi.waitUntil(isReached, { timeout: 10_000, interval: 5 });
  for (const [attempt, delayMs] of [1_000, 2_000, 4_000, 8_000].entries()) {
    // The problem of the attempt before is kept during the next one; only the retry waits for the scheduler.
    await until(
      () => broker.connections === attempt + 1 && scheduler.waiting === 1 && connection.problem !== null,
    );
    expect(connection.isConnected).toBe(false);
    scheduler.advance(delayMs - 1);
    expect(broker.connections).toBe(attempt + 1);
    if (attempt === 3) broker.keeps = true;
    scheduler.advance(1);
    await until(() => broker.connections === attempt + 2);
  }
  expect(reported.at(-1)).toEqual(['mqtt_closed']);
  await until(() => connection.isConnected);
  scheduler.advance(10_000);
  expect(reported.at(-1)).toEqual([]);
});
