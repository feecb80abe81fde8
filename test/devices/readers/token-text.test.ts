import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCard } from '../../../src/core/access/card-text.ts';
import { type ReadText, TokenText } from '../../../src/devices/readers/token-text.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const cards = (texts: readonly ReadText[]) =>
  texts.flatMap((text) => (text.kind === 'card' ? text.value : []));
const unreadable = (texts: readonly ReadText[]) =>
  texts.flatMap(({ kind, text }) => (kind === 'unreadable' ? text : []));

/** Reads the parts without a pause, then the silence after them. */
function readAll(...parts: string[]) {
  const text = new TokenText(readCard);
  return [...parts.flatMap((part) => text.push(bytes(part))), ...text.endBySilence()];
}
const read = (...parts: string[]) => cards(readAll(...parts));

/** Card 0415aabbcc: 04 ^ 15 ^ aa ^ bb ^ cc = cc. */
const id12 = '\x020415AABBCCCC\r\n\x03';
const rdm6300 = '\x020415AABBCCCC\x03';

test.each([
  ['an ID-12', id12],
  ['an RDM6300', rdm6300],
])('a card at %s has the same token as at a Kegboard with such a reader', (_, frame) => {
  expect(read(frame)).toEqual(['0415aabbcc']);
});

test('the number of a frame is never read as a decimal one', () => {
  // 00 ^ 04 ^ 65 ^ 79 ^ 01 = 19
  expect(read('\x02000465790119\x03')).toEqual(['0004657901']);
});

test('a frame with a wrong checksum, a digit too few or too many is unreadable, the next one is read', () => {
  const damaged = ['\x020415AABBCCCD\r\n\x03', '\x020415AABBCCC\x03', '\x020415AABBCCCCC\x03', '\x02\x03'];
  const texts = readAll(...damaged, id12);
  expect(unreadable(texts)).toEqual(['0415AABBCCCD', '0415AABBCCC', '0415AABBCCCCC', '']);
  expect(cards(texts)).toEqual(['0415aabbcc']);
});

test('lines of digits end with CR, LF or both', () => {
  expect(read('000904160A\r\n0089F2C4\n', 'deadbeef\r')).toEqual(['000904160a', '0089f2c4', 'deadbeef']);
});

test('a card split at any byte is read once', () => {
  for (const frame of [id12, rdm6300, '0009041604\r\n']) {
    for (let cut = 0; cut <= frame.length; cut++) {
      expect(read(frame.slice(0, cut), frame.slice(cut)), `${frame} at ${cut}`).toHaveLength(1);
    }
  }
});

test('an incomplete card is unreadable when the next one starts, or after silence', () => {
  expect(readAll('\x020415AA', id12).map(({ kind }) => kind)).toEqual(['unreadable', 'card']);
  expect(unreadable(readAll('00090416'))).toEqual(['00090416']);
  expect(unreadable(readAll('\x020415AABBCC'))).toEqual(['0415AABBCC']);
});

test('a frame without its end is read when the checksum is right', () => {
  expect(read('\x020415AABBCCCC\r\n')).toEqual(['0415aabbcc']);
  expect(read('\x020415AABBCCCC')).toEqual(['0415aabbcc']);
  expect(read('\x020415AABBCCCD\r\n')).toEqual([]);
});

test('words, short and endless lines are unreadable and counted', () => {
  const lines = ['no card\r\n', '123\r\n', `${'1'.repeat(33)}\r\n`, '1'.repeat(10_000), '\r\n', '\r\n'];
  const texts = readAll(...lines);
  expect(cards(texts)).toEqual([]);
  expect(unreadable(texts)).toEqual(['no card', '123', '1'.repeat(33), '1'.repeat(64)]);
  expect(read('?89f2c4\n', '0089f2c4\n')).toEqual(['0089f2c4']);
});

test('a frame ends with its longest length: what follows it is bounded, and the line after it is read', () => {
  const texts = readAll('\x02', '1'.repeat(10_000), '\r\n', '0089f2c4\r\n', '1'.repeat(10_000));
  expect(texts.map(({ text }) => text)).toEqual(['1'.repeat(64), '0089f2c4', '1'.repeat(64)]);
  expect(cards(texts)).toEqual(['0089f2c4']);
});

