import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Debian's Chromium, so that the tests download no browser. */
const debianChromium = '/usr/bin/chromium';

/** Starts a headless Chromium with an empty profile; `TAPSTER_CHROMIUM` names another executable. */
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
      // Background requests to the browser's maker would fail the test that no request leaves the local
      // network.
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
