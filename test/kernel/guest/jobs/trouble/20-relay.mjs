// Relays that open taps: off when nobody is left to shut them.
import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { onTestEnd, test } from '../../harness.mjs';
import { until } from '../../instance.mjs';
import { level, pull, taps } from '../../pins.mjs';

// As on relay boards: a resistor holds the input at its resting level when no program drives it.
const off = [0, 1];
const on = [1, 0];
const restingBoard = () => {
  pull(taps, 10, 'pull-down');
  pull(taps, 11, 'pull-up');
};
const levels = () => [level(taps, 10), level(taps, 11)];

/** A process that has opened both relays, and what becomes of it. */
async function openRelays(behaviour) {
  restingBoard();
  const child = spawn(process.execPath, ['/kernel/relay-hand.mjs', behaviour], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestEnd(() => child.kill('SIGKILL'));
  const left = new Promise((resolve) => child.once('exit', resolve));
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    left.then((code) => reject(new Error(`The relays were never opened; left with ${code}.`)));
  });
  return { kill: () => child.kill('SIGKILL'), left };
}

test('an open relay is let go when its process is killed', async () => {
  const child = await openRelays('live');
  assert.deepEqual(levels(), on);
  child.kill();
  await child.left;
  assert.deepEqual(levels(), off);
});

test('an open relay is shut when its process leaves without closing it', async () => {
  const child = await openRelays('leave');
  await child.left;
  assert.deepEqual(levels(), off);
});

test('an open relay is shut while the main loop is stuck', async () => {
  await openRelays('stuck');
  assert.deepEqual(levels(), on);
  const begun = performance.now();
  await until('shut relays', () => levels().join() === off.join(), 10_000);
  assert.ok(performance.now() - begun < 3_000, 'two seconds of silence are enough');
});
