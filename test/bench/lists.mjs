// Lists of a database with 500 000 drinks and five million temperatures: five years of a busy bar. Each
// time has a limit; its ratio to that of a thousand drinks and temperatures is for information.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { mainFile, startDaemon, withFolder, writeConfig } from './daemon.mjs';
import { addDrinks } from './data/many-drinks.mjs';
import { addTemperatures } from './data/many-temperatures.mjs';
import { median } from './median.mjs';
import { ratio } from './table.mjs';

const small = { drinks: 1_000, temperatures: 1_000 };
const large = { drinks: 500_000, temperatures: 5_000_000 };
/** Few, so that in the small database too one user has a hundred sessions: a page shows as many in both. */
const userCount = 8;
const pageMs = 30;
/** A chart reads 43 200 minutes for a month of hours, milliseconds. */
const chartMs = 300;
const rounds = 9;
/** The last whole hour. Temperatures end with it, so that both databases contain the requested minutes. */
const endMs = Math.floor(Date.now() / 3_600_000) * 3_600_000;
const hoursAgo = (hours) => new Date(endMs - hours * 3_600_000).toISOString();
const requestsPerRound = 5;

/** Requests; `half` is an id in the middle. */
const queries = [
  { what: 'drinks', path: () => '/drinks' },
  { what: 'drinks of a user', path: () => '/drinks?user=guest3' },
  { what: 'drinks of a keg', path: () => '/drinks?keg=1' },
  { what: 'drinks of a tap', path: () => '/drinks?tap=1' },
  { what: 'drinks of a session', path: () => '/drinks?session=20' },
  { what: 'drinks without a user', path: () => '/drinks?unattributed=true' },
  { what: 'drinks without a user of a tap', path: () => '/drinks?unattributed=true&tap=1' },
  {
    what: 'drinks of an old day',
    path: () => '/drinks?since=2016-01-02T18:00:00Z&until=2016-01-03T18:00:00Z',
  },
  {
    what: 'drinks of an old year',
    path: () => '/drinks?since=2017-01-01T00:00:00Z&until=2018-01-01T00:00:00Z',
  },
  {
    what: 'drinks of a user in an old year',
    path: () => '/drinks?user=guest3&since=2017-01-01T00:00:00Z&until=2018-01-01T00:00:00Z',
  },
  { what: 'drinks from the middle', path: ({ half }) => `/drinks?start=${half}` },
  { what: 'events', path: () => '/events' },
  { what: 'events since the middle', path: ({ half }) => `/events?since=${half}` },
  { what: 'events of a kind', path: () => '/events?kind=drink_poured' },
  { what: 'events of a rare kind', path: () => '/events?kind=session_started' },
  { what: 'events of a session', path: () => '/events?session=20' },
  { what: 'events of a user', path: () => '/events?user=guest3' },
  { what: 'events of a keg', path: () => '/events?keg=1' },
  { what: 'sessions', path: () => '/sessions' },
  { what: 'sessions of a day', path: () => '/sessions?year=2016&month=1&day=2' },
  { what: 'sessions of a year', path: () => '/sessions?year=2017' },
  { what: 'sessions of a keg', path: () => '/kegs/1/sessions' },
  { what: 'temperatures', path: () => '/thermo-logs' },
  { what: 'temperatures of a sensor', path: () => '/thermo-logs?sensor=2' },
  {
    what: 'temperatures of an hour',
    path: () => `/thermo-logs?since=${hoursAgo(2)}&until=${hoursAgo(1)}`,
  },
  {
    what: 'temperatures of a sensor and hour',
    path: () => `/thermo-logs?sensor=2&since=${hoursAgo(2)}&until=${hoursAgo(1)}`,
  },
  { what: 'temperatures since a year', path: () => `/thermo-logs?since=${hoursAgo(8_766)}` },
  {
    what: 'chart of two hours',
    path: () => `/thermo-sensors/2/chart?since=${hoursAgo(2)}&until=${hoursAgo(0)}`,
  },
  { what: 'drinks of a user and keg', path: () => '/drinks?user=guest3&keg=1' },
  { what: 'drinks of a user and tap', path: () => '/drinks?user=guest3&tap=1' },
  { what: 'events of a keg and kind', path: () => '/events?keg=1&kind=drink_poured' },
  {
    what: 'hours of a sensor for a month',
    path: () => `/thermo-sensors/2/chart?since=${hoursAgo(720)}&until=${hoursAgo(0)}`,
    targetMs: chartMs,
  },
  { what: 'users', path: () => '/users' },
  { what: 'kegs', path: () => '/kegs' },
  { what: 'auth tokens', path: () => '/auth-tokens' },
  { what: 'audit log', path: () => '/audit' },
  { what: 'audit log of a day', path: () => `/audit?since=${hoursAgo(24)}` },
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

async function compare({ what, path, targetMs = pageMs }, few, many) {
  const times = { few: [], many: [] };
  // In alternation, so that other load affects both alike; the first rounds warm up.
  for (let i = -3; i < rounds; i++) {
    const fewMs = await measureTime(few, path(few));
    const manyMs = await measureTime(many, path(many));
    if (i < 0) continue;
    times.few.push(fewMs);
    times.many.push(manyMs);
  }
  const ms = median(times.many);
  return {
    what: `GET ${what}`,
    ours: `${ms.toFixed(2)} ms`,
    bare: `${median(times.few).toFixed(2)} ms`,
    ratio: ratio(median(times.many.map((one, i) => one / times.few[i])), 1),
    target: `≤ ${targetMs} ms`,
    met: ms <= targetMs,
  };
}

async function measureTime(server, path) {
  const times = [];
  for (let i = 0; i < requestsPerRound; i++) {
    const before = performance.now();
    await request(server, `/api${path}`);
    times.push(performance.now() - before);
  }
  return median(times);
}

const request = ({ port, agent, key }, path) =>
  new Promise((resolve, reject) => {
    get({ port, agent, path, host: '127.0.0.1', headers: { 'X-Kegbot-Api-Key': key } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`The reply to ${path} was ${answer.statusCode}.`));
      answer.resume().once('end', resolve);
    }).once('error', reject);
  });

/** Starts a daemon with eight taps on a database of that size. */
async function openDaemon(folder, { drinks, temperatures }) {
  mkdirSync(folder);
  const config = writeConfig(folder, 8);
  const file = join(folder, 'tapster.db');
  await (await startDaemon(config)).stop();
  const tapster = (...words) =>
    execFileSync(process.execPath, [mainFile, ...words, '--config', config], {
      input: 'a good password',
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    });
  for (let i = 0; i < userCount; i++) {
    tapster('user', 'add', `guest${i}`, ...(i === 0 ? ['--staff'] : []), '--password-stdin');
  }
  const key = tapster('key', 'create', 'guest0').trim();
  addDrinks(file, drinks);
  addTemperatures(file, temperatures, endMs);
  const daemon = await startDaemon(config);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    port: Number(new URL(daemon.url).port),
    agent,
    key,
    half: drinks / 2,
    async stop() {
      agent.destroy();
      await daemon.stop();
    },
  };
}
