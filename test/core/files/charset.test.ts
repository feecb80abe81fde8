import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCharsetFinder, findOtherFile } from '../../../src/core/files/charset.ts';

const find = (bytes: Uint8Array, chunk = bytes.length || 1) => {
  const finder = createCharsetFinder();
  for (let at = 0; at < bytes.length; at += chunk) finder.add(bytes.subarray(at, at + chunk));
  return finder.found();
};

test('a text in UTF-8 is found whatever it holds and however it comes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 7 }), (text, chunk) => {
      expect(find(new TextEncoder().encode(text), chunk)).toBe('utf-8');
    }),
    { numRuns: 500 },
  );
});

test('bytes are UTF-8 exactly when a strict decoder takes them, unless they are mostly so', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
      let isValid = true;
      try {
        new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      } catch {
        isValid = false;
      }
      if (isValid) expect(find(bytes)).toBe('utf-8');
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  [[0x4b, 0xf6, 0x6c], 'windows-1252'],
  [[0xc0, 0xaf], 'windows-1252'],
  [[0xed, 0xa0, 0x80], 'windows-1252'],
  [[0xf4, 0x90, 0x80, 0x80], 'windows-1252'],
  [[0xc3], 'windows-1252'],
  [[0xc3, 0xb6, 0xc3, 0xa4, 0xf6], 'utf-8'],
  [[0xc3, 0xb6, 0x20, 0xf6, 0x20], 'windows-1252'],
] as const)('the bytes %j are %s', (bytes, charset) => {
  expect(find(Uint8Array.from(bytes))).toBe(charset);
});

test.each([
  ['PK\u0003\u0004', 'workbook'],
  ['\u00d0\u00cf\u0011\u00e0', 'workbook'],
  ['\u00ff\u00fed', 'utf16'],
  ['\u00fe\u00ff', 'utf16'],
  ['date', null],
  ['', null],
] as const)('a file that begins with %j is %s', (text, expected) => {
  expect(findOtherFile(Uint8Array.from([...text], (sign) => sign.charCodeAt(0)))).toBe(expected);
});
