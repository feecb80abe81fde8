import { strict as assert } from 'node:assert';
import { readdirSync } from 'node:fs';
import { bar } from '../bar.mjs';
import { test } from '../harness.mjs';
import { buildHouse } from '../house.mjs';
import { pulses, taps } from '../pins.mjs';

test('onoff adds the chip’s base to the line and counts a slow pour', async () => {
  assert.ok(taps.base > 0, 'a base of 0 would prove nothing');
  const house = buildHouse(bar({ lines: [3, 9], driver: 'onoff' }));
  const daemon = house.start();
  await daemon.healthy();
  assert.ok(readdirSync('/sys/class/gpio').includes(`gpio${taps.base + 9}`));
  await pulses({ lines: [9], hz: 20, count: 60 }).done;
  const drinks = await daemon.drinks(1);
  assert.deepEqual(
    drinks.map(({ ticks }) => ticks),
    [60],
  );
  await daemon.end('SIGTERM');
  assert.ok(!readdirSync('/sys/class/gpio').includes(`gpio${taps.base + 9}`), 'the line was given back');
});
