import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { issueInChild } from '../../../src/services/https/issue-in-child.ts';
import { createCertificates } from '../../kit/certificates.ts';
import { createHttpsBar } from './https-bar.ts';

let bar: ReturnType<typeof createHttpsBar>;
beforeEach(() => {
  bar = createHttpsBar();
});
afterEach(() => bar.remove());

const day = 86_400_000;
const authorityFile = () => join(bar.folder, 'https', 'authority.json');
const serverFile = () => join(bar.folder, 'https', 'server.json');

test('a new installation serves HTTPS under an authority of its own', async () => {
  const running = await bar.start();
  expect(await running.get()).toMatchObject({ status: 200, text: 'beer' });
  await expect(running.get('', createCertificates().authority.certificate.text)).rejects.toThrow();
  expect(bar.problems()).toEqual([]);
});

test('keys are readable by their owner alone, and stay after a restart', async () => {
  const first = await bar.start();
  const { authority, server } = first;
  expect(readdirSync(join(bar.folder, 'https')).sort()).toEqual(['authority.json', 'server.json']);
  for (const file of [authorityFile(), serverFile()]) expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(bar.folder, 'https')).mode & 0o777).toBe(0o700);
  await first.close();
  const second = await bar.start();
  expect(second).toMatchObject({ authority, server });
});

test('the certificate is made in a child process of the built program', async () => {
  const running = await bar.start({ issue: issueInChild });
  expect(await running.get()).toMatchObject({ status: 200 });
});

test('a new address is in the certificate of new connections, under the same authority', async () => {
  const running = await bar.start();
  const { authority, server } = running;
  bar.own.addresses = ['192.168.1.5', '10.1.2.3'];
  await running.https.start();
  expect(running.authority).toBe(authority);
  expect(running.server).not.toBe(server);
  const socket = connectTls({ port: running.https.state().port!, ca: authority, host: '127.0.0.1' });
  await once(socket, 'secureConnect');
  expect(socket.getPeerCertificate().subjectaltname).toContain('10.1.2.3');
  socket.destroy();
});

test('it is renewed by itself before it ends, and by hand at any time', async () => {
  const running = await bar.start();
  const [first, authority] = [running.server, running.authority];
  await running.https.start();
  expect(running.server).toBe(first);
  bar.setClock({ wallMs: Date.now() + 340 * day });
  await running.https.start();
  expect(running.server).not.toBe(first);
  const second = running.server;
  await running.https.renewNow();
  expect(running.server).not.toBe(second);
  expect(running.authority).toBe(authority);
});

test('nothing is made before the clock is set', async () => {
  bar.setClock({ synced: false });
  const running = await bar.start();
  expect(running.https.state().port).toBeNull();
  expect(bar.problems()).toEqual(['https_waits_for_time']);
  bar.setClock({ synced: true });
  await running.https.start();
  expect(await running.get()).toMatchObject({ status: 200 });
  expect(bar.problems()).toEqual([]);
});

test('a stored certificate is served before the clock is set', async () => {
  await (await bar.start()).close();
  bar.setClock({ synced: false, wallMs: 0 });
  expect(await (await bar.start()).get()).toMatchObject({ status: 200 });
});

test.each([
  ['empty', ''],
  ['cut off', '{"certificate":"-----BEGIN'],
  ['not a pair', '{"certificate":"x","key":"y"}'],
  ['of another form', '[]'],
  ['null', 'null'],
])('an authority whose file is %s is set aside and made again', async (_what, text) => {
  await (await bar.start()).close();
  writeFileSync(authorityFile(), text);
  const running = await bar.start();
  expect(await running.get()).toMatchObject({ status: 200 });
  expect(readFileSync(`${authorityFile()}.damaged`, 'utf8')).toBe(text);
});

