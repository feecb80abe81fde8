import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { productDirectory, productVersion } from '../../src/system/product.ts';

/** The built program, as a shell or systemd starts it. */
const program = join(productDirectory, 'dist', 'main.js');

/** Long, because a busy machine starts six programs slowly; the tests do not wait longer than needed. */
const timeoutMs = 30_000;

let folder = '';
let port = 0;
beforeAll(async () => {
  expect(existsSync(program), 'npm run build makes the program that is tested here').toBe(true);
  folder = mkdtempSync(join(tmpdir(), 'tapster-program-'));
  port = await freePort();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The environment without the tester's own Tapster settings, with the test's configuration. */
function environment(): NodeJS.ProcessEnv {
  const { TAPSTER_CONFIG: _, TAPSTER_DATABASE: __, NOTIFY_SOCKET: ___, ...rest } = process.env;
  return {
    ...rest,
    TAPSTER_PORT: String(port),
    TAPSTER_HOST: '127.0.0.1',
    TAPSTER_CONFIG: join(folder, 'bar.json'),
  };
}

function tapster(args: readonly string[], stdin = ''): Promise<{ code: number; out: string; err: string }> {
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [program, ...args],
      { cwd: folder, env: environment() },
      (fault, out, err) => done({ code: fault === null ? 0 : Number(fault.code), out, err }),
    );
    child.stdin?.end(stdin);
  });
}

test('the program prints its version and refuses an unknown command', { timeout: timeoutMs }, async () => {
  expect(await tapster(['--version'])).toEqual({ code: 0, out: `${productVersion()}\n`, err: '' });
  expect(await tapster(['brew'])).toMatchObject({ code: 64, out: '' });
});

test('an invalid configuration stops the daemon with every fault and exit code 78', {
  timeout: timeoutMs,
}, async () => {
  writeFileSync(join(folder, 'broken.json'), '{"http": {"port": "many"}, "gpoi": {}}');
  for (const command of ['run', 'check']) {
    const answer = await tapster([command, '--config', 'broken.json']);
    expect(answer.code).toBe(78);
    expect(answer.err).toContain('  - gpoi is not a setting; did you mean gpio?\n');
    expect(answer.err).toContain('  - http.port must be an integer from 0 to 65535, not "many".\n');
  }
});

test('account, key, simulated pour, drink and shutdown work from the command line', {
  timeout: 4 * timeoutMs,
}, async () => {
  writeFileSync(
    join(folder, 'bar.json'),
    JSON.stringify({
      database: 'bar.db',
      gpio: { driver: 'simulated' },
      meters: [{ port: 'flow0', pin: 17, ticks_per_ml: 5 }],
      taps: [{ name: 'Left', meter: 'flow0', idle_ms: 300 }],
      onewire: { directory: 'w1' },
    }),
  );
  const daemon = spawn(process.execPath, [program, 'run'], {
    cwd: folder,
    env: environment(),
    stdio: 'ignore',
  });
  const exited = new Promise<number | null>((done) => daemon.once('exit', (code) => done(code)));
  try {
    await waitForAnswer('/healthz');
    expect(await tapster(['run'])).toMatchObject({ code: 69 });
    const added = await tapster(['user', 'add', 'anna', '--staff', '--password-stdin'], 'hop-garden\n');
    expect(added).toMatchObject({ code: 0, out: '' });
    const key = await tapster(['key', 'create', 'anna']);
    expect(key.out).toMatch(/^[0-9a-f]{32}\n$/);

    const poured = await tapster([
      'simulate',
      'pour',
      '--meter',
      'pi.flow0',
      '--ml',
      '100',
      '--ml-per-second',
      '100',
    ]);
    expect(poured.code).toBe(0);
    const drinks = await waitForAnswer('/api/drinks', (body) => JSON.stringify(body).includes('"ticks":500'));
    expect(JSON.stringify(drinks)).toContain('"volume_ml":100');
    expect((await tapster(['doctor'])).out).toContain('The daemon runs; working: counting, storing, serving');
  } finally {
    daemon.kill('SIGTERM');
  }
  expect(await waitForExit(daemon, exited)).toBe(0);
});

/** Requests `path` until the response satisfies `isEnough`. */
async function waitForAnswer(
  path: string,
  isEnough: (body: unknown) => boolean = () => true,
): Promise<unknown> {
  const latest = performance.now() + timeoutMs;
  while (performance.now() < latest) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      const body: unknown = await response.json();
      if (response.ok && isEnough(body)) return body;
    } catch {
      // The daemon is still starting.
    }
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`The daemon gave no such answer at ${path} in time.`);
}

async function waitForExit(daemon: ChildProcess, exited: Promise<number | null>): Promise<number | null> {
  const hard = setTimeout(() => daemon.kill('SIGKILL'), 10_000);
  const code = await exited;
  clearTimeout(hard);
  return code;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port: free } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return free;
}
