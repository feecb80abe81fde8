import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxWrongPins, pinFault, toPauseMs } from '../../../src/core/users/pin-rules.ts';

test.each([
  ['0000', 'all the same'],
  ['77777777', 'all the same'],
  ['1234', 'in a row'],
  ['4321', 'in a row'],
  ['7890', 'in a row'],
  ['87654321', 'in a row'],
  ['1212', 'repeated'],
  ['471471', 'repeated'],
  ['1987', 'a year'],
  ['2026', 'a year'],
  ['2580', 'well known'],
])('rejects the easily guessed PIN %s: %s', (pin, fault) => {
  expect(pinFault(pin)).toBe(fault);
});

test.each(['', '123', '123456789', '47a1', '47 1', '４７１９', '-471'])('“%s” is not a PIN', (text) => {
  expect(pinFault(text)).toBe('not digits');
});

test.each(['4719', '0381', '52943', '90417265'])('accepts %s', (pin) => {
  expect(pinFault(pin)).toBeNull();
});

test('rejects only few of the four-digit PINs', () => {
  const all = Array.from({ length: 10_000 }, (_, i) => String(i).padStart(4, '0'));
  const refused = all.filter((pin) => pinFault(pin) !== null);
  expect(refused.length).toBeLessThan(500);
  expect(maxWrongPins / (10_000 - refused.length)).toBeLessThan(0.0011);
});

test('the pause grows with the number of wrong PINs, up to a maximum', () => {
  expect([0, 1, 4].map(toPauseMs)).toEqual([0, 0, 0]);
  expect([5, 6, 7].map(toPauseMs)).toEqual([30_000, 60_000, 120_000]);
  fc.assert(
    fc.property(fc.nat(10_000), (wrong) => {
      expect(toPauseMs(wrong + 1)).toBeGreaterThanOrEqual(toPauseMs(wrong));
      expect(toPauseMs(wrong)).toBeLessThanOrEqual(900_000);
    }),
  );
});
