// node test/packaging/arm64.mjs PACKAGE.deb: runs the arm64 package in an emulated processor (qemu's user mode): the daemon
// starts, is killed during a simulated pour, and its next start has that pour. The emulator and Debian's C library for arm64 are
// unpacked into a cache folder; nothing is installed. Prints one line for each test. Exit code 77: not possible here.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [, , packageFile] = process.argv;
const port = Number(process.env.TAPSTER_PORT ?? 18_640);
const cache = join(
  process.env.TAPSTER_PACKAGE_CACHE ?? join(homedir(), '.cache', 'tapster-package'),
  'arm64-1',
);
const work = mkdtempSync(join(tmpdir(), 'tapster-arm64-'));
const running = new Set();
process.on('exit', () => {
  // A daemon that still writes would hinder the removal, and keep the port.
  for (const child of running) child.kill('SIGKILL');
  rmSync(work, { recursive: true, force: true, maxRetries: 20 });
});

const quiet = { stdio: ['ignore', 'ignore', 'inherit'] };

/** Unpacks the emulator and the libraries that the package depends on. */
function prepare() {
  if (existsSync(cache)) return;
  const folder = `${cache}.new`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'emulator'), { recursive: true });
  const downloads = join(folder, 'emulator');
  execFileSync('apt-get', ['download', '-qq', 'qemu-user-static'], { cwd: downloads, stdio: 'ignore' });
  for (const file of readdirSync(downloads)) execFileSync('dpkg-deb', ['-x', file, '.'], { cwd: downloads });
  const options = [
    '--quiet',
    '--arch=arm64',
    '--variant=extract',
    '--skip=check/qemu',
    '--aptopt=Acquire::Languages "none"',
  ];
  const libraries = '--include=libc6,libstdc++6,libgcc-s1';
  // The oldest supported Debian.
  execFileSync('mmdebstrap', [...options, libraries, 'bookworm', join(folder, 'root')], quiet);
  if (!existsSync(join(folder, 'root/lib'))) symlinkSync('usr/lib', join(folder, 'root/lib'));
  renameSync(folder, cache);
}

try {
  prepare();
} catch (cause) {
  console.log(`arm64: not counted, the emulator or Debian's libraries cannot be fetched: ${cause.message}`);
  process.exit(77);
}

execFileSync('dpkg-deb', ['-x', packageFile, join(work, 'tree')]);
const payload = join(work, 'tree/usr/lib/tapster');
const database = join(work, 'tapster.db');
const settings = join(work, 'tapster.json');
writeFileSync(
  settings,
  JSON.stringify({
    gpio: { driver: 'simulated' },
    meters: [{ port: 'flow0', pin: 17, model: 'swissflow-sf800' }],
    taps: [{ name: 'Left tap', meter: 'flow0' }],
  }),
);
const emulator = [
  join(cache, 'emulator/usr/bin/qemu-aarch64-static'),
  '-L',
  join(cache, 'root'),
  join(payload, 'bin/node'),
];
const env = {
  PATH: process.env.PATH,
  TAPSTER_DATABASE: database,
  TAPSTER_PORT: String(port),
  TAPSTER_HOST: '127.0.0.1',
  TAPSTER_RATE_LIMITS: 'off',
};
const command = (...args) => [
  ...emulator.slice(1),
  join(payload, 'dist/main.js'),
  ...args,
  '--config',
  settings,
];

function run(...args) {
  return spawnSync(emulator[0], command(...args), {
    env,
    encoding: 'utf8',
    timeout: 120_000,
    input: 'hop-garden\n',
  });
}

let log = '';
function start() {
  const child = spawn(emulator[0], command('run'), { env });
  const exited = new Promise((resolve) => child.once('close', resolve));
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      log += text;
    });
  running.add(child);
  return {
    end: (signal) => {
      child.kill(signal);
      return exited;
    },
  };
}

async function until(what, check, limitMs = 180_000) {
  const end = performance.now() + limitMs;
  while (performance.now() < end) {
    const found = await check().catch(() => null);
    if (found) return found;
    await sleep(250);
  }
  throw new Error(`No ${what} within ${limitMs} ms.`);
}

const get = async (path) => {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(20_000) });
  return { status: reply.status, body: await reply.json() };
};
const healthy = () => until('healthy daemon', async () => (await get('/healthz')).status === 200);
const drinks = async () => (await get('/api/drinks')).body.result.drinks;

let failed = 0;
async function test(name, act) {
  if (failed > 0) return;
  const startMs = performance.now();
  try {
    await act();
    console.log(` ✓ ${name} (${Math.round(performance.now() - startMs)} ms)`);
  } catch (error) {
    failed += 1;
    console.log(` ✗ ${name}\n${error.stack}\n${log.slice(-3_000)}`);
  }
}

let daemon;
await test('the arm64 program loads its libraries and makes an account', async () => {
  const { status, stderr } = run('user', 'add', 'staff', '--superuser', '--password-stdin');
  if (status !== 0) throw new Error(stderr);
});
await test('the arm64 daemon starts and answers /healthz', async () => {
  daemon = start();
  await healthy();
});
await test('a simulated pour is a drink', async () => {
  const pour = ['simulate', 'pour', '--meter', 'pi.flow0', '--ml', '330', '--ml-per-second', '100'];
  const isPoured = async () => (await get('/healthz')).body.pours > 0 || (await drinks()).length > 0;
  // The command waits 5 s for an answer; an emulated daemon on a busy machine needs longer the first time.
  for (let tries = 1; ; tries++) {
    const { status, stderr } = run(...pour);
    if (status === 0 || (await isPoured())) break;
    if (tries === 5) throw new Error(stderr);
  }
  const [drink] = await until('drink', async () => (await drinks()).length === 1 && drinks());
  if (Math.abs(drink.volume_ml - 330) > 2) throw new Error(`${drink.volume_ml} mL instead of 330.`);
});
await test('a pour that runs at a kill -9 is a drink after the next start', async () => {
  const pour = command('simulate', 'pour', '--meter', 'pi.flow0', '--ml', '10000', '--ml-per-second', '100');
  const before = readFileSync(`${database}.journal`);
  const pouring = spawn(emulator[0], pour, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  await until('checkpoint', async () => !readFileSync(`${database}.journal`).equals(before), 60_000);
  // The running pour is checkpointed again about once a second.
  await sleep(4_000);
  await daemon.end('SIGKILL');
  pouring.kill('SIGKILL');
  daemon = start();
  await healthy();
  const found = await until('recovered drink', async () => (await drinks()).length === 2 && drinks());
  const recovered = found.find(({ volume_ml }) => Math.abs(volume_ml - 330) > 2);
  if (!(recovered?.volume_ml > 50)) throw new Error(`The drinks are ${JSON.stringify(found).slice(0, 600)}`);
});
await test('SIGTERM ends the arm64 daemon with exit code 0', async () => {
  const code = await daemon.end('SIGTERM');
  if (code !== 0) throw new Error(`It exited with ${code}.`);
});
process.exit(failed === 0 ? 0 : 1);
