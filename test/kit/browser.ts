import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Debian's own; a download of a browser would need another network than a bar has. */
const debianChromium = '/usr/bin/chromium';

/** Start a headless Chromium with an empty profile; `TAPSTER_CHROMIUM` names another one. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env.TAPSTER_CHROMIUM ?? debianChromium;
  if (!existsSync(executablePath)) {
    throw new Error(`No browser at ${executablePath}: install chromium or set TAPSTER_CHROMIUM.`);
  }
  return await chromium.launch({
    executablePath,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      // A browser that looks up its maker's hosts would fail the promise that no request leaves the house.
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
