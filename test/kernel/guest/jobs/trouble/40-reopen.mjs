// Lines that are taken or whose chip is missing are opened again while the daemon runs.
import { strict as assert } from 'node:assert';
import { createConfig } from '../../config.mjs';
import { once, test } from '../../harness.mjs';
import { createInstance, until } from '../../instance.mjs';
import { holdLine, pulses, removableChip, taps } from '../../pins.mjs';

const hz = 200;
/** Of a tap that pours beside another one: two wheels never turn equally fast, and edges that always fall together are crosstalk. */
const otherHz = 170;
const drinkRows = 'SELECT meter, ticks, ticks_lost FROM drinks ORDER BY id';

/** One line is taken at the start and released while the other one pours. */
const releaseInMidPour = once(async () => {
  const release = await holdLine(taps, 6, 'keg-cooler');
  const instance = createInstance(createConfig({ lines: [6, 7], idleMs: 3_000 }));
  const daemon = instance.start();
  await daemon.serving();
  const running = pulses({ lines: [7], hz: otherHz, count: 100_000 });
  const { body } = await daemon.get('/healthz');
  release();
  await daemon.healthy();
  // Losses of a pour that runs when its line is opened are unknown: this one begins later.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await pulses({ lines: [6], hz, count: 250 }).done;
  await running.stop();
  const [sent] = running.sent();
  await daemon.drinks(2);
  await daemon.end('SIGTERM');
  return { problem: JSON.stringify(body), sent, drinks: instance.rows(drinkRows) };
});

test('a line that is taken at the start counts as soon as it is released, without a restart', async () => {
  const { problem, drinks } = await releaseInMidPour();
  assert.match(problem, /keg-cooler/);
  assert.deepEqual(
    drinks.filter(({ meter }) => meter === 'pi.flow6'),
    [{ meter: 'pi.flow6', ticks: 250, ticks_lost: 0 }],
  );
});

test('opening a line that was taken at the start costs a running pour at another tap no tick', async () => {
  const { sent, drinks } = await releaseInMidPour();
  assert.deepEqual(
    drinks.filter(({ meter }) => meter === 'pi.flow7'),
    [{ meter: 'pi.flow7', ticks: sent, ticks_lost: 0 }],
  );
});

test('a chip that is missing at the start, and removed later, is opened again when it returns', async () => {
  const chip = removableChip('extra', 4);
  const settings = createConfig({ lines: [2] });
  settings.gpio.chip = 'extra';
  const instance = createInstance(settings);
  const daemon = instance.start();
  await daemon.serving();
  assert.equal((await daemon.get('/healthz')).status, 503);
  for (const [added, count] of [300, 260].entries()) {
    const on = chip.add();
    await daemon.healthy();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await pulses({ on, lines: [2], hz, count }).done;
    await daemon.drinks(added + 1);
    chip.remove();
    await daemon.unhealthy();
  }
  await daemon.end('SIGTERM');
  assert.deepEqual(
    instance.rows(drinkRows),
    [300, 260].map((ticks) => ({ meter: 'pi.flow2', ticks, ticks_lost: 0 })),
  );
});

test('after its pin thread died in mid-pour the daemon counts on, and says that the losses are unknown', async () => {
  const instance = createInstance(createConfig({ lines: [1], idleMs: 20_000 }));
  const daemon = instance.start({ preload: '/kernel/kill-thread.cjs' });
  await daemon.healthy();
  const running = pulses({ lines: [1], hz, count: 100_000 });
  await until('running pour', () => running.sent()[0] > 200);
  process.kill(daemon.pid, 'SIGUSR2');
  await until('opened line', () => daemon.log().includes('GPIO lines were opened'));
  const sentBefore = running.sent()[0];
  await until('further ticks', () => running.sent()[0] > sentBefore + 200);
  await running.stop();
  const [sent] = running.sent();
  await daemon.end('SIGTERM');
  const [drink, ...more] = instance.rows(drinkRows);
  assert.deepEqual([more, drink.ticks_lost], [[], null]);
  assert.ok(drink.ticks > 350 && drink.ticks < sent, `${drink.ticks} of ${sent}`);
  return `${drink.ticks} of ${sent} ticks`;
});
