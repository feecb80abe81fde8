/** Returns the width of a text, in em of its own size. */
export type Measure = (text: string) => number;

/** Space for a text, in em of the surrounding size. */
export interface TextBox {
  readonly widthEm: number;
  readonly heightEm: number;
  readonly maxLines: number;
  /** Line height, in em of the text's own size. */
  readonly lineHeight: number;
  readonly maxSizeEm: number;
  readonly minSizeEm: number;
}

/** A text in its box. */
interface FittedText {
  readonly sizeEm: number;
  /** Height of its lines, in em of the surrounding size. */
  readonly heightEm: number;
}

/** Step between two sizes: smaller steps are not seen. */
const shrinkBy = 0.96;
/** Share of a box that a text may fill: browsers round the widths of glyphs. */
const safeShare = 0.98;

/**
 * A word is broken only if the text would shrink below this share of its largest size otherwise, and a text with a broken word
 * stays below it: so a wider box never makes a text smaller.
 */
const breakBelow = 0.6;

/**
 * Returns the largest size in em at which a text fits into a box. It rather shrinks than breaks a word, unless the word is very
 * long. The smallest size when none fits; the style sheet then cuts the text.
 */
export function fitText(text: string, box: TextBox, measure: Measure): FittedText {
  // Not at no-break spaces, which \s includes.
  const words = text
    .split(/[ \n\t]+/)
    .filter(Boolean)
    .map(measure);
  const spaceWidth = measure(' ');
  const linesAt = (sizeEm: number, breaksWords: boolean) =>
    countLines({ words, spaceWidth, lineWidth: (box.widthEm * safeShare) / sizeEm, breaksWords });
  const fits = (sizeEm: number, breaksWords: boolean) => {
    const lines = Math.floor(box.heightEm / (sizeEm * box.lineHeight) + 1e-6);
    return linesAt(sizeEm, breaksWords) <= Math.min(box.maxLines, lines);
  };
  const sizes = listSizes(box);
  const whole = sizes.find((size) => size >= breakBelow * box.maxSizeEm && fits(size, false));
  const broken = () => sizes.find((size) => size < breakBelow * box.maxSizeEm && fits(size, true));
  const sizeEm = whole ?? broken() ?? box.minSizeEm;
  const lines = Math.min(box.maxLines, linesAt(sizeEm, true));
  return { sizeEm, heightEm: sizeEm * lines * box.lineHeight };
}

/** The sizes to try, the largest first. */
function listSizes({ maxSizeEm, minSizeEm }: TextBox): readonly number[] {
  const steps = Math.max(0, Math.ceil(Math.log(minSizeEm / maxSizeEm) / Math.log(shrinkBy)));
  return Array.from({ length: steps + 1 }, (_, step) => Math.max(minSizeEm, maxSizeEm * shrinkBy ** step));
}

interface Lines {
  /** Widths of the words, of a space and of a line, in em of the text. */
  readonly words: readonly number[];
  readonly spaceWidth: number;
  readonly lineWidth: number;
  readonly breaksWords: boolean;
}

/** Counts the lines of a text; infinite when a word is wider than a line and must not be broken. */
function countLines({ words, spaceWidth, lineWidth, breaksWords }: Lines): number {
  let lines = 1;
  let used = 0;
  for (const width of words) {
    if (used > 0 && used + spaceWidth + width > lineWidth) {
      lines += 1;
      used = 0;
    }
    used += (used > 0 ? spaceWidth : 0) + width;
    if (used <= lineWidth) continue;
    if (!breaksWords) return Number.POSITIVE_INFINITY;
    // Each part of a broken word leaves up to one character's space at the end of its line.
    const more = Math.ceil(used / (lineWidth * 0.94)) - 1;
    lines += more;
    used = Math.max(0, used - more * lineWidth * 0.94);
  }
  return lines;
}
