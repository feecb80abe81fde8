// The memory of a page that is left open for a day: a busy bar's pours of 24 hours go through the real page in minutes,
// by the live stream of the real daemon. What grows with each pour would show after two thousand of them.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { inBrowser } from './chromium.mjs';
import { inFolder, pulse, startDaemon, writeBar } from './house.mjs';

const taps = 8;
/** A night of 16 hours with a glass every half minute; `$BENCH_POURS` for more or fewer. */
const pours = Number(process.env.BENCH_POURS ?? 2_000);
/** Lists fill up and code warms before the first look. */
const warmUp = 160;
const glass = { ticks: 200, hz: 500 };
/** Eight taps that never rest do end two pours in the same instant. */
const more = { pour: { idle_ms: 200 }, judgement: { simultaneous_ms: 0 } };
const patienceMs = 15 * 60_000;

/** Heap that may come on top: the allocator’s own untidiness. */
const mostHeapRatio = 1.15;
/** A toast may have come or gone. */
const mostNodes = 60;
const mostListeners = 10;

export const run = () =>
  inFolder((folder) =>
    inBrowser(async (browser) => {
      const daemon = await startDaemon(writeBar(folder, taps, { more }));
      const ledger = new Sqlite(join(folder, 'tapster.db'), { readonly: true });
      const drinks = () => ledger.prepare('SELECT count(*) FROM drinks WHERE is_valid = 1').pluck().get();
      try {
        const pages = [];
        for (const [name, path] of [
          ['taps', '/'],
          ['board', '/kiosk?night=off'],
        ]) {
          pages.push({ name, ...(await openPage(browser, daemon.url + path)) });
        }
        await pourUntil(daemon.url, drinks, warmUp);
        const before = await lookAt(pages);
        await pourUntil(daemon.url, drinks, warmUp + pours);
        const after = await lookAt(pages);
        for (const { name, page } of pages) await mustBeAlive(name, page, drinks());
        return pages.flatMap(({ name }, at) => rows(name, before[at], after[at]));
      } finally {
        ledger.close();
        await daemon.stop();
      }
    }),
  );

async function openPage(browser, url) {
  const page = await (await browser.newContext()).newPage();
  await page.goto(url);
  await page.locator('.tap').first().waitFor();
  const tools = await page.context().newCDPSession(page);
  await tools.send('HeapProfiler.enable');
  return { page, tools };
}

/** Keeps a glass or two waiting at every tap until so many are in the ledger. */
async function pourUntil(url, drinks, wanted) {
  const endAt = performance.now() + patienceMs;
  const begun = drinks();
  let asked = begun;
  while (drinks() < wanted) {
    if (performance.now() > endAt) throw new Error(`Only ${drinks()} of ${wanted} pours came through.`);
    if (asked - drinks() < taps && asked < wanted) {
      await pulse(url, { meter: `pi.flow${asked % taps}`, ...glass });
      asked++;
    } else {
      await pause(10);
    }
  }
}

/** What each page holds once everything that nobody needs has been let go. */
async function lookAt(pages) {
  // The last house picture, and the settling of its animations.
  await pause(3_000);
  const looks = [];
  for (const { tools } of pages) {
    for (let round = 0; round < 3; round++) await tools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await tools.send('Runtime.getHeapUsage');
    const { nodes, jsEventListeners } = await tools.send('Memory.getDOMCounters');
    looks.push({ heapMib: usedSize / 2 ** 20, nodes, listeners: jsEventListeners });
  }
  return looks;
}

/** A page that has stopped listening keeps its memory, too. */
async function mustBeAlive(name, page, drinks) {
  const newest = await page.evaluate(
    `fetch('api/drinks?limit=1').then((reply) => reply.json()).then(({ result }) => result.paging.total)`,
  );
  const isLive = (await page.locator('.is-away').count()) === 0;
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
      target: `≤ ${mostHeapRatio} ×`,
      met: heapRatio <= mostHeapRatio,
    },
    counted(`Page of the ${name}, nodes`, before.nodes, after.nodes, mostNodes),
    counted(`Page of the ${name}, listeners`, before.listeners, after.listeners, mostListeners),
  ];
}

const counted = (what, before, after, most) => ({
  what,
  ours: String(after),
  bare: String(before),
  target: `≤ ${most} more`,
  met: after - before <= most,
});
