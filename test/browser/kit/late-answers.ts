import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Delays of the answers, milliseconds: in turn, so that they arrive in another order than they were asked for. */
const delaysMs = [40, 180, 110, 320, 250];

/** A layout shift below the header: its share of the screen, as the browser computes it, and what moved. */
export interface Shift {
  readonly value: number;
  readonly moved: string;
}

/** Records what moves; the header changes once when it is known who is logged in. */
export const recordShifts = `
  window.layoutShifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      const moved = sources.filter(({ node }) => node && !(node.closest ? node : node.parentElement).closest('header'));
      if (moved.length > 0)
        window.layoutShifts.push({ value, moved: moved.map(({ node }) => node.textContent.slice(0, 60)).join(' | ') });
    }
  }).observe({ type: 'layout-shift', buffered: true });
`;

/** Opens a page as staff while each answer comes late; returns what moved until the last one was shown. */
export async function openLate(page: Page, url: string): Promise<readonly Shift[]> {
  let count = 0;
  let pending = 0;
  await page.unrouteAll();
  await page.route(/\/api\/(?!live|users\/me)/, async (route) => {
    const delayMs = delaysMs[count % delaysMs.length]!;
    count += 1;
    pending += 1;
    await new Promise((done) => setTimeout(done, delayMs));
    await route.continue();
    pending -= 1;
  });
  await page.goto(url);
  await page.locator('main.page[aria-busy="false"]').waitFor();
  await expect.poll(() => pending).toBe(0);
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  return page.evaluate('window.layoutShifts');
}
