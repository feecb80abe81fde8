import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isBlankCard, readCard } from '../../../src/core/access/card-text.ts';
import { isUnreadableToken, normalizeToken } from '../../../src/core/access/token-value.ts';

const devices = fc.constantFrom('core.rfid', 'CORE.RFID', ' core.rfid', 'onewire', 'OneWire', 'Core.OneWire');
const labels = fc.constantFrom('', 'UID: ', 'uid:', 'Card ID #', 'Tag ', '(UID) = ', 'Badge: ', 'número: ');
const separators = fc.constantFrom(' ', ':', '-', '.', ',', ', ', '–', '\u00a0');
const cases = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.toUpperCase(),
  // Full-width digits, as a Japanese keyboard writes.
  (text: string) => text.replaceAll(/\d/g, (digit) => String.fromCodePoint(digit.codePointAt(0)! + 0xfee0)),
  (text: string) => ` \u200b${text}\t`,
);
const toHex = (byte: number) => byte.toString(16).padStart(2, '0');

const dropZero = (digits: string) => digits.replace(/^0/, '');

/** Texts that a person or a reader can write for a card with these bytes, each with its number. */
const spelling = fc
  .record({
    bytes: fc
      .array(fc.integer({ min: 0, max: 255 }), { minLength: 4, maxLength: 10 })
      .filter((list) => !isBlankCard(list.map(toHex).join(''))),
    kind: fc.constantFrom('plain', 'zero left out', '0x', 'bytes', 'loose bytes', '0x bytes', 'decimal'),
    label: labels,
    separator: separators,
    toCase: cases,
  })
  .map(({ bytes, kind, label, separator, toCase }) => {
    const pairs = bytes.map(toHex);
    const hex = pairs.join('');
    const loose = pairs.some((pair) => !pair.startsWith('0')) ? pairs.map(dropZero) : pairs;
    const figure = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
    const decimal = `${String(figure).padStart(10, '0')},000,00000`;
    const text: string = {
      plain: hex,
      'zero left out': dropZero(hex),
      '0x': `0x${dropZero(hex)}`,
      bytes: pairs.join(separator),
      'loose bytes': loose.join(separator),
      '0x bytes': pairs.map((pair) => `0x${pair}`).join(separator),
      decimal: bytes.length === 4 ? decimal : hex,
    }[kind];
    // Ten digits after a word are the printed number.
    const isAmbiguous = /^\d{10}$/.test(text);
    return { hex, text: toCase((isAmbiguous ? '' : label) + text) };
  });

test('every spelling of the number of a card is one token', () => {
  fc.assert(
    fc.property(spelling, devices, ({ hex, text }, device) => {
      const token = normalizeToken(device, text);
      expect([token.value, text]).toEqual([hex, text]);
      expect(['core.rfid', 'core.onewire']).toContain(token.device);
      expect(isUnreadableToken(token.device, token.value)).toBe(false);
    }),
  );
});

test('a reader of this machine reads the same number, but for ten digits, which it sends decimal', () => {
  fc.assert(
    fc.property(spelling, ({ hex, text }) => {
      fc.pre(!/^\d{10}$/.test(hex));
      expect(readCard(text.replaceAll(/[\u200b\t]/g, ''))).toBe(hex);
    }),
  );
});

test('no spelling of zero and of all ones is a token', () => {
  const blank = fc
    .record({
      digit: fc.constantFrom('0', 'f'),
      groups: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 12 }),
      prefix: fc.constantFrom('', '0x', '\\x', '#', '$', '+', '-'),
      suffix: fc.constantFrom('', 'h', '.', ')'),
      label: labels,
      separator: fc.oneof(separators, fc.constantFrom('', '_', '/', '  ', '|', ' 0x')),
      toCase: cases,
    })
    .map(({ digit, groups, prefix, suffix, label, separator, toCase }) =>
      toCase(label + prefix + groups.map((size) => digit.repeat(size)).join(separator) + suffix),
    );
  fc.assert(
    fc.property(devices, blank, (device, text) => {
      const token = normalizeToken(device, text);
      expect([text, isUnreadableToken(token.device, token.value)]).toEqual([text, true]);
      expect(readCard(text)).toBeNull();
    }),
  );
});

test.each([
  '0x0',
  'UID: 0',
  'UID:',
  '00.00.00.00',
  '00:00',
  '4294967295',
  'DEC: 0',
  'dec 4294967295',
  '0000000000,000,00000',
  '٠٠٠٠٠٠٠٠',
  '----',
  'fffff',
  'UID: fffffff',
])('%j is the number of no card', (text) => {
  for (const device of ['core.rfid', 'CORE.RFID', 'onewire']) {
    const token = normalizeToken(device, text);
    expect(isUnreadableToken(token.device, token.value)).toBe(true);
  }
  expect(readCard(text)).toBeNull();
});

test.each([
  '04 A3:2B-1C',
  '04:A3:2B:',
  ':04:A3:2B',
  '04::A3:2B:1C',
  '04 A3 2',
  '4 A 3 2',
  '04/A3/2B/1C',
  '0x12 34',
  // The letter O in place of a zero, and other slips.
  '1a:2b:3c:4g',
  'O4 A3 2B 1C',
  'UID: 04-A3-2B-1O',
  '04, a3, 2l, ic',
])('bytes with broken separators or wrong letters are no token: %j', (text) => {
  const token = normalizeToken('core.rfid', text);
  expect(isUnreadableToken(token.device, token.value)).toBe(true);
  expect(readCard(text)).toBeNull();
});

test('random digits and separators give a token in whole bytes, a short number, or none', () => {
  const noise = fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF:-., x'), maxLength: 24 });
  fc.assert(
    fc.property(noise, (text) => {
      const { device, value } = normalizeToken('core.rfid', text);
      if (isUnreadableToken(device, value) || value.includes('x')) return;
      expect(value).toMatch(/^(?:[0-9a-f]{1,3}|(?:[0-9a-f]{2}){2,})$/);
    }),
  );
});

test('names that controllers give to tokens stay as they are, in lower case', () => {
  for (const name of ['Fob-Anna', 'guest 12', 'x%y', 'aa', 'to go or no go', 'my-id-no-12', 'T-1'])
    expect(isUnreadableToken('core.rfid', normalizeToken('core.rfid', name).value)).toBe(false);
  expect(normalizeToken('CORE.RFID', 'Fob-Anna')).toEqual({ device: 'core.rfid', value: 'fob-anna' });
  expect(normalizeToken('Bar.NFC', '04:A3')).toEqual({ device: 'Bar.NFC', value: '04:A3' });
});
