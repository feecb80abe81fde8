// CPU share of the daemon while sixteen meters run at 400 Hz, without and with one live page.
import { setTimeout as pause } from 'node:timers/promises';
import { pulse, startDaemon, withFolder, writeConfig } from './daemon.mjs';
import { cpuMs } from './process-stats.mjs';

const meters = 16;
const hz = 400;
const windowMs = 10_000;
const targetShare = 0.05;

export const run = () =>
  withFolder(async (folder) => {
    const daemon = await startDaemon(writeConfig(folder, meters));
    try {
      await pause(3_000);
      const idle = await shareOver(daemon.pid);
      const pouring = await shareWhilePouring(daemon);
      await pause(7_000);
      const stream = await openLiveStream(daemon.url);
      const watched = await shareWhilePouring(daemon);
      stream.close();
      return [row('CPU, 16 × 400 Hz', pouring, idle), row('CPU, the same with a live page', watched, idle)];
    } finally {
      await daemon.stop();
    }
  });

function row(what, share, idle) {
  const own = share - idle;
  return {
    what,
    ours: `${percent(share)}, less idle ${percent(own)}`,
    bare: `idle ${percent(idle)}`,
    target: '≤ 5 % of a core',
    met: own <= targetShare,
  };
}

const percent = (share) => `${(share * 100).toFixed(1)} %`;

/** CPU share while all meters pour, measured after the requests that start them. */
async function shareWhilePouring({ pid, url }) {
  const ticks = Math.ceil(((windowMs + 3_000) / 1_000) * hz);
  for (let i = 0; i < meters; i++) await pulse(url, { meter: `pi.flow${i}`, ticks, hz });
  await pause(1_000);
  return shareOver(pid);
}

async function shareOver(pid) {
  const before = { cpu: cpuMs(pid), at: performance.now() };
  await pause(windowMs);
  return (cpuMs(pid) - before.cpu) / (performance.now() - before.at);
}

/** Reads the live stream like a page, and checks on close that messages arrived. */
async function openLiveStream(url) {
  const controller = new AbortController();
  const answer = await fetch(`${url}/api/live`, { signal: controller.signal });
  if (answer.status !== 200) throw new Error(`No live stream: ${answer.status}`);
  let bytes = 0;
  const reading = (async () => {
    for await (const chunk of answer.body) bytes += chunk.length;
  })().catch(() => {});
  return {
    async close() {
      controller.abort();
      await reading;
      if (bytes < 10_000) throw new Error(`The live stream sent only ${bytes} bytes.`);
    },
  };
}
