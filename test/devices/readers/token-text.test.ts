import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TokenText } from '../../../src/devices/readers/token-text.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const read = (...parts: string[]) => {
  const text = new TokenText();
  return parts.flatMap((part) => text.push(bytes(part)));
};

/** Card 0415aabbcc: 04 ^ 15 ^ aa ^ bb ^ cc = cc. */
const id12 = '\x020415AABBCCCC\r\n\x03';
const rdm6300 = '\x020415AABBCCCC\x03';

test.each([
  ['an ID-12', id12],
  ['an RDM6300', rdm6300],
])('a card at %s has the same token as at a Kegboard with such a reader', (_, frame) => {
  expect(read(frame)).toEqual(['0415aabbcc']);
});

test('a frame with a wrong checksum is dropped, the next one is read', () => {
  expect(read('\x020415AABBCCCD\r\n\x03', id12)).toEqual(['0415aabbcc']);
});

test('lines of digits end with CR, LF or both', () => {
  expect(read('0009041604\r\n0089F2C4\n', 'deadbeef\r')).toEqual(['0009041604', '0089f2c4', 'deadbeef']);
});

test('a card split at any byte is read once', () => {
  for (const frame of [id12, rdm6300, '0009041604\r\n']) {
    for (let cut = 0; cut <= frame.length; cut++) {
      expect(read(frame.slice(0, cut), frame.slice(cut)), `${frame} at ${cut}`).toHaveLength(1);
    }
  }
});

test('an incomplete card is dropped when the next one starts', () => {
  expect(read('\x020415AA', id12)).toEqual(['0415aabbcc']);
});

test('words, short and endless lines are dropped', () => {
  expect(read('no card\r\n', '123\r\n', `${'1'.repeat(33)}\r\n`, '1'.repeat(10_000), '\r\n', '\r\n')).toEqual(
    [],
  );
  expect(read('?89f2c4\n', '0089f2c4\n')).toEqual(['0089f2c4']);
});

test('after lost input the current line is dropped', () => {
  const text = new TokenText();
  text.push(bytes('0089'));
  text.drop();
  expect(text.push(bytes('f2c40000\n0089f2c4\n'))).toEqual(['0089f2c4']);
});

test('with any input tokens are digits and the next valid card is read', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (noise) => {
      const text = new TokenText();
      for (const token of text.push(noise)) expect(token).toMatch(/^[0-9a-f]{4,32}$/);
      expect(text.push(bytes(id12)).at(-1)).toBe('0415aabbcc');
    }),
  );
});
