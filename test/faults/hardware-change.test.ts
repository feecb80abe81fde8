import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningDaemon, runCommand, startDaemon } from '../kit/daemon.ts';
import { type FaultBar, makeFaultBar, pulse, request } from './fault-bar.ts';

const password = 'a good long password';

let bar: FaultBar;
let daemon: RunningDaemon;
let cookie: string;

beforeEach(async () => {
  bar = makeFaultBar();
  const user = ['user', 'add', 'root', '--superuser', '--password-stdin', '--config', bar.configFile];
  expect(await runCommand(user, { input: `${password}\n` })).toMatchObject({ code: 0 });
  await start();
});

afterEach(async () => {
  await daemon.kill();
  bar.remove();
});

/** Starts the daemon and logs in as a superuser, who confirms the password. */
async function start(): Promise<void> {
  daemon = await startDaemon(bar);
  const headers = { 'Content-Type': 'application/json', Origin: daemon.url };
  const send = (path: string, body: object, more = {}) =>
    fetch(`${daemon.url}/api${path}`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify(body),
    });
  const login = await send('/auth/login', { username: 'root', password });
  cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const confirmed = await send('/auth/confirm-password', { current_password: password }, { Cookie: cookie });
  expect(confirmed.status).toBe(200);
}

interface Part {
  readonly name: string;
  readonly pin: number;
  readonly fixed: boolean;
  readonly state: string;
}

const change = async (method: string, path: string, body?: object) => {
  const answer = await fetch(`${daemon.url}/api/hardware${path}`, {
    method,
    headers: { Cookie: cookie, 'Content-Type': 'application/json', Origin: daemon.url },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
};

const hardware = async () => {
  const { body } = await request(daemon.url, bar, '/api/hardware');
  const { meters, relays } = (body as unknown as { result: { hardware: { meters: Part[]; relays: Part[] } } })
    .result.hardware;
  const chosen = ({ fixed }: Part) => !fixed;
  return [...meters.filter(chosen), ...relays.filter(chosen)].map(({ name, pin, state }) => ({
    name,
    pin,
    state,
  }));
};

/** Ticks of every recorded pour of a meter, in the order of recording. */
function pours(meter: string): unknown[] {
  const db = new Sqlite(bar.database, { readonly: true });
  try {
    return db.prepare('SELECT ticks FROM drinks WHERE meter = ? ORDER BY id').pluck().all(meter);
  } finally {
    db.close();
  }
}

test('hardware that was added right before a power cut is in force after it, and its relays are shut', async () => {
  expect(await change('POST', '/relays', { pin: 24, active_low: true })).toMatchObject({ status: 201 });
  expect(await change('POST', '/meters', { pin: 5, port: 'annex' })).toMatchObject({ status: 201 });
  await pulse(daemon.url, 'pi.annex', 200, 400);
  await expect.poll(() => pours('pi.annex')).toEqual([200]);
  expect(await change('PATCH', '/meters/annex', { pin: 6 })).toMatchObject({ status: 200 });
  await daemon.kill();

  await start();
  expect(await hardware()).toEqual([
    { name: 'pi.annex', pin: 6, state: 'works' },
    { name: 'pi.relay0', pin: 24, state: 'works' },
  ]);
  const { body } = await request(daemon.url, bar, '/api/admin/valves');
  expect(JSON.stringify(body)).not.toContain('relay0');
  await pulse(daemon.url, 'pi.annex', 300, 400);
  await expect.poll(() => pours('pi.annex')).toEqual([200, 300]);

  expect(await change('DELETE', '/meters/annex')).toMatchObject({ status: 200 });
  await daemon.kill();
  await start();
  expect((await hardware()).map(({ name }) => name)).toEqual(['pi.relay0']);
});
