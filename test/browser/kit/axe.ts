import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What a reader who cannot see or use a mouse would stumble over on a page: rules broken, with the parts that do. */
export async function axeOn(page: Page): Promise<unknown> {
  // Evaluated, not added as a script: the page's own policy stays in force.
  await page.evaluate(axe);
  return page.evaluate(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html).join(' | ')))`,
  );
}
