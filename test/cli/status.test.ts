import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { runCli } from '../../src/cli/cli.ts';
import { setupCodeFile } from '../../src/daemon/http/setup-console.ts';
import { reachableUrls } from '../../src/system/own-addresses.ts';

const boot = '11111111-2222-4333-8444-555555555555';
const healthy = { status: 'ok', parts: { counting: 'ok', storing: 'ok', serving: 'ok' }, version: '1.2.3' };
const servers: Server[] = [];
const folders: string[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A daemon on a port of its own, whose set-up takes `code`; null once the set-up is finished. */
async function startDaemon({ health = healthy as object, code = null as string | null } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-cli-status-'));
  folders.push(folder);
  const state = { code, checks: [] as string[] };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answer = (status: number, body: unknown): void => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      };
      if (request.url === '/healthz')
        return answer((health as typeof healthy).status === 'ok' ? 200 : 503, health);
      if (state.code === null) return answer(403, {});
      if (request.url === '/api/setup/status') return answer(200, {});
      const typed = (JSON.parse(Buffer.concat(chunks).toString()) as { code: string }).code;
      state.checks.push(typed);
      answer(typed === state.code ? 200 : 400, {});
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const database = join(folder, 'tapster.db');
  return {
    folder,
    port,
    state,
    keep: (text: string) => writeFileSync(setupCodeFile(database), `${text} ${boot}\n`),
    run: (...args: string[]) => runStatus(folder, port, args),
  };
}

async function runStatus(folder: string, port: number, args: readonly string[]) {
  const file = join(folder, 'tapster.json');
  writeFileSync(
    file,
    JSON.stringify({ database: join(folder, 'tapster.db'), http: { host: '0.0.0.0', port } }),
  );
  let [out, err] = ['', ''];
  const code = await runCli(['status', '--config', file, ...args], {
    out: (text) => {
      out += String(text);
    },
    err: (text) => {
      err += text;
    },
    stdin: (async function* () {})(),
    env: {},
    cwd: folder,
  });
  return { code, out, err };
}

const hint =
  "The set-up is not finished. Its code: sudo journalctl -u tapster | grep 'Set-up code' | tail -n 1\n";

test('health, version, addresses and the set-up code in force are printed', async () => {
  const daemon = await startDaemon({ code: 'K7QM-2RXA' });
  daemon.keep('K7QM-2RXA');
  const urls = reachableUrls({ host: '0.0.0.0', port: daemon.port }).map((url) => `  ${url}\n`);
  expect(await daemon.run()).toEqual({
    code: 0,
    err: '',
    out:
      'Tapster 1.2.3: Counting, storing and serving\nThe page, for a phone or laptop in the same network:\n' +
      `${urls.join('')}Set-up code: K7QM-2RXA (valid until the set-up is finished or this machine restarts)\n`,
  });
});

test('after the set-up no code is printed, also when the file was left', async () => {
  const daemon = await startDaemon();
  daemon.keep('K7QM-2RXA');
  const { out, code } = await daemon.run('--wait', '5');
  expect(code).toBe(0);
  expect(out).not.toMatch(/code/i);
  expect(daemon.state.checks).toEqual([]);
});

test('a code that the daemon refuses is not printed, and sent once; the one that comes later is', async () => {
  const daemon = await startDaemon({ code: 'NEWX-CODE' });
  daemon.keep('K7QM-2RXA');
  expect((await daemon.run()).out.endsWith(hint)).toBe(true);
  const running = daemon.run('--wait', '30');
  await expect.poll(() => daemon.state.checks.length).toBe(2);
  daemon.keep('NEWX-CODE');
  expect((await running).out).toMatch(/^Set-up code: NEWX-CODE /m);
  expect(daemon.state.checks).toEqual(['K7QM-2RXA', 'K7QM-2RXA', 'NEWX-CODE']);
});

test('without a kept code the log is named', async () => {
  const daemon = await startDaemon({ code: 'K7QM-2RXA' });
  expect((await daemon.run()).out.endsWith(hint)).toBe(true);
});

test('trouble is told in the words of /healthz, with another exit code', async () => {
  const parts = { counting: 'Pin 17 is taken.', storing: 'ok', serving: 'ok' };
  const daemon = await startDaemon({ health: { status: 'trouble', parts, version: '1.2.3' } });
  const { out, code } = await daemon.run();
  expect(out).toMatch(/^Tapster 1\.2\.3: Trouble\. counting: Pin 17 is taken\.\n/);
  expect(code).toBe(1);
});

test('a daemon that is starting is waited for; without one the log is named', async () => {
  const daemon = await startDaemon();
  for (const server of servers.splice(0)) server.close();
  const alone = await daemon.run();
  expect(alone).toMatchObject({
    code: 69,
    out: '',
    err: expect.stringContaining('journalctl -u tapster -n 50'),
  });
  const running = daemon.run('--wait', '30');
  const late = createServer((request, response) => {
    response.statusCode = request.url === '/healthz' ? 200 : 403;
    response.end(JSON.stringify(healthy));
  });
  servers.push(late);
  late.listen(daemon.port, '127.0.0.1');
  expect((await running).code).toBe(0);
});

test('a wrong time to wait is refused', async () => {
  const daemon = await startDaemon();
  for (const text of ['soon', '-1', '601', '1.5'])
    expect(await daemon.run(`--wait=${text}`)).toMatchObject({
      code: 64,
      err: expect.stringContaining('--wait must be a number of seconds from 0 to 600.'),
    });
});
