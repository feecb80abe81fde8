import { expect, test } from 'vitest';
import { createTestServer } from '../../test-server.ts';
import { createStaffClient } from '../staff-client.ts';

const name = '28-0000000000a1';
const minute = 60_000;

/** The sensor in every reply that has its reading. */
async function readSensor(server: ReturnType<typeof createTestServer>) {
  const anna = createStaffClient(server);
  const list = await anna.send('get', '/thermo-sensors');
  const one = await anna.send('get', `/thermo-sensors/${name}`);
  const changed = await anna.send('patch', `/thermo-sensors/${name}`, { place: 'cellar' });
  const item = list.thermo_sensors.find((sensor: { name: string }) => sensor.name === name);
  return [item, one, changed].map(({ last_temp, last_time, last_seen, is_stale }) => ({
    last_temp,
    last_time,
    last_seen,
    is_stale,
  }));
}

test('a sensor that is read has its newest reading and is not stale', async () => {
  const server = createTestServer();
  const { wallMs } = server.now();
  server.engine.temperatures.log({ sensor: name, tempC: 4.5 }, server.now());
  server.latestTemperatures.set(name, { tempC: 6, timeMs: wallMs + 5 * minute, isStale: false });
  const time = '2026-05-02T17:05:00Z';
  const reading = { last_temp: 6, last_time: time, last_seen: time, is_stale: false };
  expect(await readSensor(server)).toEqual([reading, reading, reading]);
});

test('a sensor of this machine that has missed three readings is stale', async () => {
  const server = createTestServer();
  const { wallMs } = server.now();
  server.latestTemperatures.set(name, { tempC: 6, timeMs: wallMs, isStale: true });
  const time = '2026-05-02T17:00:00Z';
  const reading = { last_temp: 6, last_time: time, last_seen: time, is_stale: true };
  expect(await readSensor(server)).toEqual([reading, reading, reading]);
});

test('a sensor that nobody reports any more is stale', async () => {
  const server = createTestServer();
  const now = server.now();
  const before = { ...now, monoMs: now.monoMs - 32 * minute, wallMs: now.wallMs - 32 * minute };
  server.engine.temperatures.log({ sensor: name, tempC: 4.5 }, before);
  const time = '2026-05-02T16:28:00Z';
  const reading = { last_temp: 4.5, last_time: time, last_seen: time, is_stale: true };
  expect(await readSensor(server)).toEqual([reading, reading, reading]);
});

test('a sensor without a reading is not stale', async () => {
  const server = createTestServer();
  const reading = { last_temp: null, last_time: null, last_seen: null, is_stale: false };
  expect(await readSensor(server)).toEqual([reading, reading, reading]);
});