test('an empty line is no text, the number of no card is unreadable', () => {
  expect(readAll('\r\n  \r\n\r\n')).toEqual([]);
  expect(unreadable(readAll('0000000000\r\n', 'FFFFFFFF\r\n', '\x02000000000000\x03'))).toEqual([
    '0000000000',
    'FFFFFFFF',
    '000000000000',
  ]);
});

test('after lost input the current line is unreadable', () => {
  const text = new TokenText(readCard);
  text.push(bytes('0089'));
  text.drop();
  expect(cards(text.push(bytes('f2c40000\n0089f2c4\n')))).toEqual(['0089f2c4']);
});

test('after lost input and silence the next line is read', () => {
  const text = new TokenText(readCard);
  text.drop();
  text.endBySilence();
  expect(cards(text.push(bytes('0089f2c4\n')))).toEqual(['0089f2c4']);
});

test('a noise byte 0x02 costs no card of a reader that sends lines', () => {
  const input = readFileSync(join(import.meta.dirname, 'inputs/noise_byte_then_cards.bin'));
  const text = new TokenText(readCard);
  const texts = [...text.push(input), ...text.endBySilence()];
  expect(cards(texts)).toEqual(['0004657901', '0004657902', '0004657903'].map((line) => readCard(line)));
});

/** Noise with many of the bytes that mean something. */
const noise = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(2, 3, 10, 13, 48)), { maxLength: 300 })
  .map((list) => Uint8Array.from(list));
const hexByte = fc.integer({ min: 1, max: 254 }).map((byte) => byte.toString(16).padStart(2, '0'));
const card = fc.array(hexByte, { minLength: 5, maxLength: 5 });
const frameOf = (pairs: readonly string[]) => {
  const sum = pairs.reduce((xor, pair) => xor ^ Number.parseInt(pair, 16), 0);
  return `\x02${pairs.join('')}${sum.toString(16).padStart(2, '0')}\r\n\x03`;
};

test('with any input cards are digits and the next frame is read', () => {
  fc.assert(
    fc.property(noise, card, (before, pairs) => {
      const text = new TokenText(readCard);
      for (const value of cards(text.push(before))) expect(value).toMatch(/^[0-9a-f]{4,32}$/);
      expect(cards(text.push(bytes(frameOf(pairs)))).at(-1)).toBe(pairs.join(''));
    }),
  );
});

test('noise before lines costs at most the line that it touches', () => {
  fc.assert(
    fc.property(noise, fc.array(card, { minLength: 2, maxLength: 5 }), (before, list) => {
      const values = list.map((pairs) => readCard(pairs.join(''))!);
      const lines = list.map((pairs) => `${pairs.join('')}\r\n`).join('');
      const text = new TokenText(readCard);
      text.push(before);
      const found = cards([...text.push(bytes(lines)), ...text.endBySilence()]);
      expect(found.slice(-(values.length - 1))).toEqual(values.slice(1));
    }),
  );
});

test('noise within lines costs at most the lines that it touches', () => {
  fc.assert(
    fc.property(
      card,
      card,
      card,
      noise,
      fc.integer({ min: 0, max: 11 }),
      (first, second, third, within, at) => {
        const line = (pairs: readonly string[]) => `${pairs.join('')}\r\n`;
        const text = new TokenText(readCard);
        const found = cards(text.push(bytes(line(first))));
        text.push(bytes(line(second).slice(0, at)));
        text.push(within);
        text.push(bytes(line(second).slice(at)));
        found.push(...cards([...text.push(bytes(line(third))), ...text.endBySilence()]).slice(-1));
        expect(found).toEqual([first, third].map((pairs) => readCard(pairs.join(''))));
      },
    ),
  );
});

test('after silence any line is read, whatever was received before', () => {
  fc.assert(
    fc.property(noise, card, (before, pairs) => {
      const text = new TokenText(readCard);
      text.push(before);
      text.endBySilence();
      expect(cards(text.push(bytes(`${pairs.join('')}\n`)))).toEqual([readCard(pairs.join(''))]);
    }),
  );
});
