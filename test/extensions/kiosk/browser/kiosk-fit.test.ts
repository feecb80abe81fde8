import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { textProblem } from '../../../../src/core/health/problems.ts';
import { minNameShare } from '../../../../src/extensions/kiosk/web/kiosk-layout.ts';
import { axeOn } from '../../../browser/kit/axe.ts';
import { type FakeDaemon, startFakeDaemon } from '../../../browser/kit/fake-daemon.ts';
import { createDrink, createSnapshot } from '../../../browser/kit/live-messages.ts';
import { openBrowser } from '../../../kit/browser.ts';
import { createCrowdedTaps } from './crowded-taps.ts';

const screens = [
  { width: 1920, height: 1080 },
  { width: 3840, height: 2160 },
  { width: 1080, height: 1920 },
  { width: 1024, height: 600 },
];
const tapCounts = [4, 8, 12, 24];
const cases = screens.flatMap((screen) => tapCounts.map((taps) => ({ ...screen, taps })));

/** Folder for pictures of the screens; none are taken without it. */
const pictureFolder = process.env.TAPSTER_KIOSK_PICTURES;

let browser: Browser;
let daemon: FakeDaemon;
let page: Page;
const browserErrors: string[] = [];

beforeAll(async () => {
  browser = await openBrowser();
  daemon = await startFakeDaemon(createSnapshot());
  page = await browser.newPage({ locale: 'en-GB', colorScheme: 'dark' });
  page.on('pageerror', (error) => browserErrors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') browserErrors.push(message.text());
  });
});
afterEach(() => {
  expect(browserErrors).toEqual([]);
});
afterAll(async () => {
  await browser.close();
  await daemon.stop();
});

/** Opens the kiosk with taps that have long names and missing data. */
async function openKiosk({
  width,
  height,
  taps,
  query = '',
  units = 'metric',
}: {
  width: number;
  height: number;
  taps: number;
  query?: string;
  units?: 'metric' | 'us' | 'uk';
}) {
  const crowded = createCrowdedTaps(taps);
  daemon.sendSnapshot(
    createSnapshot({
      volume_units: units,
      title: 'The Bent Spile at the Old Harbour of Wilhelmshaven',
      address: 'http://taproom-of-the-bent-spile.local:8080',
      logo_url: '/icon.svg',
      prices_now: { name: 'Happy hour of the old harbour festival', until: '2026-05-01T19:00:00Z' },
      simulated: true,
      held: 3,
      problems: [{ part: 'disk', problems: [textProblem('The disk is nearly full.')] }],
      taps: crowded.map(({ tap }) => tap),
      drinks: [createDrink({ user_id: 'bartholomew-the-thirsty' })],
    }),
  );
  daemon.setBeverages(
    new Map(crowded.flatMap(({ tap, details }) => (details ? [[tap.id, details] as const] : []))),
  );
  await page.setViewportSize({ width, height });
  await page.goto(`${daemon.url}kiosk${query}`);
  await page
    .locator('.kiosk-tile')
    .nth(taps - 1)
    .waitFor();
  // The details of the beverages arrive after the taps.
  if (taps > 1) await page.getByText('120 IBU').or(page.locator('[data-shape="row"] img')).first().waitFor();
}

