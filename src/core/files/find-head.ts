/** Rows among which the head of a file is looked for: titles, filters and empty lines may stand above it. */
export const maxRowsAboveHead = 50;

/**
 * Finds the head among the first rows of a file: the first row that fits, else the one that looks most like one. `rate` says how many cells of a
 * row are names of columns, and whether the row fits as it is. -1 without any row.
 */
export function findHead(
  rows: readonly (readonly string[])[],
  rate: (cells: readonly string[]) => { readonly known: number; readonly fits: boolean },
): number {
  let best = -1;
  let most = -1;
  for (const [i, cells] of rows.entries()) {
    const { known, fits } = rate(cells);
    if (fits) return i;
    const isFilled = cells.some((cell) => cell.trim() !== '');
    if (isFilled && known > most) [best, most] = [i, known];
  }
  return best;
}

/** True for a row that has as many texts as the head: above the head it is no title, but data that would be lost. */
export const isFullRow = (cells: readonly string[], head: readonly string[]): boolean =>
  countTexts(cells) >= Math.max(2, countTexts(head));

const countTexts = (cells: readonly string[]): number => cells.filter((cell) => cell.trim() !== '').length;
