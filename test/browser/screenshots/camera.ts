import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { openBrowser } from '../../kit/browser.ts';
import { openingMs, type SampleBar, type SampleBarOptions, startSampleBar } from './sample-bar.ts';
import type { Shot } from './shot.ts';

/** Heights of the screens by their widths, CSS pixels. */
const heights: Readonly<Record<number, number>> = { 390: 844, 768: 1024, 1024: 768, 1440: 900, 1920: 1080 };

/** A longer page is cut here, as a multiple of its width. */
const longestPage: Readonly<Record<number, number>> = { 390: 4, 768: 2, 1024: 1.5, 1440: 1.25, 1920: 1 };

const locales = { de: 'de-DE', en: 'en-GB' } as const;

/** Time without a request after which a page is complete, milliseconds. */
const quietMs = 150;

/** Text is drawn in the same way on every machine with these fonts. */
const browserFlags = [
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
];

const fonts = `:root { --display: "DejaVu Serif" !important; --body: "DejaVu Sans" !important; }
  *, *::before, *::after { animation: none !important; transition: none !important; caret-color: transparent !important; }`;

/** Takes pictures of sample bars, each of which starts when it is first needed. */
export async function createCamera() {
  const browser = await openBrowser(browserFlags);
  const bars = new Map<string, Promise<SampleBar>>();
  const pages = new Map<string, Promise<Page>>();

  const bar = (options: SampleBarOptions) => {
    const key = JSON.stringify(options);
    const started = bars.get(key) ?? startSampleBar(options);
    bars.set(key, started);
    return started;
  };

  /** The page of a browser profile for bar, theme and user. */
  async function page({ taps, isLong, theme, user, language }: Shot): Promise<Page> {
    const { login } = await bar({ taps, isLong, language });
    const key = `${taps} ${isLong} ${theme} ${user} ${language}`;
    const opened =
      pages.get(key) ??
      openPage(
        browser,
        { colorScheme: theme, locale: locales[language] },
        user === null ? null : login(user),
      );
    pages.set(key, opened);
    return await opened;
  }

  return {
    /** Opens the page of the shot; returns a function that takes a picture of it, PNG, each time that it is called. */
    async aim(shot: Shot): Promise<() => Promise<Buffer>> {
      const { path, width, taps, isLong, language, isFullScreen, act } = shot;
      const { url } = await bar({ taps, isLong, language });
      const subject = await page(shot);
      await subject.setViewportSize({ width, height: heights[width]! });
      const settled = watchRequests(subject);
      await subject.goto(url + path);
      await subject.locator('main').first().waitFor();
      await settled();
      if (act !== undefined) {
        await act(subject);
        await settled();
      }
      const isWholeScreen = act !== undefined || isFullScreen;
      const most = isWholeScreen
        ? heights[width]!
        : Math.max(heights[width]!, Math.round(width * longestPage[width]!));
      return async () => {
        await settled();
        const picture = await subject.screenshot({ fullPage: !isWholeScreen });
        const { height } = await sharp(picture).metadata();
        if (height <= most) return picture;
        return await sharp(picture).extract({ left: 0, top: 0, width, height: most }).png().toBuffer();
      };
    },
    async close() {
      await browser.close();
      for (const started of bars.values()) await (await started).close();
    },
  };
}

export type Camera = Awaited<ReturnType<typeof createCamera>>;

/** Opens a page whose clock, fonts and language are fixed, logged in by the cookie. */
async function openPage(
  browser: Browser,
  options: BrowserContextOptions,
  cookie: ReturnType<SampleBar['login']> | null,
): Promise<Page> {
  const context = await browser.newContext({
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    bypassCSP: true,
    ...options,
  });
  await context.clock.setFixedTime(openingMs);
  await context.addInitScript(`addEventListener('DOMContentLoaded', () => {
    document.head.append(Object.assign(document.createElement('style'), { textContent: ${JSON.stringify(fonts)} }));
  })`);
  if (cookie !== null) await context.addCookies([cookie]);
  return await context.newPage();
}

/** Returns a function that waits until the page has loaded everything and is painted. */
export function watchRequests(page: Page): () => Promise<void> {
  const running = new Set<object>();
  let lastChangeMs = Date.now();
  const note = (change: (request: object) => void) => (request: { url(): string }) => {
    if (request.url().endsWith('/api/live')) return;
    change(request);
    lastChangeMs = Date.now();
  };
  page.removeAllListeners();
  page.on(
    'request',
    note((request) => running.add(request)),
  );
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(
      end as 'requestfinished',
      note((request) => running.delete(request)),
    );
  return async () => {
    const isQuiet = () => running.size === 0 && Date.now() - lastChangeMs >= quietMs;
    while (!isQuiet()) await page.evaluate('new Promise(requestAnimationFrame)');
    await page.evaluate(
      `document.fonts.ready.then(() => Promise.all([...document.images].map((image) => image.loading === 'lazy' || image.decode().catch(() => {}))))
        .then(() => new Promise(requestAnimationFrame)).then(() => new Promise(requestAnimationFrame))`,
    );
  };
}
