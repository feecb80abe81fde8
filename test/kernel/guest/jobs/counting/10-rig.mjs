// The test rig itself, on which the results of the other jobs depend.
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { test } from '../../harness.mjs';
import { holdLine, level, pulses, spare, taps } from '../../pins.mjs';

test('the machine has two GPIO chips, and the taps are not on the first', () => {
  assert.notEqual(taps.name, spare.name);
  assert.equal(spare.name, 'gpiochip0');
});

test('a simulated meter pulls its line low and releases it', async () => {
  const run = pulses({ lines: [3, 4], hz: 50, count: 10, staggerMs: 100 });
  const result = await run.done;
  assert.equal(result.pulses, 10);
  assert.deepEqual(run.sent(), [10, 10]);
  assert.equal(level(taps, 3), 1);
});

test('another program’s line is in the kernel’s list with its name', async () => {
  await holdLine(taps, 5, 'keg-cooler');
  assert.match(readFileSync('/sys/kernel/debug/gpio', 'latin1'), /keg-cooler/);
});
