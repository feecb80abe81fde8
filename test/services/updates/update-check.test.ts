import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { UpdateRequest } from '../../../src/core/updates/update-request.ts';
import { emptyState, type UpdateResult, type UpdaterState } from '../../../src/core/updates/update-state.ts';
import { createUpdateCheck, type UpdateSettings } from '../../../src/services/updates/update-check.ts';
import { createCertificates } from '../../kit/certificates.ts';
import { makeSigningKey, PackageServer } from '../../kit/package-server.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** 03:30 in Berlin. */
const startMs = Date.UTC(2026, 10, 24, 2, 30);

let folder: string;
let server: PackageServer;
const now = { monoMs: 0, wallMs: startMs, synced: true, bootId: 'boot' };
const settings: { -readonly [K in keyof UpdateSettings]: UpdateSettings[K] } = {
  isEnabled: true,
  install: 'ask',
  hour: 4,
  timeZone: 'Europe/Berlin',
};
let updater: UpdaterState;
let isIdle: boolean;
let requests: UpdateRequest[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tapster-check-'));
  server = await PackageServer.start();
  Object.assign(now, { monoMs: 0, wallMs: startMs, synced: true });
  Object.assign(settings, { isEnabled: true, install: 'ask' });
  updater = emptyState;
  isIdle = true;
  requests = [];
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const start = (change: Partial<Parameters<typeof createUpdateCheck>[0]> = {}) =>
  createUpdateCheck({
    file: join(folder, 'update-check.json'),
    source: server.source,
    running: '1.0.0',
    architecture: 'arm64',
    clock: { now: () => now },
    settings: () => settings,
    updater: () => updater,
    request: (request) => requests.push(request),
    isIdle: () => isIdle,
    log: { info() {}, warn() {}, error() {} } as never,
    random: () => 0.25,
    ...change,
  });

type Check = ReturnType<typeof start>;

/** Lets time pass, minute by minute as far as the check is concerned. */
async function pass(check: Check, ms: number): Promise<void> {
  now.wallMs += ms;
  now.monoMs += ms;
  check.everyMinute();
  await check.whenIdle();
}

const asked = () => server.requests.map(({ url }) => url);

test('a new version is found over HTTPS, with its notes by language', async () => {
  const { authority, server: pair } = createCertificates();
  const secure = await PackageServer.start({ key: pair.key.text, cert: pair.certificate.text });
  try {
    const trusting = start({ source: secure.source, ca: authority.certificate.text });
    await pass(trusting, 0);
    expect(trusting.view()).toEqual({
      hasAddress: true,
      lastCheckedMs: startMs,
      problem: null,
      planned: null,
      available: {
        version: '2.0.0',
        notes: { en: 'Faster taps.', de: 'Schnellere Hähne.' },
        sizeBytes: secure.package.length,
        releasedMs: Date.UTC(2026, 10, 20, 10),
      },
    });
    rmSync(join(folder, 'update-check.json'));
    const doubting = start({ source: secure.source });
    await pass(doubting, 0);
    expect(doubting.view()).toMatchObject({ available: null, problem: { code: 'update_check_failed' } });
  } finally {
    await secure.close();
  }
});

test('nothing is asked while the check is off or the clock is not set, except by a person', async () => {
  const check = start();
  settings.isEnabled = false;
  await pass(check, dayMs);
  Object.assign(settings, { isEnabled: true });
  now.synced = false;
  await pass(check, dayMs);
  expect(asked()).toEqual([]);
  settings.isEnabled = false;
  await check.checkNow();
  expect(check.view()).toMatchObject({ available: { version: '2.0.0' } });
});

test('it asks once a day, in the minute of the machine, also after a restart', async () => {
  const first = start();
  for (let hours = 0; hours < 24; hours++) await pass(first, hourMs);
  // At once, and at 06:00 UTC, a quarter of the day.
  const times = asked().filter((url) => url === '/manifest.json').length;
  expect(times).toBe(2);
  const second = start({ random: () => 0.9 });
  await pass(second, 60_000);
  expect(asked().filter((url) => url === '/manifest.json')).toHaveLength(2);
  await pass(second, dayMs);
  expect(asked().filter((url) => url === '/manifest.json')).toHaveLength(3);
});

test('requests tell nothing of the machine: a plain agent, no cookie, no entity tag, a date rounded to a day', async () => {
  server.answer = (_request, response) => {
    response.setHeader('set-cookie', 'id=7');
    return false;
  };
  const check = start();
  await check.checkNow();
  await pass(check, dayMs);
  const headers = server.requests.map((one) => one.headers);
  const plain = {
    host: server.url.slice('http://'.length),
    connection: 'close',
    'user-agent': 'Tapster',
    accept: '*/*',
  };
  expect(headers).toEqual([
    ...[plain, plain],
    ...[{ ...plain, 'if-modified-since': 'Sun, 25 Oct 2026 00:00:00 GMT' }, plain],
  ]);
  expect(asked().every((url) => !url?.includes('?'))).toBe(true);
});

test('an answer that nothing has changed keeps the manifest', async () => {
  const check = start();
  await check.checkNow();
  server.answer = (request, response) => {
    if (request.headers['if-modified-since'] === undefined) return false;
    response.writeHead(304).end();
    return true;
  };
  await pass(check, dayMs);
  expect(asked()).toHaveLength(3);
  expect(check.view()).toMatchObject({
    lastCheckedMs: now.wallMs,
    problem: null,
    available: { version: '2.0.0' },
  });
});

const fail = async (check: Check) => {
  await expect(check.checkNow()).rejects.toMatchObject({ code: 'unavailable' });
  return check.view().problem?.params.reason;
};

test('a forged manifest, an older one and a hostile server are reported, and the version that was known stays', async () => {
  const check = start();
  server.change = { serial: 20 };
  await check.checkNow();
  server.signer = makeSigningKey().privateKey;
  expect(await fail(check)).toBe('bad_signature');
  server.signer = server.key.privateKey;
  server.change = { serial: 19, version: '9.0.0' };
  expect(await fail(check)).toBe('older_serial');
  server.change = { format: 2 };
  expect(await fail(check)).toBe('unreadable');
  server.answer = (_request, response) => {
    response.end(Buffer.alloc(100_000));
    return true;
  };
  expect(await fail(check)).toBe('too_large');
  server.answer = (_request, response) => {
    response.writeHead(302, { location: '/x' }).end();
    return true;
  };
  expect(await fail(check)).toBe('status');
  server.answer = (_request, response) => {
    response.destroy();
    return true;
  };
  expect(await fail(check)).toBe('unreachable');
  expect(check.view().available?.version).toBe('2.0.0');
  // Also for the next start, which checks the signature again.
  expect(start().view()).toMatchObject({
    available: { version: '2.0.0' },
    problem: { code: 'update_check_failed' },
  });
  expect(
    start({ source: { ...server.source, publicKey: makeSigningKey().publicKey } }).view().available,
  ).toBeNull();
});

test('a serial that the updater has used is not undercut after the file of the check was lost', async () => {
  updater = { ...emptyState, manifestSerial: 11 };
  expect(await fail(start())).toBe('older_serial');
});

test('after a failure the delay before the next try doubles', async () => {
  server.answer = (_request, response) => {
    response.writeHead(503).end();
    return true;
  };
  const check = start();
  await pass(check, 0);
  const times: number[] = [];
  for (let minute = 1; minute <= 240; minute++) {
    const before = server.requests.length;
    await pass(check, 60_000);
    if (server.requests.length > before) times.push(minute);
  }
  expect(times).toEqual([15, 45, 105, 225]);
});

test('a person has the version installed now, by the manifest and its signature', async () => {
  const check = start();
  expect(() => check.install('now')).toThrow('No new version is known');
  await check.checkNow();
  check.install('now');
  expect(requests).toEqual([server.request]);
});

test('a person plans it for the quiet hour; it waits for idle taps', async () => {
  const check = start();
  await check.checkNow();
  check.install('quiet_hour');
  expect(check.view().planned).toBe('2.0.0');
  await pass(check, 29 * 60_000);
  expect(requests).toEqual([]);
  isIdle = false;
  await pass(check, 60_000);
  expect(requests).toEqual([]);
  isIdle = true;
  await pass(check, 60_000);
  expect(requests).toEqual([server.request]);
  await pass(check, 60_000);
  expect(requests).toHaveLength(1);
  expect(check.view().planned).toBeNull();
});

test('a plan that is cancelled installs nothing, and one by the setting of the site stays', async () => {
  const check = start();
  await check.checkNow();
  check.install('quiet_hour');
  check.cancelPlan();
  expect(check.view().planned).toBeNull();
  await pass(check, hourMs / 2);
  expect(requests).toEqual([]);
  settings.install = 'quiet_hour';
  check.cancelPlan();
  expect(check.view().planned).toBe('2.0.0');
});

const last: UpdateResult = {
  kind: 'update',
  from: '1.0.0',
  to: '2.0.0',
  outcome: 'reverted',
  reason: 'no_answer',
  detail: '',
  backup: null,
  wallMs: startMs,
};

test('the site may have new versions installed in the quiet hour by themselves, three times at most', async () => {
  settings.install = 'quiet_hour';
  const check = start();
  await check.checkNow();
  expect(check.view().planned).toBe('2.0.0');
  await pass(check, hourMs / 2);
  for (let day = 0; day < 9; day++) await pass(check, dayMs);
  expect(requests).toHaveLength(3);
});

test.each<[string, UpdaterState]>([
  ['was tried and taken back', { ...emptyState, last }],
  ['was refused', { ...emptyState, last: { ...last, outcome: 'refused' } }],
  [
    'was left by a person',
    { ...emptyState, last: { ...last, from: '2.0.0', to: '1.0.0', outcome: 'done', kind: 'rollback' } },
  ],
])('a version that %s is not installed without a person', async (_, state) => {
  settings.install = 'quiet_hour';
  updater = state;
  const check = start();
  await check.checkNow();
  expect(check.view()).toMatchObject({ planned: null, available: { version: '2.0.0' } });
  check.install('quiet_hour');
  expect(check.view().planned).toBe('2.0.0');
});

test('what is kept is readable by the daemon alone and has no secret', async () => {
  const check = start();
  await check.checkNow();
  const kept = JSON.parse(readFileSync(join(folder, 'update-check.json'), 'utf8')) as object;
  expect(Object.keys(kept).sort()).toEqual([
    ...['asked', 'failure', 'format', 'lastCheckedMs', 'manifest'],
    ...['minute', 'newestSerial', 'planned', 'signature'],
  ]);
});
