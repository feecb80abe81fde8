// The daemon is killed while two taps run. One stops at that moment, the other continues after the restart.
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConfig } from '../../config.mjs';
import { once, test } from '../../harness.mjs';
import { createInstance } from '../../instance.mjs';
import { pulses } from '../../pins.mjs';

const hz = 200;
// Ticks that may be missing: one checkpoint interval of a second, and what was drained in the 50 ms before
// the kill.
const maxMissing = hz * 1.1;
const rest = 250;

const killInMidPour = once(async () => {
  const settings = createConfig({ lines: [3, 4] });
  // A long idle time for the second tap: a start takes many seconds in this machine.
  settings.taps[1].idle_ms = 100_000;
  const instance = createInstance(settings);
  const first = instance.start();
  await first.healthy();
  // Not a whole number of periods: edges that always fall together are crosstalk.
  const run = pulses({ lines: [3, 4], hz, count: 100_000, staggerMs: 102 });
  await sleep(3_600);
  await first.end('SIGKILL');
  await run.stop();
  const [shut, running] = run.sent();

  const second = instance.start();
  await second.healthy();
  await pulses({ lines: [4], hz, count: rest }).done;
  await second.drinks(1);
  await second.end('SIGTERM');
  return {
    sent: { 'pi.flow3': shut, 'pi.flow4': running + rest },
    drinks: instance.rows('SELECT meter, ticks, recovered, is_valid FROM drinks ORDER BY meter'),
    totals: instance.rows('SELECT port_name, ticks_total FROM flow_meters ORDER BY port_name'),
  };
});

const drinkOf = async (meter) => {
  const { sent, drinks } = await killInMidPour();
  const [drink, ...more] = drinks.filter((one) => one.meter === meter);
  assert.deepEqual(more, [], 'one pour is one drink');
  assert.ok(drink, `no drink of ${meter}`);
  assert.ok(
    drink.ticks <= sent[meter] && drink.ticks >= sent[meter] - maxMissing,
    `${drink.ticks} of ${sent[meter]} ticks`,
  );
  return { drink, note: `${sent[meter] - drink.ticks} of ${sent[meter]} ticks missing` };
};

test('a pour interrupted by kill -9 is recovered, with at most one checkpoint interval missing', async () => {
  const { drink, note } = await drinkOf('pi.flow3');
  assert.deepEqual([drink.recovered, drink.is_valid], [1, 1]);
  return note;
});

test('a pour that still runs after the restart continues as the same drink', async () => {
  const { drink, note } = await drinkOf('pi.flow4');
  assert.equal(drink.is_valid, 1);
  assert.ok(drink.ticks > rest, 'both parts are included');
  return note;
});

test('after kill -9 the meters’ totals are the sums of their drinks', async () => {
  const { drinks, totals } = await killInMidPour();
  assert.deepEqual(
    totals.map(({ port_name, ticks_total }) => [`pi.${port_name}`, ticks_total]),
    drinks.map(({ meter, ticks }) => [meter, ticks]),
  );
});
