// Meters and relays that are added while the daemon runs, on lines of a real chip.
import { strict as assert } from 'node:assert';
import { createConfig } from '../../config.mjs';
import { once, test } from '../../harness.mjs';
import { createInstance, until } from '../../instance.mjs';
import { holdLine, level, pull, pulses, taps } from '../../pins.mjs';

const hz = 200;
/** Of a tap that pours beside another one: two wheels never turn equally fast, and edges that always fall together are crosstalk. */
const otherHz = 170;

/** One meter of the settings file pours while a meter and a relay are added; then the power fails. */
const addInMidPour = once(async () => {
  await holdLine(taps, 12, 'keg-cooler');
  // Against the level at which the relay is off: the measured level is the one that is driven.
  pull(taps, 11, 'pull-down');
  const instance = createInstance(createConfig({ lines: [6], idleMs: 2_000 }));
  const rows = (meter) =>
    instance.rows(`SELECT ticks, ticks_lost FROM drinks WHERE meter = '${meter}' ORDER BY id`);
  const pour = async (count) => {
    const before = rows('pi.flow7').length;
    await pulses({ lines: [7], hz, count }).done;
    await until('recorded pour', () => rows('pi.flow7').length > before);
  };
  const first = instance.start();
  await first.serving();
  const send = await first.logIn();
  const running = pulses({ lines: [6], hz: otherHz, count: 100_000 });
  const meter = await send('POST', '/hardware/meters', { pin: 7, port: 'flow7', ticks_per_ml: 5.4 });
  const relay = await send('POST', '/hardware/relays', { pin: 11, active_low: true });
  const taken = await send('POST', '/hardware/meters', { pin: 12 });
  // Losses of a pour that runs when its line is opened are unknown: this one begins later.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await pour(250);
  await running.stop();
  const [sent] = running.sent();
  await until('pour of the settings file', () => rows('pi.flow6').length === 1);
  const relayLevel = level(taps, 11);
  await first.end('SIGKILL');
  const second = instance.start();
  await second.serving();
  const levelAfter = level(taps, 11);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await pour(300);
  await second.end('SIGTERM');
  return {
    meter,
    relay,
    taken,
    sent,
    relayLevel,
    levelAfter,
    fixed: rows('pi.flow6'),
    added: rows('pi.flow7'),
  };
});

test('a meter that is added by the API counts every tick, also after the daemon was killed', async () => {
  const { meter, added } = await addInMidPour();
  assert.equal(meter.status, 201, JSON.stringify(meter.body));
  assert.deepEqual(added, [
    { ticks: 250, ticks_lost: 0 },
    { ticks: 300, ticks_lost: 0 },
  ]);
});

test('adding meters and relays costs a running pour at another tap no tick', async () => {
  const { sent, fixed } = await addInMidPour();
  assert.deepEqual(fixed, [{ ticks: sent, ticks_lost: 0 }]);
});

test('a relay that is added is driven to its off level, also after the daemon was killed', async () => {
  const { relay, relayLevel, levelAfter } = await addInMidPour();
  assert.equal(relay.status, 201, JSON.stringify(relay.body));
  assert.deepEqual([relayLevel, levelAfter], [1, 1]);
});

test('a line of another program is refused with its owner', async () => {
  const { taken } = await addInMidPour();
  assert.equal(taken.status, 409);
  assert.match(JSON.stringify(taken.body), /line_not_opened.*keg-cooler/);
});
