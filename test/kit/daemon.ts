import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { extensions } from '../../src/extensions/all.ts';

/** The built program. */
export const builtProgram = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** The Node.js flags of the systemd service, so that the tests run the daemon as it runs in a bar. */
const nodeFlags =
  /^ExecStart=\S+ node (.*) \S+main\.js run$/m
    .exec(readFileSync(new URL('../../systemd/tapster.service', import.meta.url), 'utf8'))?.[1]
    ?.split(' ') ?? [];

/** A folder with the configuration, database and journal of one bar. */
export interface BarFolder {
  readonly path: string;
  readonly database: string;
  readonly configFile: string;
  remove(): void;
}

/** Two simulated taps with short idle times, so that a test pours within a second. */
export const quickBar = {
  gpio: { driver: 'simulated' },
  http: { host: '127.0.0.1', port: 0 },
  meters: [
    { port: 'flow0', pin: 17, ticks_per_ml: 5 },
    { port: 'flow1', pin: 27, ticks_per_ml: 5 },
  ],
  taps: [
    { name: 'Left', meter: 'flow0' },
    { name: 'Right', meter: 'flow1' },
  ],
  // Tests pour little.
  pour: { idle_ms: 1_200, min_ml: 0 },
  demo: { kegs: true },
};

/** Every feature that works without settings, switched on. */
export const allFeatures: Readonly<Record<string, boolean>> = Object.fromEntries(
  extensions.flatMap(({ name, needsConfiguration }) => (needsConfiguration ? [] : [[name, true]])),
);

/** Creates a bar's folder with its configuration file. */
export function makeBar(config: object = quickBar): BarFolder {
  const path = mkdtempSync(join(tmpdir(), 'tapster-bar-'));
  const configFile = join(path, 'tapster.json');
  const database = join(path, 'tapster.db');
  writeFileSync(
    configFile,
    JSON.stringify({ database, onewire: { directory: join(path, 'w1') }, ...config }),
  );
  return { path, database, configFile, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** The built daemon in a child process. */
export interface RunningDaemon {
  readonly url: string;
  readonly child: ChildProcess;
  /** All output so far. */
  readonly output: string;
  /** Resolves when the daemon next logs this message; call it before the action that causes it. */
  waitForLog(message: string): Promise<void>;
  /** Sends SIGTERM and resolves to the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL, as a power cut. */
  kill(): Promise<void>;
}

interface LogEntry {
  readonly msg: string;
  readonly port?: number;
}

/**
 * Starts the built daemon on a bar's folder and waits until it serves. Rejects with its output when it exits
 * before. The demo has no settings file; its database is in the folder, too.
 */
export async function startDaemon(
  bar: BarFolder,
  { isDemo = false }: { readonly isDemo?: boolean } = {},
): Promise<RunningDaemon> {
  const config = isDemo ? [] : ['--config', bar.configFile];
  const address = isDemo
    ? { TAPSTER_CONFIG: '', TAPSTER_HOST: '127.0.0.1', TAPSTER_PORT: '0' }
    : { TAPSTER_PORT: '' };
  const child = spawn(process.execPath, [...nodeFlags, builtProgram, 'run', ...config], {
    cwd: bar.path,
    env: { ...process.env, TAPSTER_DATABASE: '', NOTIFY_SOCKET: '', ...address },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  const waiting = new Set<(entry: LogEntry) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    chunks.push(`${line}\n`);
    if (line.startsWith('{')) for (const notify of waiting) notify(JSON.parse(line) as LogEntry);
  });
  const waitForLog = (message: string) =>
    new Promise<LogEntry>((done, fail) => {
      child.once('exit', (code) => fail(new Error(`The daemon exited with ${code}: ${chunks.join('')}`)));
      waiting.add((entry) => {
        if (entry.msg === message) done(entry);
      });
    });
  const { port } = await waitForLog('serving');
  const exited = once(child, 'exit') as Promise<[number | null]>;
  return {
    url: `http://127.0.0.1:${port}`,
    child,
    get output() {
      return chunks.join('');
    },
    waitForLog: async (message) => void (await waitForLog(message)),
    async stop() {
      child.kill('SIGTERM');
      return (await exited)[0];
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Runs a command of the built program and waits for its exit. */
export async function runCommand(
  args: readonly string[],
  options: { input?: string; cwd?: string } = {},
): Promise<{ code: number; out: string; err: string }> {
  const child = spawn(process.execPath, [builtProgram, ...args], {
    cwd: options.cwd,
    env: { ...process.env, TAPSTER_DATABASE: '', TAPSTER_PORT: '', NOTIFY_SOCKET: '' },
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk;
  });
  child.stdin.end(options.input ?? '');
  const [code] = (await once(child, 'close')) as [number];
  return { code, out, err };
}

/** Adds the staff account `name` with the password “a good long password”; returns an API key of it. */
export async function createStaffKey(
  bar: BarFolder,
  name: string,
  role: 'staff' | 'superuser' = 'staff',
): Promise<string> {
  const config = ['--config', bar.configFile];
  await runCommand(['user', 'add', name, `--${role}`, '--password-stdin', ...config], {
    input: 'a good long password\n',
  });
  return (await runCommand(['key', 'create', name, ...config])).out.trim();
}

/** Logs in and enters the password again; returns the headers of that login. */
export async function logInConfirmed(
  url: string,
  username: string,
  password = 'a good long password',
): Promise<{ readonly Cookie: string }> {
  const post = async (path: string, body: object, headers = {}) => {
    const reply = await fetch(`${url}/api/auth/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(await reply.text());
    return reply;
  };
  const { headers } = await post('login', { username, password });
  const cookie = headers.getSetCookie().map((one) => one.split(';')[0]!);
  const login = { Cookie: cookie.join('; ') };
  await post('confirm-password', { current_password: password }, login);
  return login;
}

/** Lets the kegs of a running bar be on their taps since a month: they were entered now, and tests add the drinks of days before. */
export function tapKegsAMonthAgo({ database }: Pick<BarFolder, 'database'>): void {
  const db = new Sqlite(database);
  db.prepare(`UPDATE keg_spans SET start_ms = start_ms - 30 * 86400000, start_boot = ''`).run();
  db.close();
}
