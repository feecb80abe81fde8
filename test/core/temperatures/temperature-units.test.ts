import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  differenceFromCelsius,
  differenceToCelsius,
  fromCelsius,
  temperatureSign,
  toCelsius,
} from '../../../src/core/temperatures/temperature-units.ts';

test.each([
  [0, 32],
  [100, 212],
  [-40, -40],
  [5, 41],
])('%s °C is %s °F', (celsius, fahrenheit) => {
  expect(fromCelsius(celsius, 'f')).toBe(fahrenheit);
  expect(toCelsius(fahrenheit, 'f')).toBeCloseTo(celsius, 10);
  expect(fromCelsius(celsius, 'c')).toBe(celsius);
  expect(toCelsius(celsius, 'c')).toBe(celsius);
});

test('a difference of 1 °C is 1.8 °F, and none is none', () => {
  expect(differenceFromCelsius(1, 'f')).toBe(1.8);
  expect(differenceToCelsius(-0.9, 'f')).toBe(-0.5);
  expect(differenceFromCelsius(0, 'f')).toBe(0);
  expect(differenceFromCelsius(1, 'c')).toBe(1);
});

test('property: the difference of two temperatures is the same before and after the conversion', () => {
  const celsius = fc.double({ min: -50, max: 125, noNaN: true });
  fc.assert(
    fc.property(celsius, celsius, (a, b) => {
      expect(fromCelsius(a, 'f') - fromCelsius(b, 'f')).toBeCloseTo(differenceFromCelsius(a - b, 'f'), 9);
      expect(toCelsius(fromCelsius(a, 'f'), 'f')).toBeCloseTo(a, 9);
    }),
  );
});

test('names its units', () => {
  expect([temperatureSign('c'), temperatureSign('f')]).toEqual(['°C', '°F']);
});
