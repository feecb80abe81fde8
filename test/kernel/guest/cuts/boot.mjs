// In the guest: node cuts/boot.mjs cut|last SEED. One boot of a machine whose power may be cut at any moment.
// The database is on a separate disk. Pours and answers are reported to the host line by line, since nothing
// else survives the cut, as is the moment to cut. The last boot only recovers what is left and stops
// normally.
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConfig } from '../config.mjs';
import { pulses } from '../pins.mjs';

const [kind, seed] = process.argv.slice(2);
const port = 8080;
const lines = [0, 1, 2, 3];
const hz = 110;
const key = readFileSync('/mnt/key.txt', 'utf8');
const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();

const report = (line) => appendFileSync('/mnt/reports.jsonl', `${JSON.stringify(line)}\n`);
const random = seeded(Number(seed));
// One boot in five is cut while the daemon may still be recovering from the cut before.
const isEarly = random() < 0.2;
/** Time of pouring, or since the boot, before the cut, milliseconds of guest time. */
const untilCutMs = random() * (isEarly ? 8_000 : 7_000);

// As Raspberry Pi OS mounts its card.
mkdirSync('/disk');
const mounted = spawnSync('mount', ['-t', 'ext4', '-o', 'noatime', '/dev/vda', '/disk'], {
  encoding: 'utf8',
});
if (mounted.status !== 0) report({ kind: 'fault', what: `The disk cannot be mounted: ${mounted.stderr}` });
// With a write-through cache the kernel never requests a flush, and the cuts would prove nothing.
const writeCache = readFileSync('/sys/block/vda/queue/write_cache', 'latin1').trim();
if (writeCache !== 'write back') report({ kind: 'fault', what: `The disk's cache is "${writeCache}".` });
report({ kind: 'start', bootId });
if (kind === 'cut' && isEarly) setTimeout(() => report({ kind: 'cut' }), untilCutMs);

const settings = { ...createConfig({ lines }), http: { host: '127.0.0.1', port, rate_limits: false } };
writeFileSync('/run/tapster.json', JSON.stringify({ database: '/disk/tapster/tapster.db', ...settings }));
const daemon = spawn(process.execPath, ['/tapster/dist/main.js', '--config', '/run/tapster.json'], {
  stdio: ['ignore', 'pipe', 'pipe'],
});
let log = '';
const isServing = new Promise((resolve) => {
  for (const stream of [daemon.stdout, daemon.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      log += text;
      if (log.includes('"msg":"serving"')) resolve();
    });
  }
});
const exited = new Promise((resolve) => daemon.once('close', resolve));
exited.then((code) => {
  if (kind === 'cut') report({ kind: 'fault', what: `The daemon exited with ${code}: ${log.slice(-2_000)}` });
});
await isServing;
report({ kind: 'serving' });

if (kind === 'last') {
  daemon.kill('SIGTERM');
  const code = await exited;
  spawnSync('umount', ['/disk']);
  report({ kind: 'end', code });
} else {
  for (const line of lines) void drawPours(line);
  void post();
  await sleep(untilCutMs);
  report({ kind: 'cut' });
  // The host cuts the power now; the limit ends the machine if it does not.
  await sleep(60_000);
}

/** Draws pours at one tap, one after the other; each drink is identified by its ticks among the new ones. */
async function drawPours(line) {
  await sleep(80 * line);
  for (;;) {
    const [before] = (await ask(`/api/drinks?tap=pi.flow${line}&limit=1`)).result.drinks;
    const ticks = 30 + Math.floor(random() * 400);
    const pour = randomUUID();
    report({ kind: 'pour', pour, bootId, meter: `pi.flow${line}`, ticks, hz });
    const run = pulses({ lines: [line], hz, count: ticks });
    let sent = 0;
    const timer = setInterval(() => {
      const now = run.sent()[0];
      if (now > sent) report({ kind: 'sent', pour, ticks: now });
      sent = now;
    }, 100);
    await run.done;
    clearInterval(timer);
    report({ kind: 'sent', pour, ticks });
    await sleep(1_000);
    for (;;) {
      const { result } = await ask(`/api/drinks?tap=pi.flow${line}`);
      const drink = result.drinks.find((one) => one.ticks === ticks && one.id > (before?.id ?? 0));
      if (drink) {
        report({ kind: 'stored', pour, id: drink.id });
        break;
      }
      await sleep(200);
    }
    await sleep(100 + random() * 300);
  }
}

/** A controller that posts its pours to the legacy API. */
async function post() {
  for (let n = 0; ; n++) {
    const pourId = randomUUID();
    const { object } = await ask(`/api/v1/taps/pi.flow${n % lines.length}`, { ticks: 20, pour_id: pourId });
    report({ kind: 'posted', pourId, id: Number(object.id) });
    await sleep(200);
  }
}

function ask(path, body) {
  return new Promise((resolve, reject) => {
    const headers = { 'X-Kegbot-Api-Key': key, 'Content-Type': 'application/json' };
    http
      .request({ host: '127.0.0.1', port, path, method: body ? 'POST' : 'GET', headers }, (reply) => {
        let text = '';
        reply.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        reply.on('end', () => {
          if (reply.statusCode === 200) resolve(JSON.parse(text));
          else reject(new Error(`${path} was answered ${reply.statusCode}: ${text}`));
        });
      })
      .on('error', reject)
      .end(body && JSON.stringify(body));
  });
}

/** A random number generator with a seed. */
function seeded(start) {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
