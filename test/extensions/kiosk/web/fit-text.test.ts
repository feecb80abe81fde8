import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitText as fitTextInBox, type TextBox } from '../../../../src/extensions/kiosk/web/fit-text.ts';

const fitText = (...input: Parameters<typeof fitTextInBox>) => fitTextInBox(...input).sizeEm;

/** Every character is half as wide as it is high. */
const halfEm = (text: string) => text.length / 2;

const box: TextBox = {
  widthEm: 10,
  heightEm: 4.4,
  maxLines: 2,
  lineHeight: 1.1,
  maxSizeEm: 2,
  minSizeEm: 0.5,
};

test('a short text has the largest size', () => {
  expect(fitText('Pils', box, halfEm)).toBe(2);
});

test('a text of two lines keeps the largest size', () => {
  // Eleven characters of 1 em each are wider than a line of 9.8 em; 4 and 6 of them are not.
  expect(fitText('Pils Helles', box, halfEm)).toBe(2);
});

test('a word that is wider than a line makes the text smaller', () => {
  const size = fitText('Weihenstephaner', box, halfEm);
  expect(size * 15 * 0.5).toBeLessThanOrEqual(10);
  expect(size * 15 * 0.5).toBeGreaterThan(9);
});

test('a very long word is broken before it becomes tiny', () => {
  // In one line it would have a size of 0.6; in two lines it has almost twice that.
  expect(fitText('x'.repeat(32), box, halfEm)).toBeGreaterThan(1);
});

test('a text that never fits has the smallest size', () => {
  expect(fitText('x'.repeat(200), box, halfEm)).toBe(0.5);
});

test('the height is that of the lines', () => {
  expect(fitTextInBox('Pils', box, halfEm).heightEm).toBeCloseTo(2 * 1.1);
  expect(fitTextInBox('Pils Helles', box, halfEm).heightEm).toBeCloseTo(2 * 2 * 1.1);
});

test('one line leaves no space for a second', () => {
  const size = fitText('Pils Helles', { ...box, maxLines: 1 }, halfEm);
  expect(size * 11 * 0.5).toBeLessThanOrEqual(10);
  expect(size).toBeGreaterThan(1.7);
  // The height of one line limits the size too.
  expect(fitText('Pils', { ...box, heightEm: 1.1 }, halfEm)).toBeLessThanOrEqual(1);
});

test('the size lies within the bounds, and a wider box never makes a text smaller', () => {
  fc.assert(
    fc.property(fc.lorem({ maxCount: 12 }), fc.integer({ min: 4, max: 30 }), (text, widthEm) => {
      const size = fitText(text, { ...box, widthEm }, halfEm);
      expect(size).toBeGreaterThanOrEqual(box.minSizeEm);
      expect(size).toBeLessThanOrEqual(box.maxSizeEm);
      expect(fitText(text, { ...box, widthEm: widthEm + 1 }, halfEm)).toBeGreaterThanOrEqual(size);
    }),
    { numRuns: 5_000 },
  );
});
