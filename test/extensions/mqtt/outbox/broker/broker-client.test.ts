import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import {
  type BrokerClient,
  maxIncomingBytes,
  openBrokerClient,
} from '../../../../../src/extensions/mqtt/outbox/broker/broker-client.ts';

type OpenOptions = Parameters<typeof openBrokerClient>[1];

/** A promise that is settled from outside. */
function createPromise() {
  let resolve = (): void => {};
  let reject = (_fault: Error): void => {};
  const promise = new Promise<void>((done, fail) => {
    [resolve, reject] = [done, fail];
  });
  return { promise, resolve, reject };
}

/** MQTT 3.1.1: the connection is accepted. */
const connack = Buffer.from([0x20, 2, 0, 0]);
/** The first byte of a PUBLISH with QoS 1. */
const publishQos1 = 0x32;

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close();
});

/** A broker that accepts the connection and then answers nothing. */
async function openSilentBroker(onConnect: (socket: Socket) => void = () => {}) {
  let markPublished = (_socket: Socket): void => {};
  const published = new Promise<Socket>((resolve) => {
    markPublished = resolve;
  });
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(connack);
      onConnect(socket);
      socket.on('data', ([first]) => {
        if (first === publishQos1) markPublished(socket);
      });
    });
  }).listen(0, '127.0.0.1');
  closers.push(() => void server.close());
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, published };
}

async function connect(port: number, options: Partial<OpenOptions> = {}): Promise<BrokerClient> {
  const broker = { host: '127.0.0.1', port, usesTls: false, clientId: 'tapster-test' };
  const texts = { ca: '', certificate: '', key: '', username: '', password: '' };
  const client = await openBrokerClient({ ...broker, ...texts }, { version: 4, ...options });
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

test('a broker that accepts messages and never acknowledges them is left', async () => {
  const { port } = await openSilentBroker();
  const ended = createPromise();
  const client = await connect(port, { answerMs: 100, onEnd: () => ended.resolve() });
  const message = { topic: 'a', payload: 'b', qos: 1, retain: false } as const;
  await expect(client.publish(message)).rejects.toThrow(/closed/);
  await ended.promise;
});

/** A PUBLISH of MQTT 3.1.1 with QoS 0 to the topic `a`, up to its payload. */
const publishHead = (payloadBytes: number): Buffer => {
  const length: number[] = [];
  for (let left = payloadBytes + 3; length.length === 0 || left > 0; left >>= 7)
    length.push((left & 127) | (left > 127 ? 128 : 0));
  return Buffer.from([0x30, ...length, 0, 1, 'a'.charCodeAt(0)]);
};

test('of a message of 200 MB no more than some kilobytes are received', async () => {
  let written = 0;
  const { port } = await openSilentBroker((socket) => {
    socket.write(publishHead(200_000_000));
    const write = (): void => {
      if (socket.destroyed || written >= 200_000_000) return;
      written += 65_536;
      socket.write(Buffer.alloc(65_536), () => setImmediate(write));
    };
    write();
  });
  const ended = createPromise();
  const received: number[] = [];
  await connect(port, {
    onEnd: () => ended.resolve(),
    onMessage: ({ payload }) => void received.push(payload.length),
  });
  await ended.promise;
  expect(received).toEqual([]);
  // What the sockets of both sides hold is written, too.
  expect(written).toBeLessThan(20_000_000);
});

test('many short messages at once are received, and so is the longest', async () => {
  const short = Array.from({ length: 5_000 }, () => Buffer.concat([publishHead(60), Buffer.alloc(60)]));
  const longest = maxIncomingBytes - 10;
  const { port } = await openSilentBroker(
    (socket) =>
      void socket.write(Buffer.concat([...short, publishHead(longest), Buffer.alloc(longest), ...short])),
  );
  const lengths: number[] = [];
  const all = createPromise();
  await connect(port, {
    onMessage({ payload }) {
      lengths.push(payload.length);
      if (lengths.length === 10_001) all.resolve();
    },
    onEnd: () => all.reject(new Error('The connection ended.')),
  });
  await all.promise;
  expect(lengths[5_000]).toBe(longest);
});
