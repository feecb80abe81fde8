import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type BarFolder, makeBar, quickBar, type RunningDaemon, startDaemon } from '../kit/daemon.ts';
import { sendOverTls } from '../services/https/tls-client.ts';

// Starts real processes, which may be slow.
vi.setConfig({ testTimeout: 120_000 });

let bar: BarFolder;
let daemon: RunningDaemon | undefined;
beforeEach(() => {
  // The other tests switch it off.
  vi.stubEnv('TAPSTER_HTTPS', '');
  bar = makeBar({ ...quickBar, https: { port: 0 } });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await daemon?.kill();
  daemon = undefined;
  bar.remove();
});

/** Starts the daemon and waits until it serves HTTPS. */
async function start(): Promise<string> {
  daemon = await startDaemon(bar);
  const line = () => /"port":(\d+).*"msg":"serving over HTTPS"/.exec(daemon!.output)?.[1];
  await vi.waitFor(() => expect(line()).toBeDefined(), { timeout: 60_000 });
  return `https://127.0.0.1:${line()}`;
}

const readAuthority = async () => (await fetch(`${daemon!.url}/ca.crt`)).text();
const authorityFile = () => join(dirname(bar.database), 'https', 'authority.json');

test('a device that installs /ca.crt reads page, API and live stream over HTTPS', async () => {
  const url = await start();
  const ca = await readAuthority();
  for (const path of ['/', '/healthz', '/api/taps', '/api/v1/taps'])
    expect((await sendOverTls(`${url}${path}`, { ca })).status, path).toBe(200);
  const request = get(`${url}/api/live`, { ca, agent: false });
  const [stream] = await once(request, 'response');
  const [first] = await once(stream, 'data');
  expect(String(first)).toContain('snapshot');
  const ended = once(stream.resume(), 'end');
  expect(await daemon!.stop()).toBe(0);
  await ended;
});

test('a daemon that is killed while it makes its certificates has HTTPS after the next start', async () => {
  // At once, with its folder and with the first of its files.
  for (const path of [bar.database, dirname(authorityFile()), authorityFile()]) {
    daemon = await startDaemon(bar);
    await vi.waitFor(() => expect(existsSync(path)).toBe(true), { timeout: 60_000, interval: 5 });
    await daemon.kill();
  }
  const url = await start();
  const ca = await readAuthority();
  expect((await sendOverTls(`${url}/healthz`, { ca })).status).toBe(200);
  // What was stored once stays.
  await daemon!.kill();
  await start();
  expect(await readAuthority()).toBe(ca);
});

test('half a key file is no crash but another authority, and the half is kept', async () => {
  await start();
  const before = await readAuthority();
  await daemon!.kill();
  const half = readFileSync(authorityFile(), 'utf8').slice(0, 200);
  writeFileSync(authorityFile(), half);
  const url = await start();
  const ca = await readAuthority();
  expect(ca).not.toBe(before);
  expect((await sendOverTls(`${url}/healthz`, { ca })).status).toBe(200);
  expect(readFileSync(`${authorityFile()}.damaged`, 'utf8')).toBe(half);
});

test('the demo serves no HTTPS and makes no keys', async () => {
  daemon = await startDaemon(bar, { isDemo: true });
  expect((await fetch(`${daemon.url}/ca.crt`)).status).toBe(404);
  const { result } = (await (await fetch(`${daemon.url}/api/site/https`)).json()) as {
    result: { https: { is_enabled: boolean } };
  };
  expect(result.https.is_enabled).toBe(false);
  expect(existsSync(authorityFile())).toBe(false);
});
