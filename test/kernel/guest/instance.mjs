// The built daemon in the guest: starts it with a configuration, requests pages, reads its database, stops or
// kills it.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestEnd } from './harness.mjs';

const main = '/tapster/dist/main.js';
/** Loaded when it is needed: the machine of the package has no program at first. */
const loadDatabase = () => createRequire('/tapster/package.json')('better-sqlite3');
const password = 'hop-garden';
let instances = 0;

/** Repeats `check` until it returns a truthy value; throws with `what` after the limit. */
export async function until(what, check, limitMs = 30_000) {
  const end = performance.now() + limitMs;
  while (performance.now() < end) {
    const found = await check();
    if (found) return found;
    await sleep(100);
  }
  throw new Error(`No ${what} within ${limitMs} ms.`);
}

/** An installation with its own folder, database and port. `settings` is the configuration file. */
export function createInstance(settings) {
  instances += 1;
  const folder = `/run/instance-${instances}`;
  const port = 8000 + instances;
  const database = `${folder}/tapster.db`;
  mkdirSync(folder);
  writeFileSync(`${folder}/tapster.json`, JSON.stringify(settings));
  const env = {
    PATH: process.env.PATH,
    HOME: '/root',
    TAPSTER_DATABASE: database,
    TAPSTER_HOST: '127.0.0.1',
    TAPSTER_PORT: String(port),
    TAPSTER_RATE_LIMITS: 'off',
    TAPSTER_HTTPS: 'off',
  };
  const config = ['--config', `${folder}/tapster.json`];
  let isSetUp = false;
  /**
   * Adds the first staff account, a superuser, which completes the set-up, before the daemon starts for the first time.
   */
  const setUp = () => {
    if (isSetUp) return;
    isSetUp = true;
    const add = [main, 'user', 'add', 'staff', '--superuser', '--password-stdin', ...config];
    spawnSync(process.execPath, add, { env, input: `${password}\n`, timeout: 60_000 });
  };
  return {
    database,
    /** Starts the daemon; `preload` is a script loaded before it. */
    start({ preload } = {}) {
      setUp();
      const command = [...(preload ? ['--require', preload] : []), main, ...config];
      return controlDaemon(spawn(process.execPath, command, { env }), port);
    },
    /** Runs another command of the program with the same configuration. */
    run: (...command) =>
      spawnSync(process.execPath, [main, ...command, ...config], { env, encoding: 'utf8', timeout: 60_000 }),
    /** Rows of the database as stored on the disk. */
    rows: (sql) => {
      const Database = loadDatabase();
      const db = new Database(database, { readonly: true });
      try {
        return db.prepare(sql).all();
      } finally {
        db.close();
      }
    },
  };
}

function controlDaemon(child, port) {
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      log += text;
    });
  }
  // Not 'exit': the last output may not have been received then.
  const exited = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  const end = (signal) => {
    child.kill(signal);
    return exited;
  };
  let over = false;
  exited.then(() => {
    over = true;
  });
  onTestEnd(() => end('SIGKILL'));
  const get = async (path) => {
    if (over) throw new Error(`The daemon has exited. Its log:\n${log.slice(-4_000)}`);
    return ask(port, path);
  };
  const getWhen = async (path, condition) => {
    const answer = await get(path).catch((error) => (over ? Promise.reject(error) : null));
    return answer !== null && condition(answer) ? answer : null;
  };
  const withLog = (waiting) =>
    waiting.catch((error) => {
      throw new Error(`${error.message} The daemon’s log:\n${log.slice(-4_000)}`);
    });
  return {
    pid: child.pid,
    log: () => log,
    get,
    /** Returns a function that sends changes as the superuser, who has confirmed the password. */
    async logIn() {
      const ask = async (method, path, body, cookie = '') => {
        const reply = await fetch(`http://127.0.0.1:${port}/api${path}`, {
          method,
          headers: { 'Content-Type': 'application/json', ...(cookie === '' ? {} : { Cookie: cookie }) },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        return { status: reply.status, body: await reply.json(), cookies: reply.headers.getSetCookie() };
      };
      const { cookies } = await ask('POST', '/auth/login', { username: 'staff', password });
      const [cookie] = cookies[0].split(';');
      await ask('POST', '/auth/confirm-password', { current_password: password }, cookie);
      return (method, path, body) => ask(method, path, body, cookie);
    },
    end,
    /** Waits until it counts, stores and serves. */
    healthy: () =>
      withLog(until('healthy daemon', () => getWhen('/healthz', ({ status }) => status === 200))),
    /** Waits until it reports a problem of a vital part. */
    unhealthy: () =>
      withLog(until('unhealthy daemon', () => getWhen('/healthz', ({ status }) => status === 503))),
    /** Waits until it serves, healthy or not. */
    serving: () => withLog(until('serving daemon', () => getWhen('/healthz', () => true))),
    /** Waits for `count` drinks; returns them newest first, as the API does. */
    drinks: async (count, limitMs) => {
      const answer = await withLog(
        until(
          `list of ${count} drinks`,
          () =>
            getWhen(
              '/api/drinks',
              ({ status, body }) => status === 200 && body.result.drinks.length >= count,
            ),
          limitMs,
        ),
      );
      return answer.body.result.drinks;
    },
  };
}

function ask(port, path) {
  return new Promise((resolve, reject) => {
    http
      .get({ host: '127.0.0.1', port, path, agent: false, timeout: 10_000 }, (reply) => {
        let text = '';
        reply.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        reply.on('end', () => resolve({ status: reply.statusCode, body: parsed(text) }));
      })
      .on('timeout', function onTimeout() {
        this.destroy(new Error(`No answer from ${path}.`));
      })
      .on('error', reject);
  });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
