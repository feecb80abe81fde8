import { writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type BarFolder,
  makeBar,
  quickBar,
  type RunningDaemon,
  runCommand,
  startDaemon,
} from '../../../kit/daemon.ts';
import { freePort } from '../../../kit/ports.ts';

let bar: BarFolder;
let daemon: RunningDaemon;
let key: string;

const write = (settings: object) =>
  writeFileSync(bar.configFile, JSON.stringify({ ...quickBar, database: bar.database, ...settings }));

beforeAll(async () => {
  bar = makeBar(quickBar);
  // Nobody listens there: what is published waits.
  write({ mqtt: { enabled: true, host: '127.0.0.1', port: await freePort(), topic_site: 'bar1' } });
  daemon = await startDaemon(bar);
  await runCommand(['user', 'add', 'root', '--superuser', '--password-stdin', '--config', bar.configFile], {
    input: 'a good long password\n',
  });
  key = (await runCommand(['key', 'create', 'root', '--config', bar.configFile])).out.trim();
});
afterAll(async () => {
  await daemon?.kill();
  bar?.remove();
});

const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(daemon.url + path, {
    ...init,
    headers: { 'X-Kegbot-Api-Key': key, 'Content-Type': 'application/json' },
  });
/** The messages for the broker that wait, as the database has them. */
function waiting(): number {
  const db = new Database(bar.database, { readonly: true });
  const count = db.prepare("SELECT count(*) FROM outbox WHERE kind = 'mqtt' AND state = 'waiting'");
  const rows = count.pluck().get() as number;
  db.close();
  return rows;
}

test('a broker in the settings file switches MQTT on, and the page cannot switch it off', async () => {
  await expect.poll(async () => (await ask('/api/admin/mqtt')).status).toBe(200);
  expect(await (await ask('/api/admin/mqtt')).json()).toMatchObject({ result: { state: 'connecting' } });
  const refused = await ask('/api/admin/features', { method: 'PATCH', body: '{"mqtt":false}' });
  expect(refused.status).toBe(409);
  const pour = await fetch(`${daemon.url}/api/v1/taps/pi.flow0`, {
    method: 'POST',
    headers: { 'X-Kegbot-Api-Key': key },
    body: new URLSearchParams({ ticks: '50' }),
  });
  expect(pour.status).toBe(200);
  expect(waiting()).toBeGreaterThan(0);
});

test('without it in the settings file it is off: its address says so, and nothing waits for the broker', async () => {
  await daemon.kill();
  write({});
  daemon = await startDaemon(bar);
  const off = await ask('/api/admin/mqtt');
  expect(off.status).toBe(404);
  expect(await off.json()).toMatchObject({ error: { reason: { name: 'feature_off', feature: 'mqtt' } } });
  await expect.poll(waiting).toBe(0);
});
