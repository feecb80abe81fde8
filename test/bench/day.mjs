// The memory of a page that is left open for a day: a busy bar's pours of 24 hours go through the real page in minutes,
// by the live stream of the real daemon. What grows with each pour would show after two thousand of them.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { withBrowser } from './chromium.mjs';
import { pulse, startDaemon, withFolder, writeConfig } from './daemon.mjs';

const taps = 8;
/** A night of 16 hours with a glass every half minute; `$BENCH_POURS` for more or fewer. */
const pours = Number(process.env.BENCH_POURS ?? 2_000);
/** Lists fill up and code warms before the first look. */
const warmUp = 160;
const samplePour = { ticks: 200, hz: 500 };
/** Eight taps that never rest do end two pours in the same instant. */
const extraConfig = { pour: { idle_ms: 200 }, judgement: { simultaneous_ms: 0 } };
const timeoutMs = 15 * 60_000;

/** Heap that may come on top: the allocator’s own untidiness. */
const maxHeapRatio = 1.15;
/** A toast may have come or gone. */
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
          ['board', '/kiosk?night=off'],
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
  await page.locator('.tap').first().waitFor();
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('HeapProfiler.enable');
  return { page, devTools };
}

/** Keeps a glass or two waiting at every tap until so many are in the ledger. */
async function pourUntil(url, drinks, targetCount) {
  const deadlineMs = performance.now() + timeoutMs;
  const initialCount = drinks();
  let requested = initialCount;
  while (drinks() < targetCount) {
    if (performance.now() > deadlineMs)
      throw new Error(`Only ${drinks()} of ${targetCount} pours came through.`);
    if (requested - drinks() < taps && requested < targetCount) {
      await pulse(url, { meter: `pi.flow${requested % taps}`, ...samplePour });
      requested++;
    } else {
      await pause(10);
    }
  }
}

/** What each page holds once everything that nobody needs has been let go. */
async function measurePages(pages) {
  // The last house picture, and the settling of its animations.
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

/** A page that has stopped listening keeps its memory, too. */
async function requireLive(name, page, drinks) {
  const newest = await page.evaluate(
    `fetch('api/drinks?limit=1').then((reply) => reply.json()).then(({ result }) => result.paging.total)`,
  );
  const isLive = (await page.locator('.is-offline').count()) === 0;
  if (!isLive || newest !== drinks) throw new Error(`The page of the ${name} has not followed.`);
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
