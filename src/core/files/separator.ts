/** Signs that separate the cells of a file. */
export const fileDelimiters = [',', ';', '\t', '|'] as const;
export type FileDelimiter = (typeof fileDelimiters)[number];

/** Lines from which the separator is found. */
const maxLines = 30;

const lineEnd = /\r\n|\n|\r/;
const sepLine = /^\uFEFF?"?sep=([^\r\n"\w])"?(?:\r\n|\n|\r)/i;

/** The line `sep=;` that Excel writes and reads before the head; null without one. */
export function findSepLine(text: string): { readonly delimiter: string; readonly length: number } | null {
  const found = sepLine.exec(text);
  return found === null ? null : { delimiter: found[1]!, length: found[0].length };
}

/**
 * Finds the separator in the beginning of a file: the sign that most lines have in the same number, and most often in a line, outside quotes. A
 * title above the head has none, and a decimal comma is not in the head. Null where no line has any.
 */
export function findDelimiter(text: string): FileDelimiter | null {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replaceAll(/"(?:[^"]|"")*"/g, '')
    .split(lineEnd, maxLines)
    .filter((line) => line.trim() !== '');
  let best: { readonly sign: FileDelimiter; readonly score: number } | null = null;
  for (const sign of fileDelimiters) {
    const counts = new Map<number, number>();
    for (const line of lines) {
      const count = line.split(sign).length - 1;
      if (count > 0) counts.set(count, (counts.get(count) ?? 0) + 1);
    }
    for (const [count, of] of counts) {
      const score = of * count;
      if (best === null || score > best.score) best = { sign, score };
    }
  }
  return best?.sign ?? null;
}
