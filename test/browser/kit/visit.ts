import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { HouseMessage } from '../../../src/http/live/shapes.ts';
import { type HouseStage, openStage } from './house-stage.ts';

/** A guest before the page, and everything the browser had to complain about. */
export interface Visit {
  readonly stage: HouseStage;
  readonly page: Page;
  /** Errors in the console (refused styles and scripts among them), thrown errors, and requests to strangers. */
  readonly complaints: readonly string[];
  end(): Promise<void>;
}

/** Open the built page in a fresh profile on a house of the test's own. */
export async function visit(
  browser: Browser,
  house: HouseMessage,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const stage = await openStage(house);
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(stage.url)) complaints.push(`asked ${request.url()}`);
  });
  await page.goto(stage.url);
  await page.getByRole('heading', { level: 1, name: house.title, exact: true }).waitFor();
  return {
    stage,
    page,
    complaints,
    async end() {
      await context.close();
      await stage.leave();
    },
  };
}