test('a damaged certificate, one of another authority and one with a foreign key are made again', async () => {
  const first = await bar.start();
  const { authority } = first;
  await first.close();
  const { server, authority: foreign } = createCertificates();
  for (const text of [
    '{',
    JSON.stringify({ certificate: server.certificate.text, key: server.key.text, names: {} }),
    JSON.stringify({ ...JSON.parse(readFileSync(serverFile(), 'utf8')), key: foreign.key.text }),
  ]) {
    writeFileSync(serverFile(), text);
    const running = await bar.start();
    expect(await running.get()).toMatchObject({ status: 200 });
    expect(running.authority).toBe(authority);
    await running.close();
  }
});

test('files of an interrupted write are not used', async () => {
  const first = await bar.start();
  const { server } = first;
  await first.close();
  writeFileSync(`${serverFile()}.new`, '{"certificate":"half');
  expect((await bar.start()).server).toBe(server);
});

test('keys that cannot be read are not replaced but reported', async () => {
  await (await bar.start()).close();
  rmSync(authorityFile());
  mkdirSync(authorityFile());
  const running = await bar.start();
  expect(running.https.state().port).toBeNull();
  expect(bar.problems()).toEqual(['https_keys_unreadable']);
  expect(statSync(authorityFile()).isDirectory()).toBe(true);
  rmSync(authorityFile(), { recursive: true });
  await running.https.start();
  expect(await running.get()).toMatchObject({ status: 200 });
});

test('a disk that cannot be written leaves HTTP running and is tried again later', async () => {
  // A file where the folder should be.
  writeFileSync(join(bar.folder, 'https'), '');
  const running = await bar.start();
  expect(bar.problems()).toEqual(['https_keys_unreadable']);
  expect(await (await fetch(running.httpUrl)).text()).toBe('beer');
  rmSync(join(bar.folder, 'https'));
  await running.https.start();
  expect(await running.get()).toMatchObject({ status: 200 });
});

test('a failed attempt is reported and repeated after five minutes', async () => {
  let attempts = 0;
  const running = await bar.start({
    issue: () => {
      attempts += 1;
      throw new Error('no memory');
    },
  });
  await running.https.start();
  expect([attempts, ...bar.problems()]).toEqual([1, 'https_certificate_failed']);
  bar.setClock({ monoMs: 300_000 });
  await running.https.start();
  expect(attempts).toBe(2);
});

test('a port that another program uses is reported, and used once it is free', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const running = await bar.start({ settings: { port, certificate_file: '', key_file: '' } });
  expect(bar.problems()).toEqual(['https_port_taken']);
  expect(await (await fetch(running.httpUrl)).text()).toBe('beer');
  other.close();
  await once(other, 'close');
  await running.https.start();
  expect(bar.problems()).toEqual([]);
  expect(await running.get()).toMatchObject({ status: 200 });
});

test('an own certificate is used, and read again when its file was replaced', async () => {
  const [first, second] = [createCertificates(), createCertificates()];
  const [certificateFile, keyFile] = [join(bar.folder, 'own.pem'), join(bar.folder, 'own-key.pem')];
  const install = ({ server }: typeof first) => {
    // As certbot does: a new file takes the place of the old one.
    for (const [file, text] of [
      [keyFile, server.key.text],
      [certificateFile, server.certificate.text],
    ] as const) {
      writeFileSync(`${file}.new`, text);
      renameSync(`${file}.new`, file);
    }
  };
  bar.setClock({ wallMs: Date.now() + 2_000 });
  install(first);
  const running = await bar.start({
    settings: { port: 0, certificate_file: certificateFile, key_file: keyFile },
  });
  const send = (ca: string) => running.get('', ca);
  const checked = { ca: first.authority.certificate.text };
  await expect(send(checked.ca)).rejects.toThrow(/altnames/);
  install(second);
  await running.https.start();
  await expect(send(first.authority.certificate.text)).rejects.toThrow(/verify|signature/);
  await expect(send(second.authority.certificate.text)).rejects.toThrow(/altnames/);
  // Valid for a day, so it is also reported.
  expect(bar.problems()).toEqual(['https_certificate_ends']);

  writeFileSync(keyFile, first.server.key.text);
  await running.https.start();
  expect(bar.problems()).toEqual(['https_key_mismatch']);
  expect(await running.get()).toMatchObject({ status: 200 });
});
