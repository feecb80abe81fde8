import { expect, test } from 'vitest';
import type { Config } from '../../../../src/config/schema.ts';
import { createEventBus } from '../../../../src/core/event-bus.ts';
import { createMetrics } from '../../../../src/extensions/metrics/daemon/metrics.ts';
import type { HealthRegistry } from '../../../../src/system/health/health.ts';
import { at } from '../../../engine/bar.ts';
import { parseSamples } from '../kit/samples.ts';

test.each([
  [true, 1],
  [false, 0],
  [null, undefined],
])('with a broker that is connected (%s) the metric is %s', async (isConnected, value) => {
  const metrics = createMetrics({
    config: { database: '/nowhere/tapster.db' } as Config,
    bus: createEventBus(() => {}),
    health: { report: () => ({ status: 'ok', parts: [] }) } as unknown as HealthRegistry,
  });
  const service = await metrics.createService({
    ...{ counts: () => [], meterStatuses: () => [], lines: () => [], openValves: () => [] },
    ...{ runningPours: () => new Map(), latestTemperatures: () => new Map() },
    ...{ newestBackupMs: () => null, waitingPours: () => 0, journalBytes: () => 0 },
    now: () => at(0),
    isMqttConnected: () => isConnected,
  });
  const samples = parseSamples((await service.scrape('prometheus')).text);
  expect(samples.get('tapster_mqtt_connected')).toBe(value);
});
