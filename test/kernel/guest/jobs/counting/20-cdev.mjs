// Runs the daemon once with the character device: its main loop is blocked most of the time, one of its lines
// belongs to another program, and another chip has pulses as well. The tests check the results.
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { createConfig } from '../../config.mjs';
import { once, test } from '../../harness.mjs';
import { createInstance } from '../../instance.mjs';
import { holdLine, level, pull, pulses, spare, taps } from '../../pins.mjs';

const lines = [0, 1, 2, 3, 4, 5, 6, 7];
const count = 1_600;
/** The taps start this long after each other: pours that start and stop within 20 ms are held as noise. */
const staggerMs = 70;
/** As in stall.cjs. */
const stallMs = 200;

const stallsSoFar = () => Number(readFileSync('/run/stalls', 'latin1'));

const runBar = once(async () => {
  await holdLine(taps, 12, 'keg-cooler');
  // Pulled to the opposite level: the measured levels are those the daemon drives.
  pull(taps, 10, 'pull-up');
  pull(taps, 11, 'pull-down');
  const instance = createInstance(
    createConfig({
      lines: [...lines, 12],
      toggles: [
        { port: 'relay0', pin: 10 },
        { port: 'relay1', pin: 11, active_low: true },
      ],
    }),
  );
  const daemon = instance.start({ preload: '/kernel/stall.cjs' });
  await daemon.serving();
  const relays = [level(taps, 10), level(taps, 11)];
  const otherChip = pulses({ on: spare, lines: [0, 1], hz: 110, count: 200 });
  const before = stallsSoFar();
  const sent = await pulses({ lines, hz: 400, count, staggerMs }).done;
  const stalls = stallsSoFar() - before;
  await otherChip.done;
  const listed = await daemon.drinks(lines.length);
  const health = await daemon.get('/healthz');
  const exit = await daemon.end('SIGTERM');
  const rows = instance.rows(
    'SELECT meter, ticks, ticks_lost, rejected_edges, is_valid, recovered FROM drinks ORDER BY meter',
  );
  return { sent, stalls, relays, listed, health, exit, rows, log: daemon.log() };
});

test('the character device finds the chip of the taps by its label among two', async () => {
  const { log, listed } = await runBar();
  assert.match(log, new RegExp(`cdev: ${taps.device} \\(taps\\)`));
  assert.equal(listed.length, lines.length);
});

test('eight pours at 400 Hz lose no tick while the main loop is blocked for up to 200 ms in every 250', async () => {
  const { sent, stalls, rows } = await runBar();
  assert.ok(sent.hz > 390, `the meters ran only at ${sent.hz} Hz`);
  // An emulated processor is late: of 250 ms the loop may be blocked less than 200, but not less than half.
  const blockedShare = (stalls * stallMs) / ((count / sent.hz) * 1_000 + (lines.length - 1) * staggerMs);
  assert.ok(blockedShare >= 0.5, `the loop was blocked only ${stalls} times`);
  const expected = { ticks: count, ticks_lost: 0, rejected_edges: 0, is_valid: 1, recovered: 0 };
  assert.deepEqual(
    rows,
    lines.map((line) => ({ meter: `pi.flow${line}`, ...expected })),
  );
  return `${lines.length * count} ticks at ${sent.hz} Hz, blocked for ${Math.round(100 * blockedShare)} % of the time`;
});

test('the API lists the drinks with their ticks and volume', async () => {
  const { listed } = await runBar();
  for (const { ticks, volume_ml } of listed) {
    assert.equal(ticks, count);
    assert.ok(Math.abs(volume_ml - count / 5.4) < 0.01, `${volume_ml} mL`);
  }
});

test('a line in use by another program is reported with its owner, and the other taps count', async () => {
  const { log, health, rows } = await runBar();
  assert.match(log, /keg-cooler/);
  assert.match(JSON.stringify(health.body), /keg-cooler/);
  assert.equal(rows.length, lines.length);
});

test('relays are off, at either level, as soon as the daemon has requested them', async () => {
  assert.deepEqual((await runBar()).relays, [0, 1]);
});

test('the daemon exits with 0 after SIGTERM', async () => {
  assert.deepEqual((await runBar()).exit, { code: 0, signal: null });
});