/** Everything that does not fit on the screen, in words. */
function findLayoutFaults(pg: Page, nameBound: number): Promise<readonly string[]> {
  return pg.evaluate((bound) => {
    const layoutFaults: string[] = [];
    const { scrollWidth, scrollHeight } = document.documentElement;
    if (scrollWidth > innerWidth || scrollHeight > innerHeight)
      layoutFaults.push(`scrolls: ${scrollWidth} × ${scrollHeight}`);
    const isInside = (inner: DOMRect, outer: DOMRect) =>
      inner.left >= outer.left - 1 &&
      inner.right <= outer.right + 1 &&
      inner.top >= outer.top - 1 &&
      inner.bottom <= outer.bottom + 1;
    const screenRect = new DOMRect(0, 0, innerWidth, innerHeight);
    const describe = (element: Element) => `${element.className}: ${element.textContent}`;
    for (const box of document.querySelectorAll('.kiosk-tile, .kiosk-head > *')) {
      if (!isInside(box.getBoundingClientRect(), screenRect))
        layoutFaults.push(`outside the screen: ${describe(box)}`);
    }
    // The lines of text as they are drawn, in their tile or in the head.
    const leaves: { element: Element; owner: Element; rect: DOMRect }[] = [];
    const walker = document.createTreeWalker(document.querySelector('.kiosk')!, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement!;
      if (!node.textContent?.trim() || element.closest('.visually-hidden, .odometer, .kiosk-description'))
        continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      leaves.push({
        element,
        owner: element.closest('.kiosk-tile, .kiosk-head')!,
        rect: range.getBoundingClientRect(),
      });
    }
    for (const { element, owner, rect } of leaves) {
      // A line box is smaller than the glyph box of its font, so the head and foot of the latter may stand out.
      const slack = rect.height * 0.12;
      const inked = new DOMRect(rect.x, rect.y + slack, rect.width, rect.height - 2 * slack);
      if (!isInside(inked, owner.getBoundingClientRect()))
        layoutFaults.push(`outside its tile: ${describe(element)}`);
      for (const other of leaves) {
        if (other.element === element || other.owner !== owner) continue;
        const overlapX = Math.min(rect.right, other.rect.right) - Math.max(rect.left, other.rect.left);
        const overlapY = Math.min(rect.bottom, other.rect.bottom) - Math.max(rect.top, other.rect.top);
        if (overlapX > 1 && overlapY > Math.min(rect.height, other.rect.height) * 0.4) {
          layoutFaults.push(`overlaps: ${describe(element)} and ${describe(other.element)}`);
        }
      }
    }
    for (const element of document.querySelectorAll(
      '.kiosk p, .kiosk h1, .kiosk h3, .kiosk-tap-name, .kiosk-foot',
    )) {
      if (element.classList.contains('kiosk-description') || element.classList.contains('visually-hidden'))
        continue;
      const lineSlack = Number.parseFloat(getComputedStyle(element).fontSize) * 0.3;
      if (element.scrollWidth > element.clientWidth + 1)
        layoutFaults.push(`clipped in width: ${describe(element)}`);
      if (element.scrollHeight > element.clientHeight + lineSlack)
        layoutFaults.push(`clipped in height: ${describe(element)}`);
    }
    for (const text of document.querySelectorAll('.kiosk-text')) {
      const own = text.getBoundingClientRect();
      for (const child of text.children) {
        if (child.getBoundingClientRect().bottom > own.bottom + 2)
          layoutFaults.push(`below its place: ${describe(child)}`);
      }
    }
    for (const heading of document.querySelectorAll('.kiosk h3')) {
      const size = Number.parseFloat(getComputedStyle(heading).fontSize);
      if (size < bound - 0.01) layoutFaults.push(`${size} px: ${describe(heading)}`);
    }
    return layoutFaults;
  }, nameBound);
}

test.each(cases)('$taps taps fit on $width × $height', async ({ width, height, taps }) => {
  await openKiosk({ width, height, taps });
  if (pictureFolder) await page.screenshot({ path: `${pictureFolder}/${width}x${height}-${taps}.png` });
  expect(await page.locator('.kiosk-tile').count()).toBe(taps);
  expect(await findLayoutFaults(page, Math.min(width, height) * minNameShare)).toEqual([]);
});

test.each([1, 2, 3, 5, 6, 7, 10, 16])('%i taps fit too', async (taps) => {
  for (const screen of [screens[0]!, screens[3]!]) {
    await openKiosk({ ...screen, taps });
    if (pictureFolder)
      await page.screenshot({ path: `${pictureFolder}/${screen.width}x${screen.height}-${taps}.png` });
    expect(await findLayoutFaults(page, Math.min(screen.width, screen.height) * minNameShare)).toEqual([]);
  }
});

test.each([
  '?hide=pictures,description',
  '?hide=pictures,description,price,level,pours,next,logo&menu=off',
  '?columns=2',
  '?drinkers=on&theme=light',
])('eight taps fit with %s', async (query) => {
  for (const screen of [screens[0]!, screens[2]!, screens[3]!]) {
    await openKiosk({ ...screen, taps: 8, query });
    if (pictureFolder)
      await page.screenshot({
        path: `${pictureFolder}/${screen.width}x${screen.height}-8${query.replace(/\W/g, '-')}.png`,
      });
    expect(await findLayoutFaults(page, Math.min(screen.width, screen.height) * minNameShare)).toEqual([]);
  }
});

test.each(['us', 'uk'] as const)('12 taps fit with volumes in %s units', async (units) => {
  for (const screen of screens) {
    await openKiosk({ ...screen, taps: 12, units });
    if (pictureFolder)
      await page.screenshot({ path: `${pictureFolder}/${screen.width}x${screen.height}-12-${units}.png` });
    expect(await findLayoutFaults(page, Math.min(screen.width, screen.height) * minNameShare)).toEqual([]);
  }
});

test('the tiles follow the size of the window', async () => {
  await openKiosk({ ...screens[0]!, taps: 12 });
  await page.setViewportSize({ width: 1080, height: 1920 });
  await expect.poll(() => findLayoutFaults(page, 1080 * minNameShare)).toEqual([]);
});

test('guests read no words for staff', async () => {
  await openKiosk({ ...screens[0]!, taps: 8 });
  const text = await page.locator('body').innerText();
  expect(text).not.toMatch(
    /simulat|meter|calibrat|held|review|problem|pin|disk|clock|counting|No connection/i,
  );
  expect(await page.getByRole('navigation').count()).toBe(0);
});

test('the kiosk has no accessibility violations in either theme', async () => {
  for (const theme of ['light', 'dark']) {
    await openKiosk({ ...screens[0]!, taps: 8, query: `?theme=${theme}` });
    expect(await axeOn(page)).toEqual([]);
  }
});
