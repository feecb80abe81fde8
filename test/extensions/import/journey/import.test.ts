import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { withDatabase } from '../../../../src/cli/with-database.ts';
import { createClient } from '../../../kit/client.ts';
import { logInConfirmed } from '../../../kit/confirmed-login.ts';
import {
  type BarFolder,
  builtProgram,
  makeBar,
  quickBar,
  runCommand,
  startDaemon,
} from '../../../kit/daemon.ts';
import { oldKey, startKegbot, volumeOfDrink } from '../../../kit/kegbot-server.ts';
import { readTotals } from '../cli/import-site.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A pour that waits longer than this is one that people notice, milliseconds. */
const maxWaitMs = 1_000;

function openBar(): BarFolder {
  const bar = makeBar();
  closers.push(bar.remove);
  return bar;
}

async function runDaemon(bar: BarFolder) {
  const user = ['user', 'add', 'anna', '--staff', '--password-stdin', '--config', bar.configFile];
  expect((await runCommand(user, { input: 'a good password\n' })).code).toBe(0);
  const key = (await runCommand(['key', 'create', 'anna', '--config', bar.configFile])).out.trim();
  const daemon = await startDaemon(bar);
  closers.push(async () => {
    if (daemon.child.exitCode === null && daemon.child.signalCode === null) await daemon.kill();
  });
  return { ...daemon, key, client: createClient({ url: daemon.url, key }) };
}

const read = (bar: BarFolder) =>
  withDatabase(
    {
      configPath: bar.configFile,
      io: { out() {}, err() {}, stdin: (async function* () {})(), env: {}, cwd: bar.path },
    },
    (database) => ({ totals: readTotals(database), check: database.engine.site.checkDatabase() }),
  );

function writeDrinks(bar: BarFolder, count: number): string {
  const file = join(bar.path, 'drinks.csv');
  const rows = Array.from(
    { length: count },
    (_, n) => `${n},${1_600_000_000 + n * 700},${volumeOfDrink(n)},user-${n % 40}`,
  );
  writeFileSync(file, `id,pour_time,volume_ml,user\n${rows.join('\n')}\n`);
  return file;
}

/** Starts a command whose process can be killed; `written` resolves once it writes drinks. */
function startCommand(args: readonly string[]): {
  child: ChildProcess;
  written: Promise<void>;
  exited: Promise<unknown>;
} {
  const child = spawn(process.execPath, [builtProgram, ...args], {
    env: { ...process.env, TAPSTER_DATABASE: '', TAPSTER_PORT: '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  closers.push(() => child.kill('SIGKILL'));
  let text = '';
  const written = new Promise<void>((done) => {
    child.stderr.on('data', (chunk: Buffer) => {
      text += chunk;
      if (/\d+ %/.test(text)) done();
    });
    child.once('exit', () => done());
  });
  return { child, written, exited: once(child, 'exit') };
}

test('pours during an import are all recorded, each within a second, and the daemon shows both', async () => {
  const bar = openBar();
  const { url, key, client } = await runDaemon(bar);
  const file = writeDrinks(bar, 6_000);
  const command = [
    'import',
    'csv',
    '--drinks',
    file,
    '--create-users',
    '--no-backup',
    '--config',
    bar.configFile,
  ];
  const { child, written, exited } = startCommand(command);
  await written;
  const waits: number[] = [];
  while (child.exitCode === null) {
    const startedMs = performance.now();
    const response = await fetch(`${url}/api/v1/taps/pi.flow0`, {
      method: 'POST',
      headers: { 'X-Kegbot-Api-Key': key },
      body: new URLSearchParams({ ticks: '500', pour_id: `during-${waits.length}` }),
    });
    expect(response.status).toBe(200);
    waits.push(performance.now() - startedMs);
  }
  await exited;
  expect(child.exitCode).toBe(0);
  expect(waits.length).toBeGreaterThan(5);
  expect(Math.max(...waits)).toBeLessThan(maxWaitMs);
  const { paging } = await client.get('GET /drinks');
  expect(paging.total).toBe(6_000 + waits.length);
  const { check, totals } = await read(bar);
  expect(check).toEqual([]);
  expect(totals.drinks).toBe(6_000 + waits.length);
});

test('an import of a server that is killed again and again ends with the same drinks as one that is not', async () => {
  const bar = openBar();
  const drinks = 3_000;
  const server = await startKegbot('kegbot', {
    users: [{ username: 'anna' }, { username: 'bernd' }],
    drinks,
  });
  closers.push(server.close);
  const command = [
    'import',
    'kegbot',
    server.url,
    '--key',
    oldKey,
    '--no-backup',
    '--config',
    bar.configFile,
  ];
  // While it reads: after the fifth page of drinks.
  const reading = startCommand(command);
  await expect
    .poll(() => server.requests.filter((path) => path.includes('cursor')).length)
    .toBeGreaterThan(4);
  reading.child.kill('SIGKILL');
  await reading.exited;
  // While it writes.
  for (let round = 0; round < 2; round++) {
    const writing = startCommand(command);
    await writing.written;
    writing.child.kill('SIGKILL');
    await writing.exited;
  }
  const partial = (await read(bar)).totals.drinks;
  expect(partial).toBeGreaterThan(0);
  expect(partial).toBeLessThan(drinks);
  const last = await runCommand(command);
  expect(last).toMatchObject({ code: 0 });
  const whole = openBar();
  await runCommand([...command.slice(0, -1), whole.configFile]);
  const [{ totals, check }, expected] = [await read(bar), await read(whole)];
  expect(check).toEqual([]);
  expect(totals).toEqual(expected.totals);
  expect(totals.drinks).toBe(drinks);
  // The pages before the first kill were read once.
  expect(server.requests.filter((path) => path.includes(`cursor=c-${drinks - 199}`))).toHaveLength(2);
});

test('imports from another Tapster, which refuses nothing that it shows', async () => {
  const first = openBar();
  const { url, key, client } = await runDaemon(first);
  const headers = await logInConfirmed(url, 'anna', 'a good password');
  const confirmed = createClient({ url, cookie: headers.Cookie! });
  await confirmed.get('POST /users', { body: { username: 'bernd', email: '', display_name: 'Bernd B.' } });
  for (let n = 0; n < 12; n++) {
    await client.get('POST /taps/{ref}/record-drink', {
      path: { ref: '1' },
      body: { volume_ml: 100 + n, ...(n % 2 === 0 ? { username: 'bernd' } : {}), shout: `Nr. ${n}` },
    });
  }
  const second = openBar();
  writeFileSync(
    second.configFile,
    JSON.stringify({ ...quickBar, database: second.database, demo: { kegs: false } }),
  );
  const command = ['import', 'kegbot', url, '--key', key, '--config', second.configFile];
  const done = await runCommand(command);
  expect(done).toMatchObject({ code: 0 });
  expect(done.out).toContain('drinks     12 imported');
  const [here, there] = [await read(second), await read(first)];
  expect(here.check).toEqual([]);
  expect(here.totals.byUser).toEqual(there.totals.byUser);
  expect(here.totals.sessions).toEqual(there.totals.sessions);
  expect(here.totals.volumeMl).toBe(there.totals.volumeMl);
  const kegFields = ({ totals }: typeof here) => totals.kegs.map(({ created: _created, ...keg }) => keg);
  expect(kegFields(here)).toEqual(kegFields(there));
  expect((await runCommand(command)).err).toContain('There is nothing new to import.');
  const own = await runCommand([...command.slice(0, -1), first.configFile]);
  expect(own).toMatchObject({ code: 65 });
  expect(own.err).toContain('has the drinks of this database already');
});
