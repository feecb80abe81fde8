import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCli } from '../../src/cli/cli.ts';
import { type OpenDatabase, withDatabase } from '../../src/cli/with-database.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapster-cli-'));
  writeFileSync(
    join(folder, 'bar.json'),
    JSON.stringify({
      database: 'data/bar.db',
      gpio: { driver: 'simulated' },
      onewire: { directory: 'w1' },
      meters: [{ port: 'flow0', pin: 17, ticks_per_ml: 5.4 }],
    }),
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

function createIo(options: { stdin?: string; env?: Record<string, string> } = {}) {
  const printed = { out: '', err: '' };
  const io = {
    out(result: string | Uint8Array) {
      printed.out += typeof result === 'string' ? result : Buffer.from(result).toString('latin1');
    },
    err(text: string) {
      printed.err += text;
    },
    stdin: (async function* () {
      if (options.stdin !== undefined) yield Buffer.from(options.stdin);
    })(),
    env: { TAPSTER_CONFIG: 'bar.json', ...options.env },
    cwd: folder,
  };
  return { io, printed };
}

async function tapster(line: string, options: Parameters<typeof createIo>[0] = {}) {
  const { io, printed } = createIo(options);
  return { code: await runCli(line.split(' '), io), ...printed };
}

/** Opens the bar's database. */
const openDatabase = <T>(work: (openDatabase: OpenDatabase) => T) =>
  withDatabase({ configPath: undefined, io: createIo().io }, work);

test('an account can be created before the first start, and the first staff account completes the set-up', async () => {
  const added = await tapster('user add anna --staff --password-stdin', { stdin: 'hop-garden\r\n' });
  expect(added).toEqual({ code: 0, out: '', err: 'Added anna, staff.\n' });
  const [user, site, byPassword] = await openDatabase(async ({ engine }) => [
    engine.users.user('anna'),
    engine.users.site(),
    await engine.users.passwords.check('anna', 'hop-garden'),
  ]);
  expect(user).toMatchObject({ username: 'anna', isStaff: true, isSuperuser: false });
  expect(site).toMatchObject({ isSetUp: true });
  expect(byPassword).toMatchObject({ username: 'anna' });
});

test('accounts and keys can be created while another process has the database open', async () => {
  await openDatabase(async () => {
    expect((await tapster('user add anna --password-stdin', { stdin: 'hop-garden' })).code).toBe(0);
    expect((await tapster('key create anna')).code).toBe(0);
  });
});

test('only the key is printed on standard output, and it is valid', async () => {
  await tapster('user add anna --staff --password-stdin', { stdin: 'hop-garden\n' });
  const { code, out, err } = await tapster('key create anna');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^[0-9a-f]{32}\n$/);
  const owner = await openDatabase(({ engine }) => engine.users.byKey(out.trim()));
  expect(owner).toMatchObject({ user: { username: 'anna' } });
});

test.each<[string, string, string | undefined, number, RegExp]>([
  [
    'a short password',
    'user add anna --password-stdin',
    'short\n',
    65,
    /password must have 10 to 1024 characters/,
  ],
  ['no password', 'user add anna --password-stdin', '\n', 64, /No password came on standard input/],
  ['a whole file as password', 'user add anna --password-stdin', 'x'.repeat(5_000), 64, /at most 1024 bytes/],
  ['a reserved account name', 'user add guest --password-stdin', 'hop-garden\n', 65, /reserved/],
  ['a key for an unknown name', 'key create nobody', undefined, 67, /no account of that name/],
])('%s is refused', async (_, line, stdin, code, words) => {
  const answer = await tapster(line, stdin === undefined ? {} : { stdin });
  expect(answer).toMatchObject({ code, out: '' });
  expect(answer.err).toMatch(words);
});

test('a name can be used once', async () => {
  await tapster('user add anna --password-stdin', { stdin: 'hop-garden\n' });
  const again = await tapster('user add anna --password-stdin', { stdin: 'hop-garden\n' });
  expect(again).toMatchObject({ code: 65, err: 'username is taken.\n' });
});

test('a database that cannot be created gives one sentence and its exit code', async () => {
  const under = join(folder, 'bar.json', 'data.db');
  const answer = await tapster('key create anna', { env: { TAPSTER_DATABASE: under } });
  expect(answer.code).toBe(73);
  expect(answer.err).not.toContain('    at ');
});

