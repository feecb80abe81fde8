import { expect, test } from 'vitest';
import type { SensorReading } from '../../../../src/core/temperatures/sensor-reading.ts';
import { startTemperaturePublisher } from '../../../../src/extensions/mqtt/outbox/temperature-publisher.ts';
import { createTopics } from '../../../../src/extensions/mqtt/outbox/topics.ts';
import { manualScheduler } from '../../../http/live/streams.ts';
import { createTestServer } from '../../../http/test-server.ts';

const probeName = '28-0000000000a1';

function openPublisher() {
  const server = createTestServer();
  const scheduler = manualScheduler();
  const temperatures = new Map<string, SensorReading>();
  const sent: { topic: string; payload: string; retain?: boolean | undefined }[] = [];
  const connection = {
    isConnected: true,
    async publish(message: (typeof sent)[number]) {
      sent.push(message);
    },
  };
  const stop = startTemperaturePublisher({
    engine: () => server.engine,
    connection,
    topics: createTopics('tapster', 'bar1'),
    scheduler,
    temperatures: () => temperatures,
    now: server.now,
    log: { info() {}, warn() {}, error() {} } as never,
  });
  return { ...server, scheduler, temperatures, sent, connection, stop };
}

test('each reading is published once, not retained, in tenths of a degree', () => {
  const { scheduler, temperatures, sent } = openPublisher();
  scheduler.advance(15_000);
  expect(sent).toEqual([]);
  temperatures.set(probeName, { tempC: 4.4375, timeMs: 1_000, isStale: false });
  scheduler.advance(15_000);
  scheduler.advance(15_000);
  temperatures.set(probeName, { tempC: 4.4375, timeMs: 61_000, isStale: false });
  scheduler.advance(15_000);
  const message = { topic: 'tapster/bar1/taps/1/temperature', payload: '4.4', qos: 0, retain: false };
  expect(sent).toEqual([message, message]);
});

test('readings of network kegboards come from the database, and nothing is sent while the broker is away', () => {
  const { scheduler, engine, now, sent, connection } = openPublisher();
  engine.temperatures.logAll([{ sensor: probeName, tempC: 5.5, at: now() }]);
  connection.isConnected = false;
  scheduler.advance(15_000);
  expect(sent).toEqual([]);
  connection.isConnected = true;
  scheduler.advance(15_000);
  expect(sent.map(({ payload }) => payload)).toEqual(['5.5']);
});

test('the last reading of a sensor that has vanished is not sent', () => {
  const { scheduler, temperatures, engine, now, sent } = openPublisher();
  const early = { ...now(), wallMs: now().wallMs - 32 * 60_000 };
  engine.temperatures.logAll([{ sensor: probeName, tempC: 5.5, at: early }]);
  scheduler.advance(15_000);
  temperatures.set(probeName, { tempC: 6, timeMs: now().wallMs, isStale: true });
  scheduler.advance(15_000);
  expect(sent).toEqual([]);
});
