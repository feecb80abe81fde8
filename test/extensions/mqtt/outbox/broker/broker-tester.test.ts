import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Broker } from '../../../../../src/extensions/mqtt/outbox/broker/broker-client.ts';
import { testBroker } from '../../../../../src/extensions/mqtt/outbox/broker/broker-tester.ts';
import { createTopics } from '../../../../../src/extensions/mqtt/outbox/topics.ts';
import { createCertificates } from '../../../../kit/certificates.ts';
import { hasMosquitto, startMosquitto, type TestBroker } from '../../kit/mosquitto.ts';

// Starts Mosquitto.

const topics = createTopics('tapster', 'bar1');
const target: Broker = {
  host: '127.0.0.1',
  port: 1,
  usesTls: false,
  ca: '',
  certificate: '',
  key: '',
  username: '',
  password: '',
  clientId: 'tapster-bar1',
};
const tryOut = (change: Partial<Broker>, protocol: 'auto' | '5' | '3.1.1' = 'auto') =>
  testBroker({ ...target, ...change }, { protocol, topics });
const codeOf = async (change: Partial<Broker>) => (await tryOut(change))?.code ?? null;

test('a name that does not exist is named', async () => {
  expect(await tryOut({ host: 'no-broker.invalid' })).toMatchObject({
    code: 'mqtt_name_unknown',
    params: { host: 'no-broker.invalid' },
  });
});

test('a port without a broker is refused', async () => {
  expect(await codeOf({ port: 1 })).toBe('mqtt_refused');
});

test('a server that is no broker closes the connection', async () => {
  const server = createServer((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  expect(await codeOf({ port })).toBe('mqtt_closed');
  server.close();
});

test('a broker that knows only 3.1.1 is spoken to in 3.1.1', async () => {
  const versions: number[] = [];
  const server = createServer((socket) => {
    socket.once('data', (connect) => {
      // The protocol level follows the fixed header and the name `MQTT`.
      const version = connect[8]!;
      versions.push(version);
      socket.write(Buffer.from([0x20, 2, 0, version === 4 ? 0 : 1]));
      if (version !== 4) socket.end();
      // Acknowledges the message, whose id follows its topic.
      socket.on('data', (packet) => {
        if (packet[0]! >> 4 !== 3) return;
        const at = 4 + packet.readUInt16BE(2);
        socket.write(Buffer.from([0x40, 2, packet[at]!, packet[at + 1]!]));
      });
    });
    socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  expect(await tryOut({ port })).toBeNull();
  expect(versions).toEqual([5, 4]);
  server.close();
});

describe.skipIf(!hasMosquitto)('with a broker that asks for a password', () => {
  let broker: TestBroker;

  beforeAll(async () => {
    broker = await startMosquitto(
      ['allow_anonymous false', 'password_file {path}/passwords', 'acl_file {path}/rules'],
      (path) => {
        const passwords = join(path, 'passwords');
        writeFileSync(passwords, '');
        for (const name of ['tapster', 'reader'])
          expect(spawnSync('mosquitto_passwd', ['-b', passwords, name, 'secret']).status).toBe(0);
        writeFileSync(
          join(path, 'rules'),
          'user tapster\ntopic readwrite tapster/#\n\nuser reader\ntopic read tapster/#\n',
        );
        chmodSync(join(path, 'rules'), 0o600);
      },
    );
  });
  afterAll(() => broker.remove());

  test('the right password is accepted, with both versions', async () => {
    const change = { port: broker.port, username: 'tapster', password: 'secret' };
    for (const protocol of ['auto', '5', '3.1.1'] as const) expect(await tryOut(change, protocol)).toBeNull();
  });

  test('a wrong password and a missing one are said', async () => {
    const { port } = broker;
    expect(await codeOf({ port, username: 'tapster', password: 'wrong' })).toBe('mqtt_login_refused');
    expect(await codeOf({ port })).toBe('mqtt_login_refused');
  });

  test('a user who may not publish is said, with the topic', async () => {
    const change = { port: broker.port, username: 'reader', password: 'secret' };
    expect(await tryOut(change)).toMatchObject({
      code: 'mqtt_not_authorized',
      params: { topic: 'tapster/bar1/test' },
    });
  });
});

describe.skipIf(!hasMosquitto)('with a broker that asks for a certificate', () => {
  let broker: TestBroker;
  let ca: string;
  let client: Pick<Broker, 'certificate' | 'key'>;

  beforeAll(async () => {
    const { authority, server, client: pair } = createCertificates();
    ca = authority.certificate.text;
    client = { certificate: pair.certificate.text, key: pair.key.text };
    broker = await startMosquitto([
      'allow_anonymous false',
      'require_certificate true',
      'use_identity_as_username true',
      `cafile ${authority.certificate.file}`,
      `certfile ${server.certificate.file}`,
      `keyfile ${server.key.file}`,
    ]);
  });
  afterAll(() => broker.remove());

  const tls = { host: 'localhost', usesTls: true };

  test('the certificate of the client is accepted', async () => {
    expect(await tryOut({ ...tls, ...client, port: broker.port, ca })).toBeNull();
  });

  test('an authority that is not known is not trusted', async () => {
    expect(await codeOf({ ...tls, ...client, port: broker.port })).toBe('mqtt_tls_untrusted');
  });

  test('a certificate for another name is not trusted', async () => {
    const problem = await tryOut({ ...tls, ...client, host: '127.0.0.1', port: broker.port, ca });
    expect(problem).toMatchObject({
      code: 'mqtt_tls_untrusted',
      params: { code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    });
  });

  test('a missing client certificate is refused', async () => {
    expect(await codeOf({ ...tls, port: broker.port, ca })).toBe('mqtt_tls_failed');
  });

  test('a connection without TLS is closed', async () => {
    expect(await codeOf({ port: broker.port })).toBe('mqtt_closed');
  });
});
