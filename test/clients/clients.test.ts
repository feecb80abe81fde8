import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type BarFolder, makeBar, type RunningDaemon, runCommand, startDaemon } from '../kit/daemon.ts';

// Packs and installs the client, and starts real processes.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const pythonClient = join(root, 'clients/python/tapster_client.py');

let bar: BarFolder;
let daemon: RunningDaemon;
let key: string;

beforeAll(async () => {
  bar = makeBar();
  daemon = await startDaemon(bar);
  const created = await runCommand(
    ['user', 'add', 'nora', '--staff', '--password-stdin', '--config', bar.configFile],
    { input: 'a long password\n', cwd: bar.path },
  );
  expect(created.code).toBe(0);
  key = (
    await runCommand(['key', 'create', 'nora', '--config', bar.configFile], { cwd: bar.path })
  ).out.trim();
  expect(key).not.toBe('');
});

afterAll(async () => {
  await daemon?.kill();
  bar?.remove();
});

const pulse = (ticks: number) =>
  fetch(`${daemon.url}/api/simulator/pulses`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ meter: 'pi.flow1', ticks, hz: 500 }),
  });

describe('the packed TypeScript client', () => {
  let project: string;

  beforeAll(async () => {
    const { stdout } = await run('npm', ['run', '--silent', 'client'], { cwd: root });
    project = mkdtempSync(join(tmpdir(), 'tapster-client-'));
    writeFileSync(
      join(project, 'package.json'),
      JSON.stringify({ name: 'bar-tools', type: 'module', private: true }),
    );
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', stdout.trim()], { cwd: project });
  });

  afterAll(() => rmSync(project, { recursive: true, force: true }));

  /** Runs a program that imports the installed package, and returns what it prints as JSON. */
  async function runProgram(source: string): Promise<unknown> {
    const file = join(project, `program-${Math.abs(source.length)}.mjs`);
    writeFileSync(file, source);
    const { stdout } = await run(process.execPath, [file], {
      cwd: project,
      env: { ...process.env, TAPSTER_URL: daemon.url, TAPSTER_KEY: key },
    });
    return JSON.parse(stdout);
  }

  const head = `import { createClient, TapsterError } from '@tapster/client';
const tapster = createClient({ url: process.env.TAPSTER_URL, key: process.env.TAPSTER_KEY });
`;

  test('it records a drink once for two posts with one key, and reads it', async () => {
    const printed = await runProgram(`${head}
const input = { path: { ref: '1' }, body: { volume_ml: 330, username: 'nora' } };
const options = { idempotencyKey: 'a-test-pour' };
const first = await tapster.call('POST /taps/{ref}/record-drink', input, options);
const second = await tapster.call('POST /taps/{ref}/record-drink', input, options);
const read = await tapster.call('GET /drinks/{id}', { path: { id: first.drink.id } });
console.log(JSON.stringify({ ids: [first.drink.id, second.drink.id], read: read.drink.volume_ml }));`);
    expect(printed).toMatchObject({ read: 330 });
    const { ids } = printed as { ids: number[] };
    expect(ids[0]).toBe(ids[1]);
  });

  test('it reads a list of several pages row by row', async () => {
    const printed = await runProgram(`${head}
for (let i = 0; i < 7; i++) await tapster.call('POST /taps/{ref}/record-drink', { path: { ref: '2' }, body: { volume_ml: 100 + i } });
const ids = [];
for await (const drink of tapster.rows('GET /drinks', { query: { limit: 3 } })) ids.push(drink.id);
let pages = 0;
for await (const page of tapster.pages('GET /drinks', { query: { limit: 3 } })) pages++;
const { paging } = await tapster.call('GET /drinks', { query: { limit: 1 } });
console.log(JSON.stringify({ ids, pages, total: paging.total }));`);
    const { ids, pages, total } = printed as { ids: number[]; pages: number; total: number };
    expect(ids.length).toBeGreaterThanOrEqual(7);
    expect(ids).toHaveLength(total);
    expect(new Set(ids).size).toBe(total);
    expect(pages).toBe(Math.ceil(total / 3));
  });

  test('a refusal is an error with status, code and fields', async () => {
    const printed = await runProgram(`${head}
const fault = await tapster.call('POST /taps/{ref}/record-drink', { path: { ref: '1' }, body: { volume_ml: -1 } }).catch((error) => error);
console.log(JSON.stringify({ isTapsterError: fault instanceof TapsterError, status: fault.status, code: fault.code, fields: fault.fields }));`);
    expect(printed).toMatchObject({
      isTapsterError: true,
      status: 400,
      code: 'BadRequestError',
      fields: { volume_ml: expect.any(String) },
    });
  });

  test('a write with the tag of an older state is refused, and the present tag is accepted', async () => {
    const printed = await runProgram(`${head}
const path = { id: 1 };
const { etag } = await tapster.callWithTag('GET /kegs/{id}', { path });
await tapster.call('PATCH /kegs/{id}', { path, body: { notes: 'first' } }, { ifMatch: etag });
const late = await tapster.call('PATCH /kegs/{id}', { path, body: { notes: 'second' } }, { ifMatch: etag }).catch((error) => error.status);
const { keg } = await tapster.call('GET /kegs/{id}', { path });
console.log(JSON.stringify({ hasTag: etag !== null, late, notes: keg.notes }));`);
    expect(printed).toEqual({ hasTag: true, late: 412, notes: 'first' });
  });

  test('it follows a pour on the live stream', async () => {
    const program = runProgram(`${head}
const stop = new AbortController();
const seen = [];
for await (const { event, data } of tapster.live({ signal: stop.signal })) {
  if (event === 'snapshot' && seen.length === 0) {
    await fetch(process.env.TAPSTER_URL + '/api/simulator/pulses', { method: 'POST',
      headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ meter: 'pi.flow0', ticks: 400, hz: 500 }) });
  }
  seen.push(event === 'pour' ? data.state : event);
  if (event === 'pour' && data.state === 'ended') stop.abort();
}
console.log(JSON.stringify(seen));`);
    const seen = (await program) as string[];
    expect(seen[0]).toBe('snapshot');
    expect(seen).toEqual(expect.arrayContaining(['started', 'flowing', 'ended']));
  });

  test('it downloads an export', async () => {
    const printed = await runProgram(`${head}
const response = await tapster.file('GET /admin/export/{file}', { path: { file: 'drinks.csv' } });
const text = await response.text();
console.log(JSON.stringify({ type: response.headers.get('Content-Type'), lines: text.trim().split('\\n').length }));`);
    expect(printed).toMatchObject({ type: expect.stringContaining('text/csv') });
    expect((printed as { lines: number }).lines).toBeGreaterThan(1);
  });

  test('its types accept the examples of its README and refuse an unknown operation, field and row', async () => {
    writeFileSync(
      join(project, 'typed.ts'),
      `import { createClient } from '@tapster/client';
const tapster = createClient({ url: 'http://localhost:8080', key: 'k' });
export async function use(): Promise<number> {
  let total = 0;
  for await (const drink of tapster.rows('GET /drinks', { query: { user: 'anna' } })) total += drink.volume_ml;
  await tapster.call('POST /taps/{ref}/record-drink', { path: { ref: '1' }, body: { volume_ml: 330, username: 'anna' } });
  // @ts-expect-error there is no such operation
  await tapster.call('GET /beers');
  // @ts-expect-error the path parameter is missing
  await tapster.call('GET /drinks/{id}');
  // @ts-expect-error a number is needed
  await tapster.call('POST /taps/{ref}/record-drink', { path: { ref: '1' }, body: { volume_ml: '330' } });
  // @ts-expect-error a drink is not a list
  for await (const row of tapster.rows('GET /drinks/{id}', { path: { id: 1 } })) total += Number(row);
  for await (const { event, data } of tapster.live()) if (event === 'pour') total += data.volume_ml;
  return total;
}
`,
    );
    const flags = [
      '--noEmit',
      '--strict',
      '--target',
      'es2023',
      '--lib',
      'es2023,dom,dom.iterable',
      '--types',
      '',
    ];
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await run(
      process.execPath,
      [compiler, ...flags, '--module', 'nodenext', '--moduleResolution', 'nodenext', 'typed.ts'],
      { cwd: project },
    ).catch((fault: { stdout: string }) => fault);
    expect(stdout).toBe('');
  });
});

