// Lists and statistics of a database with a million drinks and five million temperatures, compared with a thousand of
// each: pages must not become slower over the years.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { mainFile, startDaemon, withFolder, writeConfig } from './daemon.mjs';
import { addDrinks } from './many-drinks.mjs';
import { addTemperatures } from './many-temperatures.mjs';
import { median } from './median.mjs';
import { ratio } from './table.mjs';

const small = { drinks: 1_000, temperatures: 1_000 };
const large = { drinks: 1_000_000, temperatures: 5_000_000 };
/** Few, so that in the small database too one user has a hundred sessions: a page shows as many in both. */
const userCount = 8;
const targetRatio = 1.25;
const rounds = 15;
/** The last whole hour. Temperatures end with it, so that both databases contain the requested minutes. */
const endMs = Math.floor(Date.now() / 3_600_000) * 3_600_000;
const hoursAgo = (hours) => new Date(endMs - hours * 3_600_000).toISOString();
const requestsPerRound = 12;

/** Requests; `half` is an id in the middle, `bound` the target ratio where two filters are combined. */
const queries = [
  { what: 'drinks', path: () => '/drinks' },
  { what: 'drinks of a user', path: () => '/drinks?user=guest3' },
  { what: 'drinks of a keg', path: () => '/drinks?keg=1' },
  { what: 'drinks of a tap', path: () => '/drinks?tap=1' },
  { what: 'drinks of a session', path: () => '/drinks?session=20' },
  {
    what: 'drinks of an old day',
    path: () => '/drinks?since=2016-01-02T18:00:00Z&until=2016-01-03T18:00:00Z',
  },
  { what: 'drinks from the middle', path: ({ half }) => `/drinks?start=${half}` },
  { what: 'events', path: () => '/events' },
  { what: 'events since the middle', path: ({ half }) => `/events?since=${half}` },
  { what: 'events of a kind', path: () => '/events?kind=drink_poured' },
  { what: 'events of a user', path: () => '/events?user=guest3' },
  { what: 'events of a keg', path: () => '/events?keg=1' },
  { what: 'sessions', path: () => '/sessions' },
  { what: 'sessions of a day', path: () => '/sessions?year=2016&month=1&day=2' },
  { what: 'sessions of a keg', path: () => '/kegs/1/sessions' },
  { what: 'temperatures', path: () => '/thermo-logs' },
  { what: 'temperatures of a sensor', path: () => '/thermo-logs?sensor=2' },
  {
    what: 'temperatures of an hour',
    path: () => `/thermo-logs?since=${hoursAgo(2)}&until=${hoursAgo(1)}`,
  },
  {
    what: 'chart of two hours',
    path: () => `/thermo-sensors/2/chart?since=${hoursAgo(2)}&until=${hoursAgo(0)}`,
  },
  { what: 'statistics of the site', path: () => '/stats' },
  { what: 'statistics of a user', path: () => '/users/guest3/stats' },
  { what: 'statistics of a keg', path: () => '/kegs/1/stats' },
  { what: 'statistics of a session', path: () => '/sessions/20/stats' },
  { what: 'drinks of a user and keg', path: () => '/drinks?user=guest3&keg=1', bound: 6 },
  { what: 'drinks of a user and tap', path: () => '/drinks?user=guest3&tap=1', bound: 6 },
  { what: 'events of a keg and kind', path: () => '/events?keg=1&kind=drink_poured', bound: 6 },
];

export const run = () =>
  withFolder(async (folder) => {
    const few = await openDaemon(join(folder, 'small'), small);
    const many = await openDaemon(join(folder, 'large'), large);
    try {
      const rows = [];
      for (const query of queries) rows.push(await compare(query, few, many));
      return rows;
    } finally {
      await Promise.all([few.stop(), many.stop()]);
    }
  });

async function compare({ what, path, bound = targetRatio }, few, many) {
  const times = { few: [], many: [] };
  // In alternation, so that other load affects both alike; the first rounds warm up.
  for (let i = -3; i < rounds; i++) {
    const fewMs = await measureTime(few, path(few));
    const manyMs = await measureTime(many, path(many));
    if (i < 0) continue;
    times.few.push(fewMs);
    times.many.push(manyMs);
  }
  const share = median(times.many.map((ms, i) => ms / times.few[i]));
  return {
    what: `GET ${what}`,
    ours: `${median(times.many).toFixed(2)} ms`,
    bare: `${median(times.few).toFixed(2)} ms`,
    ratio: ratio(share, 1),
    target: `≤ ${bound} ×`,
    met: share <= bound,
  };
}

async function measureTime({ port, agent }, path) {
  const times = [];
  for (let i = 0; i < requestsPerRound; i++) {
    const before = performance.now();
    await request(port, agent, `/api${path}`);
    times.push(performance.now() - before);
  }
  return median(times);
}

const request = (port, agent, path) =>
  new Promise((resolve, reject) => {
    get({ port, agent, path, host: '127.0.0.1' }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`The reply to ${path} was ${answer.statusCode}.`));
      answer.resume().once('end', resolve);
    }).once('error', reject);
  });

/** Starts a daemon with eight taps on a database of that size with up-to-date statistics. */
async function openDaemon(folder, { drinks, temperatures }) {
  mkdirSync(folder);
  const config = writeConfig(folder, 8);
  const file = join(folder, 'tapster.db');
  await (await startDaemon(config)).stop();
  for (let i = 0; i < userCount; i++) {
    execFileSync(
      process.execPath,
      [mainFile, 'user', 'add', `guest${i}`, '--password-stdin', '--config', config],
      {
        input: 'a good password',
        env: { PATH: process.env.PATH },
      },
    );
  }
  addDrinks(file, drinks);
  addTemperatures(file, temperatures, endMs);
  await updateStatistics(file);
  const daemon = await startDaemon(config);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    port: Number(new URL(daemon.url).port),
    agent,
    half: drinks / 2,
    async stop() {
      agent.destroy();
      await daemon.stop();
    },
  };
}

/** Updates the statistics at once; the daemon does it gradually in the background. */
async function updateStatistics(file) {
  const { openStore } = await import(new URL('store/store.js', `file://${mainFile}`).href);
  const store = openStore({ file });
  const batchSize = 65_536;
  while (store.statistics.pendingCount() > 0) store.transaction(() => store.statistics.addPending(batchSize));
  store.close();
}