test('a simulated pour is converted to ticks by the calibration in the database and requested from the daemon', async () => {
  await openDatabase(({ engine }) => {
    const { id: controllerId } = engine.taps.hardware.createController({ name: 'pi' });
    engine.taps.hardware.createMeter({ controllerId, portName: 'flow0', ticksPerMl: 5 });
  });
  const daemon = await fakeDaemon(202, { result: {} });
  const answer = await tapster('simulate pour --meter pi.flow0 --ml 330', daemon);
  expect(answer).toEqual({ code: 0, out: '', err: 'pi.flow0 pours 330 mL: 1650 ticks in 5.5 s.\n' });
  expect(daemon.requests).toEqual([
    {
      line: 'POST /api/simulator/pulses',
      type: 'application/json',
      body: { meter: 'pi.flow0', ticks: 1650, hz: 300 },
    },
  ]);
  const hasty = await tapster('simulate pour --meter pi.flow0 --ml 330 --ml-per-second 180', daemon);
  expect(hasty.err).toMatch(/^Note: at 900 Hz .*it counts up to 833 Hz\.\n/);
  await daemon.close();

  const real = await fakeDaemon(409, { error: { code: 'Error', message: 'The taps are real.' } });
  expect(await tapster('simulate pour --meter pi.flow0 --ml 330', real)).toMatchObject({
    code: 65,
    err: 'The taps are real.\n',
  });
  await real.close();

  expect(await tapster('simulate pour --meter pi.flow0 --ml 330', real)).toMatchObject({ code: 69 });
  expect(await tapster('simulate pour --meter pi.flow9 --ml 330', real)).toMatchObject({ code: 67 });
});

test('a simulated pour with a model or an empty keg is requested as a real meter sees it', async () => {
  const result = { meter: 'pi.flow0', ticks: 2_743, seconds: 10.3, beer_ml: 307.5, gas_ml: 185.2 };
  const daemon = await fakeDaemon(202, { result });
  const line = 'simulate pour --meter pi.flow0 --ml 500 --model sf800 --keg-empties-after 300 --seed 7';
  expect(await tapster(line, daemon)).toEqual({
    code: 0,
    out: '',
    err: 'pi.flow0 pours 307.5 mL of beer and 185.2 mL of gas: 2743 ticks in 10.3 s.\n',
  });
  expect(daemon.requests).toMatchObject([
    {
      line: 'POST /api/simulator/pours',
      body: {
        meter: 'pi.flow0',
        volume_ml: 500,
        flow_ml_per_s: 60,
        model: 'sf800',
        keg_empties_after_ml: 300,
        seed: 7,
      },
    },
  ]);
  await daemon.close();
  const refused = await fakeDaemon(400, { error: { message: 'model must be one of a, b.' } });
  expect(await tapster(line, refused)).toMatchObject({ code: 65, err: 'model must be one of a, b.\n' });
  await refused.close();
  expect(await tapster('simulate pour --meter pi.flow0 --ml 500 --gas-ratio 9', daemon)).toMatchObject({
    code: 64,
  });
});

test('the doctor checks a whole bar without a Pi and creates nothing', async () => {
  const env = { TAPSTER_PORT: '1' };
  const first = await tapster('doctor', { env });
  for (const title of ['Board', 'Daemon', 'Pins', 'Thermo sensors', 'Database', 'Clock', 'Power', 'Disk']) {
    expect(first.out).toMatch(new RegExp(`^${title}$`, 'm'));
  }
  expect(first.out).toContain('There is no database at');
  expect(existsSync(join(folder, 'data'))).toBe(false);

  await tapster('user add anna --password-stdin', { stdin: 'hop-garden\n' });
  const second = await tapster('doctor', { env });
  expect(second.out).toContain(`  ok    ${join(folder, 'data', 'bar.db')} is sound.\n`);
  expect(second.out).toContain('  ok    Every total equals its sum.\n');
  // When the test's folder is in memory, the disk check fails correctly.
  expect(second.code).toBe(/^ {2}fail/m.test(second.out) ? 1 : 0);
});

test('the doctor reports a damaged database as a failure', async () => {
  await tapster('user add anna --password-stdin', { stdin: 'hop-garden\n' });
  writeFileSync(join(folder, 'data', 'bar.db'), 'beer was here');
  const { code, out } = await tapster('doctor', { env: { TAPSTER_PORT: '1' } });
  expect(code).toBe(1);
  expect(out).toMatch(/Database\n {2}fail {2}The database is damaged/);
});

interface ReceivedRequest {
  readonly line: string;
  readonly type: string | undefined;
  readonly body: unknown;
}

/** Listens on the daemon's port and always sends the same response. */
async function fakeDaemon(status: number, body: unknown) {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    requests.push({
      line: `${request.method} ${request.url}`,
      type: request.headers['content-type'],
      body: await readBody(request),
    });
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const env = { TAPSTER_PORT: String((server.address() as AddressInfo).port) };
  return { requests, env, close: () => new Promise((done) => server.close(done)) };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

test('exports are printed in both dialects of CSV and as a workbook', async () => {
  await tapster('user add anna --staff --password-stdin', { stdin: 'hop-garden\n' });
  expect((await tapster('export kegs')).out).toMatch(/^id,beverage,/);
  expect((await tapster('export kegs --dialect excel')).out).toMatch(/^\uFEFFid;beverage;/);
  expect((await tapster('export kegs --format xlsx')).out.slice(0, 2)).toBe('PK');
  const wrong = await tapster('export kegs --format jsonl --dialect excel');
  expect(wrong).toMatchObject({
    code: 64,
    out: '',
    err: expect.stringContaining('--dialect is for --format csv'),
  });
});
