import { expect, test } from 'vitest';
import { at, hour, minute, openBar } from '../bar.ts';

const day = 24 * hour;

/** A bar whose sensor was read every ten minutes for an hour, `agoMs` before `at(0)`, degrees 1 to 6. */
function openBarWithSensor(agoMs: number) {
  const bar = openBar();
  for (let i = 0; i < 6; i++) {
    bar.engine.temperatures.log({ sensor: 'cellar', tempC: i + 1 }, at(-agoMs + i * 10 * minute));
  }
  const span = { sinceMs: at(-agoMs - hour).wallMs, untilMs: at(hour).wallMs };
  const chart = (resolution: 'minute' | 'hour' | 'auto', of: Partial<typeof span> = {}) =>
    bar.engine.temperatures.history.chart({ sensorId: 1, ...span, ...of, resolution });
  return { ...bar, chart };
}

test('minutes older than thirty days become an hour with minimum, mean and maximum', () => {
  const { engine, chart } = openBarWithSensor(31 * day);
  engine.temperatures.log({ sensor: 'cellar', tempC: 9 }, at(0));
  expect(engine.temperatures.history.thin(at(0))).toBe(1);
  expect(engine.temperatures.history.thin(at(0))).toBe(0);
  expect(engine.lists.thermoLogs({}).total).toBe(1);
  expect(chart('hour').spans).toEqual([
    { timeMs: at(-31 * day).wallMs, minC: 1, meanC: 3.5, maxC: 6, readings: 6 },
    { timeMs: at(0).wallMs, minC: 9, meanC: 9, maxC: 9, readings: 1 },
  ]);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('minutes of the last thirty days stay, and so does the last reading of a silent sensor', () => {
  const young = openBarWithSensor(29 * day);
  young.engine.temperatures.log({ sensor: 'cellar', tempC: 9 }, at(0));
  expect(young.engine.temperatures.history.thin(at(0))).toBe(0);
  const silent = openBarWithSensor(60 * day);
  expect(silent.engine.temperatures.history.thin(at(0))).toBe(0);
  expect(silent.engine.temperatures.find('cellar')!.last!.tempC).toBe(6);
});

test('a late reading of an old hour is stored and joins its hour', () => {
  const { engine, chart } = openBarWithSensor(31 * day);
  engine.temperatures.log({ sensor: 'cellar', tempC: 9 }, at(0));
  engine.temperatures.history.thin(at(0));
  engine.temperatures.log({ sensor: 'cellar', tempC: 10.5 }, at(-31 * day + 55 * minute));
  const joined = { timeMs: at(-31 * day).wallMs, minC: 1, meanC: 4.5, maxC: 10.5, readings: 7 };
  expect(chart('hour').spans[0]).toEqual(joined);
  expect(engine.temperatures.history.thin(at(0))).toBe(1);
  expect(chart('hour').spans[0]).toEqual(joined);
});

test('an unset clock converts nothing', () => {
  const { engine } = openBarWithSensor(31 * day);
  engine.temperatures.log({ sensor: 'cellar', tempC: 9 }, at(0));
  expect(engine.temperatures.history.thin(at(0, { synced: false }))).toBe(0);
});

test('one step is bounded, however much is old', () => {
  const { engine } = openBarWithSensor(100 * day);
  for (let i = 1; i < 20; i++)
    engine.temperatures.log({ sensor: 'cellar', tempC: i }, at(-100 * day + i * hour));
  for (let i = 0; i < 20; i++)
    engine.temperatures.log({ sensor: 'attic', tempC: i }, at(-100 * day + i * hour));
  const steps = Array.from({ length: 20 }, () => engine.temperatures.history.thin(at(0)));
  expect(Math.max(...steps)).toBe(24);
  expect(steps.reduce((sum, written) => sum + written, 0)).toBe(38);
});

test('old hours are converted in slices, so that the SD card writes their pages once', () => {
  const { engine } = openBar();
  const steps: number[] = [];
  for (let hours = 0; hours < 12; hours++) {
    for (const sensor of ['cellar', 'attic']) {
      engine.temperatures.log({ sensor, tempC: 4 }, at(hours * hour));
      engine.temperatures.log({ sensor, tempC: 4 }, at(30 * day + (hours + 1) * hour));
    }
    steps.push(engine.temperatures.history.thin(at(30 * day + (hours + 1) * hour)));
  }
  // Opening is at six in the evening; every four hours the next slice of both sensors is old enough.
  expect(steps).toEqual([0, 4, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0]);
});

test('a chart of two days shows minutes, a longer one hours, and never more than its maximum', () => {
  const { chart } = openBarWithSensor(day);
  expect(chart('auto')).toMatchObject({ resolution: 'minute', spans: { length: 6 } });
  expect(chart('auto', { sinceMs: at(-3 * day).wallMs })).toMatchObject({
    resolution: 'hour',
    spans: [{ readings: 6, minC: 1, maxC: 6 }],
  });
  expect(() => chart('minute', { sinceMs: 0 })).toThrow(expect.objectContaining({ code: 'invalid_request' }));
});
