// Metrics: CPU time of a pour with them on compared with off, and of a scrape of a bar with 24 taps after each pour.
import { join } from 'node:path';
import { createMeasuring } from '../../../../dist/core/measurements.js';
import { startMetrics } from '../../../../dist/extensions/metrics/daemon/start-metrics.js';
import { measureCommits } from '../../../../dist/services/measured-work.js';
import { withFolder } from '../../../bench/daemon.mjs';
import { median } from '../../../bench/median.mjs';
import { cpuTimed, openTapster } from '../../../bench/pour.mjs';
import { ratio } from '../../../bench/table.mjs';

const rounds = 1_000;
const warmUp = 100;
const taps = 24;
const targetRatio = 1.1;
const targetScrapeMs = 20;

export const run = () =>
  withFolder(async (folder) => {
    const pours = measurePours(folder);
    const scrapeMs = await measureScrapes(folder);
    return [
      {
        what: 'CPU of a pour with metrics on to off',
        ours: `${pours.on.toFixed(3)} ms`,
        bare: `${pours.off.toFixed(3)} ms`,
        ratio: ratio(pours.on, pours.off),
        target: `≤ ${targetRatio} ×`,
        met: pours.on <= pours.off * targetRatio,
      },
      {
        what: `Scrape of ${taps} taps after a pour`,
        ours: `${scrapeMs.toFixed(1)} ms`,
        target: `≤ ${targetScrapeMs} ms`,
        met: scrapeMs <= targetScrapeMs,
      },
    ];
  });

function measurePours(folder) {
  const on = openWithMetrics(join(folder, 'on.db'));
  const off = openTapster(join(folder, 'off.db'), { taps });
  const times = { on: [], off: [] };
  // In alternation, and each first in turn, so that caches and other load affect both alike.
  for (let i = 0; i < rounds + warmUp; i++) {
    const pair = [
      ['on', on],
      ['off', off],
    ];
    for (const [name, bar] of i % 2 === 0 ? pair : pair.reverse()) {
      const ms = cpuTimed(() => bar.record(i));
      if (i >= warmUp) times[name].push(ms);
    }
  }
  on.close();
  off.close();
  return { on: median(times.on), off: median(times.off) };
}

async function measureScrapes(folder) {
  const bar = openWithMetrics(join(folder, 'scrape.db'));
  const names = Array.from({ length: taps }, (_, i) => `pi.flow${i}`);
  const service = await bar.metrics.createService({
    counts: () => names.map((meter) => ({ meter, ticks: 1_000, refused: 1 })),
    meterStatuses: () => names.map((meter) => ({ meter, state: 'counting', problem: null })),
    lines: () => names.map((name) => ({ name, pin: 1, received: 1_000, lost: 0, dropped: 0, level: 1 })),
    now: () => ({ monoMs: 0, wallMs: Date.now(), synced: true, bootId: 'bench' }),
    runningPours: () => new Map(),
    openValves: () => [],
    latestTemperatures: () =>
      new Map(names.map((name) => [name, { tempC: 4, timeMs: Date.now(), isStale: false }])),
    newestBackupMs: () => 1,
    waitingPours: () => 0,
    journalBytes: () => 4_096,
    isMqttConnected: () => null,
    engine: () => bar.engine,
    healthParts: () => [],
  });
  const times = [];
  for (let i = 0; i < 60; i++) {
    bar.record(i);
    const started = process.cpuUsage();
    // Each format keeps its text for a second, so each scrape waits until it is read anew.
    await service.scrape('openmetrics');
    const { user, system } = process.cpuUsage(started);
    if (i >= 10) times.push((user + system) / 1_000);
    await new Promise((done) => setTimeout(done, 1_001));
  }
  bar.close();
  return median(times);
}

function openWithMetrics(file) {
  let metrics;
  const bar = openTapster(file, {
    taps,
    connect({ store, bus }) {
      const measuring = createMeasuring();
      metrics = startMetrics({ config: { database: file }, bus, engine: () => bar.engine, measuring });
      return measureCommits(store, measuring);
    },
  });
  return { ...bar, metrics };
}
