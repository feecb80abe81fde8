import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Moment } from '../../../src/core/clock/moment.ts';
import { createEventBus } from '../../../src/core/event-bus.ts';
import { loadConfig } from '../../../src/daemon/load-config.ts';
import { createSimulatedPins } from '../../../src/devices/simulated/simulated-pins.ts';
import { startCounting } from '../../../src/services/counting/counting.ts';
import { createDatabaseLifecycle } from '../../../src/services/database/database-lifecycle.ts';
import { openStore } from '../../../src/store/store.ts';
import { createLog } from '../../../src/system/log/log.ts';
import { fillBar, openingMs } from './filled-bar.ts';

const ticks = 600;
const heartbeatMs = 50;

test('beer that is poured while the backup before an upgrade is made becomes a drink afterwards', async () => {
  const bar = fillBar();
  bar.store.close();
  openStore({ file: bar.database, upgrade: { programVersion: '0.1.0' } }).close();
  const settings = join(bar.home, 'tapster.json');
  writeFileSync(
    settings,
    JSON.stringify({
      database: bar.database,
      gpio: { driver: 'simulated' },
      meters: [{ port: 'flow0', pin: 17, ticks_per_ml: 2 }],
      taps: [{ name: 'Left', meter: 'flow0' }],
    }),
  );
  const { config } = loadConfig({ path: settings, env: {} });
  const { log } = createLog({ level: 'fatal', write: () => {} });
  const bus = createEventBus((fault) => {
    throw fault;
  });
  const reporters = () => () => {};
  let monoMs = 0;
  const clock = {
    now: (): Moment => ({ monoMs, wallMs: openingMs + 3_600_000 + monoMs, synced: true, bootId: 'boot-2' }),
  };
  const database = await createDatabaseLifecycle({
    config,
    settingsFile: settings,
    bus,
    reporters,
    clock: clock as never,
    log,
    onOpen: () => {},
    upgrade: { programVersion: '0.1.1' },
  });
  const pins = createSimulatedPins({
    meters: [{ name: 'pi.flow0', pin: 17 }],
    toggles: [],
    nowMonoMs: () => monoMs,
  });
  const counting = startCounting({
    config,
    isFlowWhileShut: () => false,
    pins: { input: pins, toggles: pins },
    bus,
    clock: clock as never,
    database,
    reporters,
    log,
  });
  const pass = (ms: number) => {
    for (const untilMs = monoMs + ms; monoMs < untilMs; ) {
      monoMs += heartbeatMs;
      counting.everyHeartbeat();
      if (monoMs % 1_000 === 0) counting.everySecond();
    }
  };
  const ended: number[] = [];
  bus.on('pour.ended', ({ pour }) => ended.push(pour.ticks));

  pins.pulse('pi.flow0', ticks, 100);
  pass(20_000);
  // The backup cannot end during these synchronous steps.
  expect([database.engine(), ended]).toEqual([null, [ticks]]);
  await expect.poll(() => database.engine() !== null).toBe(true);
  pass(20_000);
  const drinks = database.requireEngine().drinks.newest(10);
  expect(drinks.map((drink) => drink.ticks)).toContain(ticks);
  expect(drinks).toHaveLength(4);
  await counting.close();
  await database.close();
});
