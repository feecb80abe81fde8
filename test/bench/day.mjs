// Memory of a page that stays open for a day: the pours of a busy day run through the page in minutes, by the live
// stream of a real daemon. A leak per pour shows after two thousand of them.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { withBrowser } from './chromium.mjs';
import { pulse, startDaemon, withFolder, writeConfig } from './daemon.mjs';

const taps = 8;
/** 16 hours with a pour every half minute; `$BENCH_POURS` overrides it. */
const pours = Number(process.env.BENCH_POURS ?? 2_000);
/** Fills the lists and warms the code before the first measurement. */
const warmUp = 160;
const samplePour = { ticks: 200, hz: 500 };
/** The check of simultaneous pours is off: eight busy taps do end two pours in the same instant. */
const extraConfig = { pour: { min_ml: 0, idle_ms: 200 }, judgement: { simultaneous_ms: 0 } };
const timeoutMs = 15 * 60_000;

/** Allows for fragmentation of the heap. */
const maxHeapRatio = 1.15;
/** Allows for a toast. */
const maxNodes = 60;
const maxListeners = 10;

export const run = () =>
  withFolder((folder) =>
    withBrowser(async (browser) => {
      const daemon = await startDaemon(writeConfig(folder, taps, { extraConfig }));
      const database = new Sqlite(join(folder, 'tapster.db'), { readonly: true });
      const drinks = () => database.prepare('SELECT count(*) FROM drinks WHERE is_valid = 1').pluck().get();
      try {
        const pages = [];
        for (const [name, path] of [
          ['taps', '/'],
          ['board', '/kiosk'],
        ]) {
          pages.push({ name, ...(await openPage(browser, daemon.url + path)) });
        }
        await pourUntil(daemon.url, drinks, warmUp);
        const before = await measurePages(pages);
        await pourUntil(daemon.url, drinks, warmUp + pours);
        const after = await measurePages(pages);
        for (const { name, page } of pages) await requireLive(name, page, drinks());
        return pages.flatMap(({ name }, at) => rows(name, before[at], after[at]));
      } finally {
        database.close();
        await daemon.stop();
      }
    }),
  );

async function openPage(browser, url) {
  const page = await (await browser.newContext()).newPage();
  await page.goto(url);
  await page.locator('.tap, .kiosk-tile').first().waitFor();
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('HeapProfiler.enable');
  return { page, devTools };
}

/** Keeps one pour running at every tap until `targetCount` drinks are stored. */
async function pourUntil(url, drinks, targetCount) {
  const deadlineMs = performance.now() + timeoutMs;
  const initialCount = drinks();
  let requested = initialCount;
  while (drinks() < targetCount) {
    if (performance.now() > deadlineMs)
      throw new Error(`Only ${drinks()} of ${targetCount} pours were stored.`);
    if (requested - drinks() < taps && requested < targetCount) {
      await pulse(url, { meter: `pi.flow${requested % taps}`, ...samplePour });
      requested++;
    } else {
      await pause(10);
    }
  }
}

/** Heap, nodes and listeners of each page after garbage collection. */
async function measurePages(pages) {
  // Waits for the last live message and its animations.
  await pause(3_000);
  const samples = [];
  for (const { devTools } of pages) {
    for (let round = 0; round < 3; round++) await devTools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await devTools.send('Runtime.getHeapUsage');
    const { nodes, jsEventListeners } = await devTools.send('Memory.getDOMCounters');
    samples.push({ heapMib: usedSize / 2 ** 20, nodes, listeners: jsEventListeners });
  }
  return samples;
}

/** Fails when the page has lost the live stream: its memory would not grow either. */
async function requireLive(name, page, drinks) {
  const newest = await page.evaluate(
    `fetch('api/drinks?limit=1').then((reply) => reply.json()).then(({ result }) => result.paging.total)`,
  );
  const isLive = (await page.locator('.is-offline').count()) === 0;
  if (!isLive || newest !== drinks) throw new Error(`The page "${name}" lost the live stream.`);
}

function rows(name, before, after) {
  const heapRatio = after.heapMib / before.heapMib;
  return [
    {
      what: `Page of the ${name}, heap after ${pours} pours`,
      ours: `${after.heapMib.toFixed(2)} MiB`,
      bare: `${before.heapMib.toFixed(2)} MiB`,
      ratio: `${heapRatio.toFixed(2)} ×`,
      target: `≤ ${maxHeapRatio} ×`,
      met: heapRatio <= maxHeapRatio,
    },
    countRow(`Page of the ${name}, nodes`, before.nodes, after.nodes, maxNodes),
    countRow(`Page of the ${name}, listeners`, before.listeners, after.listeners, maxListeners),
  ];
}

const countRow = (what, before, after, max) => ({
  what,
  ours: String(after),
  bare: String(before),
  target: `≤ ${max} more`,
  met: after - before <= max,
});
