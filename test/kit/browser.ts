import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';

/**
 * Debian's Chromium, so that the tests download no browser. The headless shell has the same engine without the browser's own
 * windows and takes less than half of the processor time; the screenshots are made with it.
 */
const debianBrowsers = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** The browser that the files of a worker share: its start takes a second of processor time. */
let shared: Promise<Browser> | undefined;

/**
 * A headless Chromium with no profile but those that the caller makes; closing it closes these. The process is the worker's, unless
 * there are flags, and ends with the worker. `TAPSTER_CHROMIUM` names another executable.
 */
export async function openBrowser(flags: readonly string[] = []): Promise<Browser> {
  if (flags.length > 0) return lendBrowser(await launchBrowser(flags), true);
  // A browser that crashed is replaced.
  if (shared !== undefined && !(await shared).isConnected()) shared = undefined;
  shared ??= launchBrowser([]);
  return lendBrowser(await shared, false);
}

/** The browser as one test file has it: with own contexts, and closed without the others'. */
function lendBrowser(browser: Browser, isOwn: boolean): Browser {
  const contexts = new Set<BrowserContext>();
  const lent: Browser = Object.create(browser);
  lent.contexts = () => [...contexts];
  lent.newContext = async (options) => {
    const context = await browser.newContext(options);
    contexts.add(context);
    context.once('close', () => contexts.delete(context));
    // A service worker would answer before the test's own routes; its tests allow it.
    // Playwright's own way, `block`, writes a warning to the console.
    if (options?.serviceWorkers !== 'allow')
      await context.addInitScript('delete Navigator.prototype.serviceWorker');
    return context;
  };
  lent.newPage = async (options) => {
    const context = await lent.newContext(options);
    const page = await context.newPage();
    page.once('close', () => void context.close());
    return page;
  };
  lent.close = async () => {
    if (isOwn) await browser.close();
    else await Promise.all([...contexts].map((context) => context.close()));
  };
  return lent;
}

async function launchBrowser(flags: readonly string[]): Promise<Browser> {
  const executablePath = [process.env.TAPSTER_CHROMIUM ?? debianBrowsers]
    .flat()
    .find((path) => existsSync(path));
  if (executablePath === undefined) {
    throw new Error('No browser found: install chromium-headless-shell or set TAPSTER_CHROMIUM.');
  }
  return chromium.launch({
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
}
