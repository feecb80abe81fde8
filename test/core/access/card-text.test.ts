import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isBlankCard,
  printedNumber,
  readCard,
  readMarkedCard,
  similarForms,
} from '../../../src/core/access/card-text.ts';

test.each([
  ['04A32B1C', '04a32b1c'],
  ['04 A3 2B 1C', '04a32b1c'],
  ['04:A3:2B:1C', '04a32b1c'],
  ['04-a3-2b-1c', '04a32b1c'],
  ['UID: 04 A3 2B 1C', '04a32b1c'],
  ['Card UID: 04:A3:2B:1C', '04a32b1c'],
  ['UID=04A32B1C', '04a32b1c'],
  ['Tag 04A32B1C', '04a32b1c'],
  ['0x04A32B1C', '04a32b1c'],
  ['0x04 0xA3 0x2B 0x1C', '04a32b1c'],
  ['0x04,0xA3,0x2B,0x1C', '04a32b1c'],
  ['0415AABBCC', '0415aabbcc'],
  ['04:A3:2B:1C:7F:6D:80', '04a32b1c7f6d80'],
  ['04 a3 2b 1c 7f 6d 80 11 22 33', '04a32b1c7f6d80112233'],
  // 4 657 891 = 0x4712e3
  ['0004657891', '004712e3'],
  ['0004657891,071,04835', '004712e3'],
  ['0004657891,071,04691', '004712e3'],
  ['0004657891 071,04835', '004712e3'],
  ['DEC: 0004657891', '004712e3'],
  ['HEX: 0004657891', '0004657891'],
  // 071 = 0x47, 04835 = 0x12e3
  ['071,04835', '4712e3'],
  // More than 32 bits: five bytes.
  ['9904657891', '9904657891'],
])('%s is the card %s', (text, value) => {
  expect(readCard(text)).toBe(value);
});

test.each([
  '',
  '123',
  'no card',
  '04 A3:2B 1C',
  '04 A3 2',
  '04A',
  '0x',
  'UID:',
  '300,04835',
  '071,99999',
  '0x12 34',
])('%j is no card', (text) => {
  expect(readCard(text)).toBeNull();
});

test.each([
  '0000000000',
  '00 00 00 00',
  'ffffffff',
  'FF:FF:FF:FF:FF',
  '4294967295',
  'UID: 00000000',
  '000,00000',
])('%j is the number of no card', (text) => {
  expect(readCard(text)).toBeNull();
});

const bytes = fc.constantFrom(4, 5, 7, 10).chain((size) =>
  fc
    .array(
      fc.integer({ min: 0, max: 255 }).map((byte) => byte.toString(16).padStart(2, '0')),
      { minLength: size, maxLength: size },
    )
    .filter((pairs) => !isBlankCard(pairs.join(''))),
);

test('every separated form is the card with these bytes', () => {
  fc.assert(
    fc.property(
      bytes,
      fc.constantFrom(' ', ':', '-'),
      fc.constantFrom('', 'UID: ', 'uid:', 'Card ID: ', ' '),
      fc.boolean(),
      (pairs, separator, label, isUpper) => {
        const text = label + pairs.join(separator);
        expect(readCard(isUpper ? text.toUpperCase() : text)).toBe(pairs.join(''));
      },
    ),
  );
});

test('the decimal number of a card with four bytes is the same card', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 0xfffffffe }), (figure) => {
      const decimal = String(figure).padStart(10, '0');
      const hex = figure.toString(16).padStart(8, '0');
      expect(printedNumber(decimal)).toBe(hex);
      expect(readCard(decimal)).toBe(readCard(hex.toUpperCase()));
    }),
  );
});

test('two different cards in one form are never one', () => {
  fc.assert(
    fc.property(bytes, bytes, fc.constantFrom(' ', ':'), (one, other, separator) => {
      fc.pre(one.join() !== other.join());
      expect(readCard(one.join(separator))).not.toBe(readCard(other.join(separator)));
    }),
  );
});

test('any text gives a number in lower case or none', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123456789abcdefxUID:, -') })),
      (text) => {
        const value = readCard(text);
        if (value !== null) expect(value).toMatch(/^[0-9a-f]{4,32}$/);
      },
    ),
  );
});

test('reversed bytes, a left-out customer byte and the printed number are similar, in both directions', () => {
  expect(similarForms('01004712e3')).toEqual(
    expect.arrayContaining(['004712e3', 'e312470001', 'e3124700', '0004657891']),
  );
  expect(similarForms('004712e3')).toEqual(expect.arrayContaining(['e3124700', '0004657891']));
  expect(similarForms('0004657891')).toContain('004712e3');
  expect(similarForms('no card')).toEqual([]);
});

test('a number that is said to be decimal or hexadecimal is read so, whatever its digits', () => {
  expect(['DEC: 12345678', 'dec 0012345678', 'HEX 0012345678', 'hex:12345678'].map(readMarkedCard)).toEqual([
    '00bc614e',
    '00bc614e',
    '0012345678',
    '12345678',
  ]);
  expect(readMarkedCard('DEC 4294967296')).toBeNull();
});
