import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/**
 * Debian's Chromium, so that the tests download no browser. The headless shell has the same engine without the browser's own
 * windows and takes less than half of the processor time; the screenshots are made with it.
 */
const debianBrowsers = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** Starts a headless Chromium with an empty profile; `TAPSTER_CHROMIUM` names another executable. */
export async function openBrowser(flags: readonly string[] = []): Promise<Browser> {
  const executablePath = [process.env.TAPSTER_CHROMIUM ?? debianBrowsers]
    .flat()
    .find((path) => existsSync(path));
  if (executablePath === undefined) {
    throw new Error('No browser found: install chromium-headless-shell or set TAPSTER_CHROMIUM.');
  }
  const browser = await chromium.launch({
    executablePath,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      // Background requests to the browser's maker would fail the test that no request leaves the local
      // network.
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...flags,
    ],
  });
  // A service worker would answer before the test's own routes; its tests allow it.
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    // Playwright's own way, `block`, writes a warning to the console.
    if (options?.serviceWorkers !== 'allow')
      await context.addInitScript('delete Navigator.prototype.serviceWorker');
    return context;
  };
  return browser;
}
