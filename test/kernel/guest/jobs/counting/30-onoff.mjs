import { strict as assert } from 'node:assert';
import { readdirSync } from 'node:fs';
import { createConfig } from '../../config.mjs';
import { once, test } from '../../harness.mjs';
import { createInstance } from '../../instance.mjs';
import { pulses, taps } from '../../pins.mjs';

const slow = 40;
const quick = 500;
const exported = () => readdirSync('/sys/class/gpio').includes(`gpio${taps.base + 9}`);

const runBar = once(async () => {
  const instance = createInstance(createConfig({ lines: [3, 9], driver: 'onoff' }));
  const daemon = instance.start();
  await daemon.healthy();
  const hadLine = exported();
  await pulses({ lines: [9], hz: 10, count: slow }).done;
  await daemon.drinks(1);
  await pulses({ lines: [9], hz: 500, count: quick }).done;
  await daemon.drinks(2);
  await daemon.end('SIGTERM');
  const rows = instance.rows('SELECT meter, ticks, ticks_lost, rejected_edges FROM drinks ORDER BY id');
  return { hadLine, hasLine: exported(), rows };
});

test('onoff adds the chip’s base to the line and counts a slow pour', async () => {
  assert.ok(taps.base > 0, 'a base of 0 would prove nothing');
  const { hadLine, hasLine, rows } = await runBar();
  assert.ok(hadLine, 'the line was exported');
  assert.ok(!hasLine, 'the line was released');
  assert.equal(rows[0].meter, 'pi.flow9');
  // At 10 Hz only a stall of 100 ms loses a tick, and the first pour may cause one.
  assert.ok(rows[0].ticks >= slow - 2, `${rows[0].ticks} of ${slow} ticks`);
});

test('ticks that onoff loses are recorded with the drink', async () => {
  const { rows } = await runBar();
  assert.deepEqual(
    rows.map(({ ticks, ticks_lost, rejected_edges }) => ticks + ticks_lost + rejected_edges),
    [slow, quick],
  );
  return rows.map((row) => `${row.ticks} counted, ${row.ticks_lost} lost`).join('; ');
});
