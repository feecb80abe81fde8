import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { bar } from '../bar.mjs';
import { test } from '../harness.mjs';
import { buildHouse } from '../house.mjs';
import { pulses } from '../pins.mjs';

const hz = 200;
// One checkpoint a second, and what was drained in the 50 ms before the kill.
const mayMiss = hz * 1.1;

/** Pours for a while, kills the daemon in the middle and tells what had been sent by then. */
async function killedInMidPour(house) {
  const daemon = house.start();
  await daemon.healthy();
  const run = pulses({ lines: [3], hz, count: 100_000 });
  await sleep(3_600);
  const [sent] = run.sent();
  await daemon.end('SIGKILL');
  await run.stop();
  return sent;
}

const drinksOf = (house) => house.rows('SELECT ticks, recovered, is_valid FROM drinks');
const totalOf = (house) =>
  house.rows("SELECT ticks_total FROM flow_meters WHERE port_name = 'flow3'")[0].ticks_total;

test('a pour cut off by kill -9 is finished as recovered, with at most one checkpoint missing', async () => {
  const house = buildHouse(bar({ lines: [3, 4] }));
  const sent = await killedInMidPour(house);
  await sleep(1_500);
  const again = house.start();
  await again.healthy();
  await again.drinks(1);
  const [drink, ...more] = drinksOf(house);
  assert.deepEqual(more, []);
  assert.ok(drink.ticks <= sent && drink.ticks >= sent - mayMiss, `${drink.ticks} of ${sent} ticks`);
  assert.deepEqual([drink.recovered, drink.is_valid], [1, 1]);
  assert.equal(totalOf(house), drink.ticks);
});

test('a pour that still runs when the daemon is back goes on as the same drink', async () => {
  const house = buildHouse(bar({ lines: [3, 4], idleMs: 20_000 }));
  const before = await killedInMidPour(house);
  const again = house.start();
  await again.healthy();
  const rest = 250;
  await pulses({ lines: [3], hz, count: rest }).done;
  await again.drinks(1);
  const [drink, ...more] = drinksOf(house);
  assert.deepEqual(more, []);
  const sent = before + rest;
  assert.ok(drink.ticks <= sent && drink.ticks >= sent - mayMiss, `${drink.ticks} of ${sent} ticks`);
  assert.equal(totalOf(house), drink.ticks);
  // Once more, to see that nothing is left to recover and nothing is told twice.
  await again.end('SIGTERM');
  const third = house.start();
  await third.healthy();
  assert.equal(drinksOf(house).length, 1);
  assert.equal(totalOf(house), drink.ticks);
}, 90_000);
