import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

/** Debian's Chromium; `TAPSTER_CHROMIUM` overrides it. */
const executablePath = [
  process.env.TAPSTER_CHROMIUM ?? ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'],
]
  .flat()
  .find((path) => existsSync(path));

/**
 * Runs `work` with a headless Chromium and closes it.
 * @template T
 * @param {(browser: import('playwright-core').Browser) => Promise<T>} work
 */
export async function withBrowser(work) {
  if (executablePath === undefined) {
    throw new Error('No browser found: install chromium-headless-shell or set TAPSTER_CHROMIUM.');
  }
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}
