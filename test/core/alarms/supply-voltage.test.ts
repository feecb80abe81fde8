import { expect, test } from 'vitest';
import { SupplyVoltage } from '../../../src/core/alarms/supply-voltage.ts';

/** Reads every 2 s from 0 on; `#` is a low voltage. */
function readings(pattern: string): { readonly voltage: SupplyVoltage; readonly endMs: number } {
  const voltage = new SupplyVoltage();
  [...pattern].forEach((mark, index) => {
    voltage.add(mark === '#', index * 2_000);
  });
  return { voltage, endMs: (pattern.length - 1) * 2_000 };
}

test.each([
  ['....', 'good', 0],
  ['.#..', 'between', 1],
  ['.##.', 'between', 1],
  ['.###', 'bad', 1],
  ['#.#.#', 'bad', 3],
] as const)('the readings “%s” are %s with %i drops', (pattern, state, drops) => {
  const { voltage, endMs } = readings(pattern);
  expect(voltage.state(endMs)).toBe(state);
  expect(voltage.drops).toBe(drops);
});

test('low readings count for ten minutes, drops until the next start', () => {
  const { voltage, endMs } = readings('###');
  expect(voltage.state(endMs + 600_000)).toBe('between');
  expect(voltage.state(endMs + 600_001)).toBe('good');
  expect(voltage.drops).toBe(1);
});
