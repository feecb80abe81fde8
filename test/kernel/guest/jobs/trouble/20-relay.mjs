// Relays are off when the daemon that opened them has died or hangs.
import { strict as assert } from 'node:assert';
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { readMachineIdentity } from '/tapster/dist/system/machine-identity.js';
import { onTestEnd, test } from '../../harness.mjs';
import { until } from '../../instance.mjs';
import { level, pull, taps } from '../../pins.mjs';

// As on relay boards: a resistor keeps the input at its off level when no program drives it.
const off = [0, 1];
const on = [1, 0];
const restingBoard = () => {
  pull(taps, 10, 'pull-down');
  pull(taps, 11, 'pull-up');
};
const levels = () => [level(taps, 10), level(taps, 11)];

/** Starts a process that opens both relays and then behaves as given. */
async function openRelays(behaviour) {
  restingBoard();
  const child = spawn(process.execPath, ['/kernel/relay-process.mjs', behaviour], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestEnd(() => child.kill('SIGKILL'));
  const exited = new Promise((resolve) => child.once('exit', resolve));
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    exited.then((code) => reject(new Error(`The relays were not opened; the process exited with ${code}.`)));
  });
  return { kill: () => child.kill('SIGKILL'), exited };
}

test('an open relay is released when its process is killed', async () => {
  const child = await openRelays('live');
  assert.deepEqual(levels(), on);
  child.kill();
  await child.exited;
  assert.deepEqual(levels(), off);
});

test('an open relay is shut when its process exits without closing it', async () => {
  const child = await openRelays('exit');
  await child.exited;
  assert.deepEqual(levels(), off);
});

test('an open relay is shut while the main loop is blocked', async () => {
  await openRelays('stuck');
  assert.deepEqual(levels(), on);
  const startMs = performance.now();
  await until('shut relays', () => levels().join() === off.join(), 10_000);
  assert.ok(performance.now() - startMs < 3_000, 'two seconds without heartbeats are enough');
});

test('the stop program switches relays of a killed process off, on lines that stay on', async () => {
  const list = '/run/relays.json';
  const relays = [
    { name: 'pi.relay0', chip: 'taps', pin: 10, off_level: 'low' },
    { name: 'pi.relay1', chip: 'taps', pin: 11, off_level: 'high' },
  ];
  writeFileSync(list, JSON.stringify({ version: 1, machine: readMachineIdentity().createMark(), relays }));
  const child = await openRelays('live');
  // A Pi's kernel keeps the level of a released output; here the pull resistor does.
  pull(taps, 10, 'pull-up');
  pull(taps, 11, 'pull-down');
  child.kill();
  await child.exited;
  assert.deepEqual(levels(), on);
  const startMs = performance.now();
  const program = '/tapster/dist/devices/relays-off/relays-off.js';
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, list], { encoding: 'utf8' });
  const tookMs = performance.now() - startMs;
  assert.equal(status, 0, stderr);
  assert.match(stdout, /these relays are off: pi\.relay0, pi\.relay1\./);
  assert.deepEqual(levels(), off);
  return `${Math.round(tookMs)} ms`;
});
