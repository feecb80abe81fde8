import type { FormattedPrice } from '../../../web/app/format.ts';
import type { Measure } from './fit-text.ts';

/** The prices that a tile shows, in a grid that is filled line by line. */
export interface PriceGrid {
  readonly prices: readonly FormattedPrice[];
  readonly columns: number;
  /** Size of the sums. */
  readonly sizeEm: number;
  /** Size of the servings, in em of the sums. */
  readonly servingEm: number;
  readonly widthEm: number;
}

/** Space for prices, in em of the tile's ordinary text. */
export interface PriceBox {
  /** For one price, which shrinks as far as it must. */
  readonly singleWidthEm: number;
  /** For several, which do not shrink below `minSeveralEm`. */
  readonly severalWidthEm: number;
  /** Largest size in one line and in two; a box of one line has one. */
  readonly maxSizesEm: readonly number[];
}

/** Beside a single price the serving is small; among several it tells them apart. */
const singleServingEm = 0.6;
const severalServingEm = 0.75;
/** Smallest size of several prices: below it, fewer are shown. */
const minSeveralEm = 0.85;
/** Distance between two prices, in em of the sums. The style sheet has the same figure. */
const columnGapEm = 0.8;
/** Share of a box that a text may fill: browsers round the widths of glyphs. */
const safeShare = 0.98;

/** Arranges prices: as many as fit, in the order of the menu, as large as they can be; null without prices. */
export function arrangePrices(
  prices: readonly FormattedPrice[],
  box: PriceBox,
  measure: Measure,
): PriceGrid | null {
  for (let count = prices.length; count > 1; count -= 1) {
    const shown = prices.slice(0, count);
    const [largest] = box.maxSizesEm
      .map((maxEm, index) => {
        const columns = Math.ceil(count / (index + 1));
        const width = measureGrid(shown, { columns, servingEm: severalServingEm }, measure);
        const sizeEm = Math.min(maxEm, (box.severalWidthEm * safeShare) / width);
        return { prices: shown, columns, sizeEm, servingEm: severalServingEm, widthEm: sizeEm * width };
      })
      .sort((a, b) => b.sizeEm - a.sizeEm);
    if (largest !== undefined && largest.sizeEm >= minSeveralEm) return largest;
  }
  const [first] = prices;
  if (first === undefined) return null;
  const width = measureGrid([first], { columns: 1, servingEm: singleServingEm }, measure);
  const sizeEm = Math.min(box.maxSizesEm[0] ?? 1, box.singleWidthEm / width);
  return { prices: [first], columns: 1, sizeEm, servingEm: singleServingEm, widthEm: sizeEm * width };
}

/** Width of the grid, in em of the sums. */
function measureGrid(
  prices: readonly FormattedPrice[],
  { columns, servingEm }: Pick<PriceGrid, 'columns' | 'servingEm'>,
  measure: Measure,
): number {
  const widths = prices.map(({ sum, serving }) => measure(sum) + measure(' ') + measure(serving) * servingEm);
  const columnWidths = Array.from({ length: columns }, (_, column) =>
    Math.max(...widths.filter((_width, index) => index % columns === column)),
  );
  return columnWidths.reduce((sum, width) => sum + width, (columns - 1) * columnGapEm);
}
