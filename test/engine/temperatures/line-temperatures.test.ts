import { expect, test } from 'vitest';
import { at, hour, minute, openBar } from '../bar.ts';

/** A left tap whose sensor measured 4 °C for two days, and a fridge left open for one hour. */
function openBarWithSensor(hours = 48) {
  const { engine, left } = openBar();
  const { sensor } = engine.temperatures.log({ sensor: 'line', tempC: 4 }, at(0));
  engine.temperatures.change(sensor.id, { tapIds: [left.id] });
  for (let i = 1; i <= hours; i++)
    engine.temperatures.log({ sensor: 'line', tempC: i === 20 ? 25 : 4 }, at(i * hour));
  return { engine, left, newest: at(hours * hour).wallMs };
}

test('a pour has the temperature of the reading nearest to its end', () => {
  const { engine, left, newest } = openBarWithSensor();
  const [late, none] = engine.temperatures.lines.atTap(left.id, [newest + 5 * minute, newest + 20 * minute]);
  expect(late).toEqual({ tempC: 4, usualC: 4, isWarm: false });
  expect(none).toEqual({ tempC: null, usualC: 4, isWarm: false });
});

test('a pour is warm above the median of the hours before by more than 5 °C', () => {
  const { engine, left, newest } = openBarWithSensor();
  const measure = (tempC: number) => {
    engine.temperatures.log({ sensor: 'line', tempC }, at(newest - at(0).wallMs + minute));
    return engine.temperatures.lines.atTap(left.id, [newest + minute])[0];
  };
  expect(measure(9)).toMatchObject({ tempC: 9, usualC: 4, isWarm: false });
  expect(measure(9.1)).toMatchObject({ tempC: 9.1, usualC: 4, isWarm: true });
});

test('with few readings nothing is usual, and without a sensor nothing is known', () => {
  const { engine, left, newest } = openBarWithSensor(20);
  expect(engine.temperatures.lines.atTap(left.id, [newest])[0]).toEqual({
    tempC: 25,
    usualC: null,
    isWarm: false,
  });
  const unknown = { tempC: null, usualC: null, isWarm: false };
  expect(engine.temperatures.lines.atTap(left.id + 1, [newest])).toEqual([unknown]);
});
