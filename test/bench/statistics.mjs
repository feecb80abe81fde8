// Statistics and reports of a database with half a million drinks: the first read after a drink was recorded, and later
// ones; with many drinks per keg and user, and with sessions, kegs and users as in a bar.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createStaffKey, mainFile, startDaemon, withFolder, writeConfig } from './daemon.mjs';
import { addDrinks, shapes } from './data/many-drinks.mjs';
import { median } from './median.mjs';

const drinks = 500_000;
const userCounts = { even: 8, bar: 400 };
const rounds = 7;
const firstTargetMs = 300;
const laterTargetMs = 30;

const pages = (name) => [
  '/api/stats/system',
  '/api/stats',
  '/api/users/guest0/stats',
  `/api/kegs/${name === 'even' ? 1 : 40}/stats`,
  '/api/sessions/20/stats',
  '/api/sessions/directory',
  '/api/reports/days?limit=31',
  '/api/v1/status',
];

export const run = () =>
  withFolder(async (folder) => {
    const rows = [];
    for (const name of Object.keys(shapes)) rows.push(...(await measureShape(join(folder, name), name)));
    return rows;
  });

async function measureShape(folder, name) {
  const { url, key, stop } = await openDaemon(folder, name);
  const headers = { 'X-Kegbot-Api-Key': key };
  const get = async (path) => {
    const before = performance.now();
    const answer = await fetch(url + path, { headers });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`The reply to ${path} was ${answer.status}.`);
    return performance.now() - before;
  };
  const pour = async () => {
    const body = new URLSearchParams({ ticks: '54', username: 'guest0' });
    const answer = await fetch(`${url}/api/v1/taps/pi.flow0`, { method: 'POST', headers, body });
    if (answer.status !== 200) throw new Error(`The reply to the pour was ${answer.status}.`);
    await answer.arrayBuffer();
  };
  try {
    const rows = [];
    for (const path of pages(name)) {
      const first = [];
      const later = [];
      for (let i = 0; i < rounds; i++) {
        await pour();
        first.push(await get(path));
        later.push(await get(path));
      }
      rows.push(
        row(`${path} (${name}), first after a pour`, first, firstTargetMs),
        row(`${path} (${name}), later`, later, laterTargetMs),
      );
    }
    return rows;
  } finally {
    await stop();
  }
}

function row(what, times, target) {
  const ms = median(times);
  return {
    what,
    ours: `${ms.toFixed(1)} ms`,
    bare: '',
    ratio: '',
    target: `≤ ${target} ms`,
    met: ms <= target,
  };
}

async function openDaemon(folder, name) {
  mkdirSync(folder);
  const config = writeConfig(folder, 8);
  await (await startDaemon(config)).stop();
  const key = createStaffKey(config);
  await addUsers(join(folder, 'tapster.db'), userCounts[name]);
  addDrinks(join(folder, 'tapster.db'), drinks, shapes[name]);
  const daemon = await startDaemon(config);
  return { url: daemon.url, key, stop: daemon.stop };
}

async function addUsers(file, count) {
  const { openStore } = await import(new URL('store/store.js', `file://${mainFile}`).href);
  const store = openStore({ file });
  store.transaction(() => {
    for (let i = 0; i < count; i++) {
      store.users.add({
        username: `guest${i}`,
        displayName: `Guest ${i}`,
        email: '',
        isStaff: false,
        isSuperuser: false,
        isActive: true,
        joinedTimeMs: 0,
        passwordHash: null,
      });
    }
  });
  store.close();
}
