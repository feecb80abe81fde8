import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  computeKioskLayout,
  minNameShare,
  type TileParts,
} from '../../../../src/extensions/kiosk/web/kiosk-layout.ts';

const everything: TileParts = { pictures: true, descriptions: true, level: true, foot: true };
const fullHd = { width: 1920, height: 1080 };
const portrait = { width: 1080, height: 1920 };
const small = { width: 1024, height: 600 };

const layout = (taps: number, screen = fullHd, columns: number | null = null, parts = everything) =>
  computeKioskLayout({ taps, screen, parts, columns });

test.each([
  { taps: 1, screen: fullHd, grid: 'wide 1 × 1' },
  { taps: 4, screen: fullHd, grid: 'tall 4 × 1' },
  { taps: 8, screen: fullHd, grid: 'tall 4 × 2' },
  { taps: 12, screen: fullHd, grid: 'wide 4 × 3' },
  { taps: 24, screen: fullHd, grid: 'row 4 × 6' },
  { taps: 4, screen: portrait, grid: 'tall 2 × 2' },
  { taps: 8, screen: portrait, grid: 'wide 2 × 4' },
  { taps: 12, screen: portrait, grid: 'tall 3 × 4' },
  { taps: 4, screen: small, grid: 'tall 4 × 1' },
  { taps: 12, screen: small, grid: 'row 3 × 4' },
])('$taps taps on $screen.width × $screen.height are $grid', ({ taps, screen, grid }) => {
  const { shape, columns, rows } = layout(taps, screen);
  expect(`${shape} ${columns} × ${rows}`).toBe(grid);
});

test('a screen of twice the resolution has the same layout at twice the size', () => {
  for (const taps of [4, 8, 12, 24]) {
    const one = layout(taps);
    const double = layout(taps, { width: 3840, height: 2160 });
    expect([double.shape, double.columns, double.rows]).toEqual([one.shape, one.columns, one.rows]);
    expect(double.unitPx / one.unitPx).toBeCloseTo(2, 1);
  }
});

test('fixed columns are kept, but never more than taps', () => {
  expect(layout(8, fullHd, 2)).toMatchObject({ columns: 2, rows: 4 });
  expect(layout(3, fullHd, 8)).toMatchObject({ columns: 3, rows: 1 });
});

test('what is hidden leaves more space for the rest', () => {
  const nothing: TileParts = { pictures: false, descriptions: false, level: false, foot: false };
  for (const taps of [8, 12]) {
    expect(layout(taps, fullHd, null, nothing).unitPx).toBeGreaterThan(layout(taps).unitPx);
  }
});

test('no tap at all has a layout', () => {
  expect(layout(0)).toMatchObject({ columns: 1, rows: 1 });
});

describe('for every number of taps and screen', () => {
  const sizes = fc.record({
    width: fc.integer({ min: 600, max: 4_000 }),
    height: fc.integer({ min: 600, max: 4_000 }),
  });
  const parts = fc.record({
    pictures: fc.boolean(),
    descriptions: fc.boolean(),
    level: fc.boolean(),
    foot: fc.boolean(),
  });
  const columnChoice = fc.option(fc.integer({ min: 1, max: 8 }));
  const taps = fc.integer({ min: 1, max: 24 });

  test('the tiles fill the screen exactly and hold all taps', () => {
    fc.assert(
      fc.property(taps, sizes, parts, columnChoice, (count, screen, shown, columns) => {
        const { columns: across, rows, tile, gapPx, headPx } = layout(count, screen, columns, shown);
        expect(across * rows).toBeGreaterThanOrEqual(count);
        expect(across * (tile.width + gapPx) + gapPx).toBeCloseTo(screen.width, 3);
        expect(headPx + rows * (tile.height + gapPx) + 2 * gapPx).toBeCloseTo(screen.height, 3);
      }),
    );
  });

  test('picture and text lie inside the tile, and a name is as large as required', () => {
    fc.assert(
      fc.property(taps, sizes, parts, (count, screen, shown) => {
        const { tile, unitPx, pictureEm, textEm, name, shape } = layout(count, screen, null, shown);
        const besideEm = shape === 'tall' ? 0 : pictureEm;
        expect((besideEm + textEm) * unitPx).toBeLessThan(tile.width);
        expect(pictureEm).toBeGreaterThanOrEqual(0);
        expect(textEm).toBeGreaterThan(12);
        if (name.minSizeEm < name.maxSizeEm) {
          const side = Math.min(screen.width, screen.height);
          expect(name.minSizeEm * unitPx).toBeGreaterThanOrEqual(side * minNameShare - 1e-6);
        }
      }),
    );
  });
});
