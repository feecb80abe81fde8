import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type BrokerClient, openBrokerClient } from '../../../src/outbox/mqtt/broker-client.ts';

/** MQTT 3.1.1: the connection is accepted. */
const connack = Buffer.from([0x20, 2, 0, 0]);
/** The first byte of a PUBLISH with QoS 1. */
const publishQos1 = 0x32;

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close();
});

/** A broker that accepts the connection and then answers nothing. */
async function openSilentBroker() {
  let markPublished = (_socket: Socket): void => {};
  const published = new Promise<Socket>((resolve) => {
    markPublished = resolve;
  });
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(connack);
      socket.on('data', ([first]) => {
        if (first === publishQos1) markPublished(socket);
      });
    });
  }).listen(0, '127.0.0.1');
  closers.push(() => void server.close());
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, published };
}

async function connect(port: number): Promise<BrokerClient> {
  const broker = { host: '127.0.0.1', port, usesTls: false, clientId: 'tapster-test' };
  const texts = { ca: '', certificate: '', key: '', username: '', password: '' };
  const client = await openBrokerClient({ ...broker, ...texts }, { version: 4 });
  closers.push(() => client.end(false));
  return client;
}

test('a message that the broker has not answered is rejected when the connection ends, and so are later ones', async () => {
  const { port, published } = await openSilentBroker();
  const client = await connect(port);
  const message = { topic: 'a', payload: 'b', qos: 1, retain: false } as const;
  const unanswered = expect(client.publish(message)).rejects.toThrow(/closed/);
  (await published).destroy();
  await unanswered;
  await expect(client.publish(message)).rejects.toThrow(/closed/);
});

test('a message with QoS 0 is sent without an answer', async () => {
  const { port } = await openSilentBroker();
  const client = await connect(port);
  await client.publish({ topic: 'a', payload: 'b', qos: 0, retain: false });
});
