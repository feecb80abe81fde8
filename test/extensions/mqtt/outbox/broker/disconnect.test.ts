import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { openBrokerClient } from '../../../../../src/extensions/mqtt/outbox/broker/broker-client.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A broker that accepts one client of MQTT 3.1.1, and answers nothing else. */
async function startSilentBroker() {
  const received: Buffer[] = [];
  let socket: Socket | undefined;
  const server = createServer((client) => {
    socket = client;
    client.once('data', () => client.write(Buffer.from([0x20, 2, 0, 0])));
    client.on('data', (bytes) => received.push(bytes));
    client.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    socket?.destroy();
    server.close();
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    closed: () => once(socket!, 'close'),
    received: () => Buffer.concat(received),
  };
}

const connect = (port: number) =>
  openBrokerClient(
    { host: '127.0.0.1', port, usesTls: false, username: '', password: '', clientId: 'tapster' } as never,
    { version: 4, will: { topic: 'tapster/availability', payload: 'offline', qos: 1, retain: true } },
  );

test('a connection that is ended says goodbye, so that the broker publishes no will', async () => {
  const broker = await startSilentBroker();
  const client = await connect(broker.port);
  client.end();
  await broker.closed();
  expect(broker.received().subarray(-2)).toEqual(Buffer.from([0xe0, 0]));
});

test('a connection with an unanswered message is closed all the same', async () => {
  const broker = await startSilentBroker();
  const client = await connect(broker.port);
  const sent = client.publish({ topic: 'a', payload: 'b', qos: 1, retain: false });
  client.end();
  await expect(sent).rejects.toThrow('The connection was closed.');
});
