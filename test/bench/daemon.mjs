import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
/** The built program. */
export const mainFile = join(root, 'dist/main.js');
/** Node's flags of `npm start` and of the systemd unit, so that the measured daemon is the one that people run. */
const nodeFlags = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts.start.match(/--\S+/g);
/** How the systemd unit lets the C library allocate. */
const unit = readFileSync(join(root, 'systemd/tapster.service'), 'utf8');
const allocation = Object.fromEntries(
  [...unit.matchAll(/^Environment=(MALLOC_\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]),
);

/**
 * Runs `work` with a new folder on a real disk and removes the folder. `/tmp` is in memory on many machines, so the
 * folder is created in the project's `var/`; `$BENCH_DIRECTORY` selects another disk.
 */
export async function withFolder(work) {
  const parent = process.env.BENCH_DIRECTORY || join(root, 'var');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Writes the configuration of a simulated bar with `taps` taps and kegs; returns its path.
 * @param {string} folder
 * @param {number} taps at most 16
 * @param {{ticksPerMl?: number, extraConfig?: object}} [options] resolution of the meters, and further settings
 */
export function writeConfig(folder, taps, { ticksPerMl = 5.4, extraConfig = {} } = {}) {
  const ports = Array.from({ length: taps }, (_, i) => `flow${i}`);
  const path = join(folder, 'tapster.json');
  const config = {
    database: join(folder, 'tapster.db'),
    http: { host: '127.0.0.1', port: 0, rate_limits: false },
    gpio: { driver: 'simulated' },
    meters: ports.map((port, i) => ({ port, pin: i + 2, ticks_per_ml: ticksPerMl })),
    taps: ports.map((port, i) => ({ name: `Tap ${i + 1}`, meter: port })),
    onewire: { directory: join(folder, 'no-sensors') },
    demo: { kegs: true },
    ...extraConfig,
  };
  writeFileSync(path, JSON.stringify(config));
  return path;
}

/** Adds the staff account `anna` to the database of a daemon that is not running; returns an API key of it. */
export function createStaffKey(configPath) {
  const tapster = (...args) =>
    execFileSync(process.execPath, [mainFile, ...args, '--config', configPath], {
      encoding: 'utf8',
      input: 'a good password',
      env: { PATH: process.env.PATH },
    });
  tapster('user', 'add', 'anna', '--staff', '--password-stdin');
  return tapster('key', 'create', 'anna').trim();
}

/**
 * Starts the built daemon and waits until it serves HTTP. `countingMs` is the time from spawning to the log line
 * "counting", `sinceStartMs` the daemon's own measurement in that line.
 * @param {string} configPath
 */
export async function startDaemon(configPath) {
  const spawnedAt = performance.now();
  const child = spawn(process.execPath, [...nodeFlags, mainFile, '--config', configPath], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // Its first start makes certificates in a child process, which would disturb the measurements.
    env: { PATH: process.env.PATH, TAPSTER_HTTPS: 'off', ...allocation },
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  let countingMs = Number.NaN;
  let sinceStartMs = Number.NaN;
  const port = await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The daemon exited with ${code} before it served HTTP.`)));
    createInterface(child.stdout).on('line', (text) => {
      const line = text.startsWith('{') ? JSON.parse(text) : {};
      if (line.msg === 'counting') {
        countingMs = performance.now() - spawnedAt;
        sinceStartMs = line.sinceStartMs;
      }
      if (line.msg === 'serving') resolve(line.port);
    });
  });
  return {
    pid: child.pid,
    url: `http://127.0.0.1:${port}`,
    countingMs,
    sinceStartMs,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/**
 * Generates pulses on a simulated meter.
 * @param {string} url of the daemon
 * @param {{meter: string, ticks: number, hz: number}} pulses
 */
export async function pulse(url, pulses) {
  const answer = await fetch(`${url}/api/simulator/pulses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(pulses),
  });
  if (answer.status !== 202)
    throw new Error(`The simulator replied ${answer.status}: ${await answer.text()}`);
  await answer.body?.cancel();
}
