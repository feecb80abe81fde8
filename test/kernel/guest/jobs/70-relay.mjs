import { strict as assert } from 'node:assert';
import { bar } from '../bar.mjs';
import { test } from '../harness.mjs';
import { buildHouse } from '../house.mjs';
import { level, taps } from '../pins.mjs';

const toggles = [
  { port: 'relay0', pin: 10 },
  { port: 'relay1', pin: 11, active_low: true },
];

test('relays are off as soon as the daemon has them, whichever level that is', async () => {
  const house = buildHouse(bar({ lines: [3], toggles }));
  const daemon = house.start();
  await daemon.healthy();
  assert.deepEqual([level(taps, 10), level(taps, 11)], [0, 1]);
  assert.deepEqual(await daemon.end('SIGTERM'), { code: 0, signal: null });
});