// `.ci/run` installs Python; a machine without it can still run the other tests.
const hasPython = spawnSync('python3', ['--version']).status === 0;

describe.runIf(hasPython)('the Python client', () => {
  const environment = () => ({ ...process.env, TAPSTER_URL: daemon.url, TAPSTER_KEY: key });
  const python = (...args: string[]) => run('python3', [pythonClient, ...args], { env: environment() });

  test('it records a drink and lists it', async () => {
    const { stdout } = await python('record', '2', '512');
    const id = /^Drink (\d+): 512 mL$/m.exec(stdout)?.[1];
    expect(id).toBeDefined();
    expect((await python('drinks')).stdout).toMatch(new RegExp(`^${id} \\S+Z 512 mL -$`, 'm'));
  });

  test('it prints the fields that are at fault', async () => {
    const fault = (await python('record', '2', '-5').catch((error) => error)) as {
      code: number;
      stderr: string;
    };
    expect(fault.code).toBe(1);
    expect(fault.stderr).toMatch(/^ {2}volume_ml: /m);
  });

  test('it follows the live stream', async () => {
    const child = spawn('python3', [pythonClient, 'follow'], {
      env: environment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line);
      if (lines.length === 1) await pulse(300);
      if (/^tap 2: \d+ mL ended$/.test(line)) break;
    }
    child.kill();
    await once(child, 'exit');
    expect(lines[0]).toMatch(/: 2 taps$/);
    expect(lines.at(-1)).toBe('tap 2: 60 mL ended');
  });
});
