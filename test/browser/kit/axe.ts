import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Runs axe on a page, or on the element with that selector; returns the violated rules with the elements. */
export const axeOn = (page: Page, within = 'html'): Promise<unknown> => runAxe(page, within, {});

/** As `axeOn`, with only the rule about contrast: no other depends on the page's colours. */
export const contrastOn = (page: Page): Promise<unknown> =>
  runAxe(page, 'html', { runOnly: ['color-contrast'] });

async function runAxe(page: Page, within: string, options: object): Promise<unknown> {
  // Evaluated, not added as a script element, which the page's content policy would reject.
  await page.evaluate(axe);
  return page.evaluate(
    `axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html).join(' | ')))`,
  );
}
