// The legacy API of the built daemon: reading eight taps and the status, and recording a pour, compared with bare Express; with twenty
// controllers at once; with a million drinks in the database.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createStaffKey, startDaemon, withFolder, writeConfig } from './daemon.mjs';
import { addDrinks } from './data/many-drinks.mjs';
import { median } from './median.mjs';
import { cpuMs } from './process-stats.mjs';
import { ratio } from './table.mjs';

const directory = dirname(fileURLToPath(import.meta.url));
const rounds = 7;
/** V8 optimizes code after thousands of calls; the daemon's larger code needs more of them. */
const warmUpRounds = 5;
const targetPostCpuMs = 0.9;
const runMs = 700;
const clients = 20;
const smallCount = 1_000;
const largeCount = 1_000_000;

export const run = () =>
  withFolder(async (folder) => {
    const small = await openDaemon(join(folder, 'small'), smallCount);
    const large = await openDaemon(join(folder, 'large'), largeCount);
    const bare = await openBare(folder, await fetchAnswers(small));
    const client = openClient();
    try {
      const taps = { small: readRequest(small), bare: readRequest(bare), large: readRequest(large) };
      const status = { small: statusRequest(small), bare: statusRequest(bare), large: statusRequest(large) };
      const pours = { small: pourRequest(small), bare: pourRequest(bare), large: pourRequest(large) };
      const pairs = [
        row('GET taps', await client.alternate(taps.small, taps.bare), 0.7),
        row('GET status', await client.alternate(status.small, status.bare), 0.7),
        ...postRows(await client.alternate(pours.small, pours.bare)),
        row(
          `POST with ${clients} controllers to 1`,
          await client.alternate({ ...pours.small, clients }, pours.small),
          1,
        ),
        row('GET taps at 1 000 000 drinks to 1 000', await client.alternate(taps.large, taps.small), 0.8),
        row(
          'GET status at 1 000 000 drinks to 1 000',
          await client.alternate(status.large, status.small),
          0.8,
        ),
        row('POST at 1 000 000 drinks to 1 000', await client.alternate(pours.large, pours.small), 0.8),
      ];
      return pairs;
    } finally {
      client.close();
      await Promise.all([small, large, bare].map((one) => one.stop()));
    }
  });

function row(what, { ours, bare }, target) {
  const share = median(ours.map((rate, i) => rate / bare[i]));
  return {
    what,
    ours: perSecond(median(ours)),
    bare: perSecond(median(bare)),
    ratio: ratio(share, 1),
    target: `≥ ${target} ×`,
    met: share >= target,
  };
}

function postRows(post) {
  const [ours, bare] = [median(post.oursCpuMs), median(post.bareCpuMs)];
  return [
    row('POST taps/<meter>, durable', post, 0.65),
    {
      what: 'CPU of a POST',
      ours: `${ours.toFixed(2)} ms`,
      bare: `${bare.toFixed(2)} ms`,
      ratio: ratio(ours, bare),
      target: `≤ ${targetPostCpuMs} ms`,
      met: ours <= targetPostCpuMs,
    },
  ];
}

const perSecond = (rate) => `${Math.round(rate)} /s`;

const readRequest = ({ port, pid }) => ({
  port,
  pid,
  clients: 1,
  request: 'GET /api/v1/taps HTTP/1.1\r\nHost: pi\r\n\r\n',
});

const statusRequest = ({ port, pid, key = 'x' }) => ({
  port,
  pid,
  clients: 1,
  request: `GET /api/v1/status HTTP/1.1\r\nHost: pi\r\nX-Kegbot-Api-Key: ${key}\r\n\r\n`,
});

/** A request as a Kegbot controller sends it. */
function pourRequest({ port, pid, key = 'x' }) {
  const body = 'tap_name=pi.flow0&ticks=54&duration=9&username=&pour_time={second}&now={second}';
  const head = [
    'POST /api/v1/taps/pi.flow0 HTTP/1.1',
    'Host: pi',
    `X-Kegbot-Api-Key: ${key}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.replaceAll('{second}', '1600000000').length}`,
  ];
  return { port, pid, clients: 1, request: `${head.join('\r\n')}\r\n\r\n${body}` };
}

/** Starts a daemon with eight taps on a database with `drinks` drinks. */
async function openDaemon(folder, drinks) {
  mkdirSync(folder);
  const config = writeConfig(folder, 8);
  await (await startDaemon(config)).stop();
  addDrinks(join(folder, 'tapster.db'), drinks);
  const key = createStaffKey(config);
  const daemon = await startDaemon(config);
  return { port: Number(new URL(daemon.url).port), pid: daemon.pid, url: daemon.url, key, stop: daemon.stop };
}

/** The daemon's replies, which the bare server sends as well. */
async function fetchAnswers({ url, key }) {
  const taps = await (await fetch(`${url}/api/v1/taps`)).text();
  const headers = { 'X-Kegbot-Api-Key': key };
  const status = await (await fetch(`${url}/api/v1/status`, { headers })).text();
  const post = { method: 'POST', headers, body: new URLSearchParams({ ticks: '54' }) };
  const drink = await (await fetch(`${url}/api/v1/taps/pi.flow0`, post)).text();
  return { taps, status, drink };
}

async function openBare(folder, answers) {
  const path = join(folder, 'answers.json');
  writeFileSync(path, JSON.stringify(answers));
  const child = spawn(process.execPath, [join(directory, 'legacy-bare.mjs'), join(folder, 'bare.db'), path], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
  });
  const port = await new Promise((done) => createInterface(child.stdout).once('line', done));
  return { port: Number(port), pid: child.pid, stop: () => stopChild(child) };
}

function openClient() {
  const child = spawn(process.execPath, [join(directory, 'legacy-client.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  /** Answers per second, and CPU time of the server for one, with all its threads. */
  async function measure({ pid, ...runOptions }) {
    const before = cpuMs(pid);
    child.stdin.write(`${JSON.stringify({ ms: runMs, ...runOptions })}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error('The client process has exited.');
    const { answers, ms } = JSON.parse(value);
    return { rate: (answers * 1_000) / ms, cpuMs: (cpuMs(pid) - before) / answers };
  }
  return {
    /** Measures both in alternation, so that other load affects both alike; the first rounds warm up. */
    async alternate(one, other) {
      const ours = [];
      const bare = [];
      for (let i = 0; i < warmUpRounds + rounds; i++) {
        ours.push(await measure(one));
        bare.push(await measure(other));
      }
      const values = (results, name) => results.slice(warmUpRounds).map((result) => result[name]);
      return {
        ours: values(ours, 'rate'),
        bare: values(bare, 'rate'),
        oursCpuMs: values(ours, 'cpuMs'),
        bareCpuMs: values(bare, 'cpuMs'),
      };
    },
    close: () => child.kill(),
  };
}

async function stopChild(child) {
  const exited = new Promise((done) => child.once('exit', done));
  child.kill();
  await exited;
}
