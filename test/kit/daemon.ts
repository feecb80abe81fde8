import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** What the service gives Node.js beside the program, so that a house under test is the house in the bar. */
const nodeFlags =
  /^ExecStart=\S+ node (.*) \S+main\.js run$/m
    .exec(readFileSync(new URL('../../systemd/tapster.service', import.meta.url), 'utf8'))?.[1]
    ?.split(' ') ?? [];

/** A folder for one bar: configuration, database, journal. */
export interface BarFolder {
  readonly path: string;
  readonly database: string;
  readonly configFile: string;
  remove(): void;
}

/** Two simulated taps with quick idle times, so that a test pours in a second. */
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
  pour: { idle_ms: 1_200 },
  demo: { kegs: true },
};

/** Makes a bar's folder with its configuration file. */
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

/** The built daemon, running as a process of its own. */
export interface RunningDaemon {
  readonly url: string;
  readonly child: ChildProcess;
  /** Everything it has printed so far. */
  readonly output: string;
  /** Resolves when the daemon next logs this message: asked before what causes it. */
  waitForLog(message: string): Promise<void>;
  /** Asks politely; gives the exit code. */
  stop(): Promise<number | null>;
  /** Pulls the plug. */
  kill(): Promise<void>;
}

interface LogEntry {
  readonly msg: string;
  readonly port?: number;
}

/** Starts the built daemon on a bar's folder and waits until it serves. Rejects with its words when it does not. */
export async function startDaemon(bar: BarFolder): Promise<RunningDaemon> {
  const child = spawn(process.execPath, [...nodeFlags, main, 'run', '--config', bar.configFile], {
    cwd: bar.path,
    env: { ...process.env, TAPSTER_DATABASE: '', TAPSTER_PORT: '', NOTIFY_SOCKET: '' },
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
      child.once('exit', (code) => fail(new Error(`The daemon left with ${code}: ${chunks.join('')}`)));
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

/** Runs a command of the built program to its end. */
export async function runCommand(
  args: readonly string[],
  options: { input?: string; cwd?: string } = {},
): Promise<{ code: number; out: string; err: string }> {
  const child = spawn(process.execPath, [main, ...args], {
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
