import { strict as assert } from 'node:assert';
import { bar } from '../bar.mjs';
import { test } from '../harness.mjs';
import { buildHouse } from '../house.mjs';
import { pulses } from '../pins.mjs';

const lines = [0, 1, 2, 3, 4, 5, 6, 7];

test('eight pours at 400 Hz lose no tick while the main loop stands still for 200 ms in every 250', async () => {
  const house = buildHouse(bar({ lines }));
  const daemon = house.start({ preload: '/kernel/stall.cjs' });
  await daemon.healthy();
  // Taps are opened 70 ms after one another: eight that start and stop in the same 20 ms are held as noise.
  const run = pulses({ lines, hz: 400, count: 1_600, staggerMs: 70 });
  const sent = await run.done;
  assert.ok(sent.hz > 390, `the meters ran at ${sent.hz} Hz only`);
  await daemon.drinks(lines.length);
  const drinks = house.rows(
    'SELECT meter, ticks, ticks_lost, is_valid, recovered FROM drinks ORDER BY meter',
  );
  assert.deepEqual(
    drinks,
    lines.map((line) => ({
      meter: `pi.flow${line}`,
      ticks: 1_600,
      ticks_lost: 0,
      is_valid: 1,
      recovered: 0,
    })),
  );
});
