import { strict as assert } from 'node:assert';
import { bar } from '../bar.mjs';
import { test } from '../harness.mjs';
import { buildHouse } from '../house.mjs';
import { pulses, spare } from '../pins.mjs';

test('the character device finds the chip of the taps by its label, among two', async () => {
  const house = buildHouse(bar({ lines: [2, 3] }));
  const daemon = house.start();
  await daemon.healthy();
  const elsewhere = pulses({ on: spare, lines: [3], hz: 100, count: 90 });
  await pulses({ lines: [3], hz: 100, count: 60 }).done;
  await elsewhere.done;
  const drinks = await daemon.drinks(1);
  assert.deepEqual(
    drinks.map(({ ticks }) => ticks),
    [60],
  );
  assert.ok(Math.abs(drinks[0].volume_ml - 60 / 5.4) < 0.01, `volume ${drinks[0].volume_ml}`);
  assert.deepEqual(await daemon.end('SIGTERM'), { code: 0, signal: null });
});
