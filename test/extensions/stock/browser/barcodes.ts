import { Code128Reader } from '@zxing/library';
import type { Browser } from 'playwright-core';
import { encode } from 'uqr';

/** Symbols of Code 128 that stand for no digits: start of set B, the function that marks GS1, and the stop. */
const [startB, fnc1, stop] = [104, 102, 106];

/** Widths of the bars and gaps of each symbol; private in the library. */
const { CODE_PATTERNS: patterns } = Code128Reader as unknown as {
  readonly CODE_PATTERNS: readonly (readonly number[])[];
};

/** Widths of the bars and gaps of a GS1-128 code, beginning with a bar; `\u001d` is the separator. */
function gs1Bars(text: string): readonly number[] {
  const symbols = [startB, fnc1, ...[...text].map((c) => (c === '\u001d' ? fnc1 : c.charCodeAt(0) - 32))];
  const check = symbols.reduce((sum, symbol, place) => sum + symbol * Math.max(1, place), 0) % 103;
  return [...symbols, check, stop].flatMap((symbol) => [...patterns[symbol]!]);
}

async function draw(browser: Browser, svg: string): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 1_200, height: 800 } });
  await page.setContent(`<body style="margin:60px;background:white">${svg}</body>`);
  const picture = await page.screenshot();
  await page.close();
  return picture;
}

/** A picture of a GS1-128 code. */
export function drawGs1Code(browser: Browser, text: string): Promise<Buffer> {
  let x = 0;
  const bars = gs1Bars(text).map((width, place) => {
    const bar = place % 2 === 0 ? `<rect x="${x}" y="0" width="${width}" height="60"/>` : '';
    x += width;
    return bar;
  });
  return draw(browser, `<svg viewBox="0 0 ${x} 60" width="${x * 2}" height="160">${bars.join('')}</svg>`);
}

/** A picture of a QR code. */
export function drawQrCode(browser: Browser, text: string): Promise<Buffer> {
  const { data, size } = encode(text);
  const cells = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`<rect x="${x}" y="${y}" width="1" height="1"/>`] : [])),
  );
  return draw(
    browser,
    `<svg viewBox="-4 -4 ${size + 8} ${size + 8}" width="400" height="400" shape-rendering="crispEdges">${cells.join('')}</svg>`,
  );
}
