import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxWrongPins, pinFault, toPauseMs } from '../../src/core/pin-rules.ts';

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
])('whoever walks up to the tablet would try %s first: %s', (pin, fault) => {
  expect(pinFault(pin)).toBe(fault);
});

test.each(['', '123', '123456789', '47a1', '47 1', '４７１９', '-471'])('“%s” is no PIN', (text) => {
  expect(pinFault(text)).toBe('not digits');
});

test.each(['4719', '0381', '52943', '90417265'])('%s is a PIN like any other', (pin) => {
  expect(pinFault(pin)).toBeNull();
});

test('few of the four-digit PINs are refused, so that a guesser learns next to nothing', () => {
  const all = Array.from({ length: 10_000 }, (_, i) => String(i).padStart(4, '0'));
  const refused = all.filter((pin) => pinFault(pin) !== null);
  expect(refused.length).toBeLessThan(500);
  expect(maxWrongPins / (10_000 - refused.length)).toBeLessThan(0.0011);
});

test('the more wrong PINs, the longer the pause, and never for ever', () => {
  expect([0, 1, 4].map(toPauseMs)).toEqual([0, 0, 0]);
  expect([5, 6, 7].map(toPauseMs)).toEqual([30_000, 60_000, 120_000]);
  fc.assert(
    fc.property(fc.nat(10_000), (wrong) => {
      expect(toPauseMs(wrong + 1)).toBeGreaterThanOrEqual(toPauseMs(wrong));
      expect(toPauseMs(wrong)).toBeLessThanOrEqual(900_000);
    }),
  );
});
