import { strict as assert } from 'node:assert';
import { bar } from '../bar.mjs';
import { test } from '../harness.mjs';
import { buildHouse } from '../house.mjs';
import { holdLine, pulses, taps } from '../pins.mjs';

test('a line that another program has taken is reported by its owner’s name, and the other taps count', async () => {
  await holdLine(taps, 5, 'keg-cooler');
  const house = buildHouse(bar({ lines: [4, 5, 6] }));
  const daemon = house.start();
  await daemon.serving();
  assert.match(daemon.log(), /keg-cooler/);
  await pulses({ lines: [4, 6], hz: 200, count: 100, staggerMs: 150 }).done;
  await daemon.drinks(2);
  assert.deepEqual(house.rows('SELECT meter, ticks, ticks_lost FROM drinks ORDER BY meter'), [
    { meter: 'pi.flow4', ticks: 100, ticks_lost: 0 },
    { meter: 'pi.flow6', ticks: 100, ticks_lost: 0 },
  ]);
});
