import { expect, test } from 'vitest';
import { at, minute, openBar, openingMs } from '../bar.ts';

test('one reading per sensor and minute is stored, the latest received', () => {
  const { engine } = openBar();
  const first = engine.temperatures.log({ sensor: '28-000001', tempC: 4 }, at(1_000));
  const second = engine.temperatures.log({ sensor: '28-000001', tempC: 5 }, at(59_999));
  expect(second.log).toEqual({ ...first.log, tempC: 5 });
  expect(second.log.timeMs).toBe(openingMs);
  engine.temperatures.log({ sensor: '28-000001', tempC: 6 }, at(minute));
  expect(engine.temperatures.find('28-000001')?.last).toMatchObject({ tempC: 6, timeMs: openingMs + minute });
  expect(engine.temperatures.sensors()).toHaveLength(1);
});

test('a late reading is stored, and the last one stays the last', () => {
  const { engine } = openBar();
  engine.temperatures.log({ sensor: 'annex', tempC: 6 }, at(10 * minute));
  engine.temperatures.logAll([
    { sensor: 'annex', tempC: 5, at: at(0) },
    { sensor: 'bath', tempC: 1, at: at(0) },
  ]);
  expect(engine.temperatures.find('annex')?.last?.tempC).toBe(6);
  expect(engine.temperatures.find('bath')?.last?.tempC).toBe(1);
});

test.each([-50.1, 125.1, Number.NaN, Number.POSITIVE_INFINITY])('rejects %d °C', (tempC) => {
  const { engine } = openBar();
  const refusal = expect.objectContaining({
    code: 'invalid_request',
    fields: { temp_c: expect.any(String) },
  });
  expect(() => engine.temperatures.log({ sensor: 'annex', tempC }, at(0))).toThrow(refusal);
  expect(() => engine.temperatures.logAll([{ sensor: 'annex', tempC, at: at(0) }])).toThrow(refusal);
  expect(engine.temperatures.sensors()).toEqual([]);
});

test.each([-50, 125])('accepts %d °C', (tempC) => {
  expect(openBar().engine.temperatures.log({ sensor: 'x', tempC }, at(0)).log.tempC).toBe(tempC);
});

test('a sensor is found by id, text and name; the tap shows its last reading', () => {
  const { engine, left } = openBar();
  const { sensor, log } = engine.temperatures.log({ sensor: 'kegboard.thermo-28ff', tempC: 3.5 }, at(0));
  for (const ref of [sensor.id, String(sensor.id), 'kegboard.thermo-28ff']) {
    expect(engine.temperatures.find(ref)).toEqual({ sensor, last: log });
  }
  for (const ref of ['', 'elsewhere', 99]) expect(engine.temperatures.find(ref)).toBeNull();
  engine.taps.connectThermo(left.id, sensor.id);
  expect(engine.taps.find(left.id)).toMatchObject({ tap: { thermoSensor: sensor }, lastTemp: log });
  expect(engine.taps.connectThermo(left.id, null).thermoSensor).toBeNull();
  expect(() => engine.taps.connectThermo(left.id, 99)).toThrow(
    expect.objectContaining({ code: 'not_found' }),
  );
});

test('a sender’s sensor name takes precedence over ids assigned later', () => {
  const { engine } = openBar();
  const posted = engine.temperatures.log({ sensor: '2', tempC: 4 }, at(0)).sensor;
  const logged = engine.temperatures.log({ sensor: '28-000001', tempC: 9 }, at(0)).sensor;
  expect([posted.id, logged.id]).toEqual([1, 2]);
  engine.temperatures.log({ sensor: '2', tempC: 5 }, at(minute));
  expect(engine.temperatures.find('2')).toMatchObject({ sensor: posted, last: { tempC: 5 } });
  expect(engine.temperatures.find(2)).toMatchObject({ sensor: logged, last: { tempC: 9 } });
});

test('a reading may name its sensor by id', () => {
  const { engine } = openBar();
  const { sensor } = engine.temperatures.log({ sensor: 'annex', tempC: 4 }, at(0));
  expect(engine.temperatures.log({ sensor: String(sensor.id), tempC: 5 }, at(minute)).sensor).toEqual(sensor);
  expect(engine.temperatures.sensors()).toHaveLength(1);
});

test('the readings of a deleted sensor are kept for a week, then its deletion cannot be undone', () => {
  const { engine, store } = openBar();
  const actor = { userId: null, via: 'daemon' } as const;
  const { sensor } = engine.temperatures.log({ sensor: 'annex', tempC: 4 }, at(0));
  engine.temperatures.remove(sensor.id, { actor, now: at(minute) });
  const undoId = store.drinks.corrections.latestOf('device', { kind: 'thermo_sensor', id: sensor.id })!;
  const week = 7 * 24 * 60 * minute;
  engine.temperatures.purgeDeleted(at(week, { synced: false }));
  engine.temperatures.purgeDeleted(at(week));
  expect(store.temperatures.deleted.has(sensor.id)).toBe(true);
  engine.temperatures.purgeDeleted(at(week + 2 * minute));
  expect(store.temperatures.deleted.has(sensor.id)).toBe(false);
  expect(() => engine.corrections.undo(undoId, {}, at(week + 3 * minute))).toThrow(
    expect.objectContaining({ code: 'conflict', reason: { name: 'device_gone' } }),
  );
});
