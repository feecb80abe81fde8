import { expect, test } from 'vitest';
import { createEventBus } from '../../../../src/core/event-bus.ts';
import { createMeasuring } from '../../../../src/core/measurements.ts';
import { startMetrics } from '../../../../src/extensions/metrics/daemon/start-metrics.ts';
import { at } from '../../../engine/bar.ts';
import { parseSamples } from '../kit/samples.ts';

test.each([
  [true, 1],
  [false, 0],
  [null, undefined],
])('with a broker that is connected (%s) the metric is %s', async (isConnected, value) => {
  const metrics = startMetrics({
    config: { database: '/nowhere/tapster.db' },
    bus: createEventBus(() => {}),
    engine: () => null,
    measuring: createMeasuring(),
  });
  const service = await metrics.createService({
    counts: () => [],
    meterStatuses: () => [],
    lines: () => [],
    openValves: () => [],
    runningPours: () => new Map(),
    latestTemperatures: () => new Map(),
    newestBackupMs: () => null,
    waitingPours: () => 0,
    journalBytes: () => 0,
    engine: () => null,
    healthParts: () => [],
    now: () => at(0),
    connections: () => new Map(isConnected === null ? [] : [['mqtt', isConnected]]),
  });
  const samples = parseSamples((await service.scrape('prometheus')).text);
  expect(samples.get('tapster_mqtt_connected')).toBe(value);
});
