import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { type ParsedMessage, parseMessage } from '../../../src/core/locales/parse-message.ts';

const file = new URL('../../../locales/en.json', import.meta.url);
const accents: Readonly<Record<string, string>> = {
  a: 'å',
  e: 'é',
  i: 'î',
  o: 'ö',
  u: 'ü',
  A: 'Å',
  E: 'É',
  O: 'Ö',
  n: 'ñ',
  y: 'ÿ',
};

/** Share by which texts grow: German and French need 30 to 40 % more space than English. */
const growth = 0.4;

/** Makes a text longer and puts accents on its letters; it stays readable. */
function toPseudoText(text: string): string {
  const letters = text.replace(/[a-z]/gi, (letter) => accents[letter] ?? letter);
  const extra = Math.round(text.replace(/[^a-z]/gi, '').length * growth);
  // Doubled vowels lengthen words as long German words do; more words would only wrap.
  let left = extra;
  return letters.replace(/[åéîöü]/gi, (vowel) => {
    const times = Math.min(left, 2);
    left -= times;
    return vowel.repeat(1 + times);
  });
}

const printMessage = (parts: ParsedMessage): string =>
  parts
    .map((part) => {
      if (typeof part === 'string') return toPseudoText(part);
      const { name, type, forms } = part;
      if (type === 'text') return `{${name}}`;
      if (type === 'number') return `{${name}, number}`;
      const printed = Object.entries(forms).map(([form, message]) => `${form} {${printMessage(message)}}`);
      return `{${name}, ${type}, ${printed.join(' ')}}`;
    })
    .join('');

/** The English catalogue with longer texts and accents. */
export function makePseudoCatalogue(): Readonly<Record<string, string>> {
  const english = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  return Object.fromEntries(
    Object.entries(english).map(([key, text]) => [key, printMessage(parseMessage(text))]),
  );
}

/** Serves the pseudo catalogue in place of the English one to a page. */
export async function usePseudoLocale(page: Page) {
  const body = `export default ${JSON.stringify(makePseudoCatalogue())};`;
  await page.route(/\/en-[^/]*\.js$/, (route) =>
    route.fulfill({ contentType: 'text/javascript; charset=utf-8', body }),
  );
}
