import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type BarFolder,
  makeBar,
  quickBar,
  type RunningDaemon,
  runCommand,
  startDaemon,
} from '../../kit/daemon.ts';

let bar: BarFolder;
let daemon: RunningDaemon;
let key: string;

beforeAll(async () => {
  bar = makeBar({ ...quickBar, features: { kiosk: false } });
  daemon = await startDaemon(bar);
  await runCommand(['user', 'add', 'root', '--superuser', '--password-stdin', '--config', bar.configFile], {
    input: 'a good long password\n',
  });
  key = (await runCommand(['key', 'create', 'root', '--config', bar.configFile])).out.trim();
});
afterAll(async () => {
  await daemon.kill();
  bar.remove();
});

async function call(method: string, path: string, body?: object) {
  const reply = await fetch(`${daemon.url}/api${path}`, {
    method,
    headers: { 'X-Kegbot-Api-Key': key, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: reply.status, body: await reply.json() };
}

const settings = async () => (await call('GET', '/admin/menu-publication')).status;

test('a feature is switched while the daemon counts: its address, its pours and the way back', async () => {
  expect((await call('GET', '/admin/menu-publication')).body.error.reason).toEqual({
    name: 'feature_off',
    feature: 'menu-publication',
  });
  await call('POST', '/simulator/pulses', { meter: 'pi.flow0', ticks: 1_500, hz: 400 });
  const switched = await call('PATCH', '/admin/features', { 'menu-publication': true });
  expect(switched.status).toBe(200);
  await expect.poll(settings).toBe(200);
  await call('PATCH', '/admin/features', { 'menu-publication': false });
  await expect.poll(settings).toBe(404);
  await call('PATCH', '/admin/features', { 'menu-publication': true });
  await expect.poll(settings).toBe(200);
  // The pour ran while the feature was switched three times.
  await expect
    .poll(async () =>
      (await call('GET', '/drinks')).body.result.drinks.map(({ ticks }: { ticks: number }) => ticks),
    )
    .toEqual([1_500]);
  const { body } = await call('GET', '/audit');
  expect(
    body.result.entries.filter((entry: { action: string }) => entry.action === 'features.changed'),
  ).toHaveLength(3);
});

test('a request that is running while a feature is switched ends as usual', async () => {
  const { hostname, port } = new URL(daemon.url);
  const body = JSON.stringify({ name: 'Slow brewery' });
  const slow = request({
    hostname,
    port,
    method: 'POST',
    path: '/api/beverage-producers',
    headers: { 'X-Kegbot-Api-Key': key, 'Content-Type': 'application/json', 'Content-Length': body.length },
  });
  const answered = once(slow, 'response');
  slow.write(body.slice(0, 5));
  await call('PATCH', '/admin/features', { 'menu-publication': false });
  await expect.poll(settings).toBe(404);
  slow.end(body.slice(5));
  const [response] = (await answered) as [{ statusCode: number }];
  expect(response.statusCode).toBe(201);
});

test('what the settings file decides cannot be switched on the page', async () => {
  const { status, body } = await call('PATCH', '/admin/features', { kiosk: true });
  expect([status, body.error.reason]).toEqual([409, { name: 'feature_fixed', feature: 'kiosk' }]);
  const { features } = (await call('GET', '/admin/features')).body.result;
  expect(features.find(({ name }: { name: string }) => name === 'kiosk')).toMatchObject({
    is_on: false,
    is_fixed: true,
  });
});

test('the settings file may name only features that there are', async () => {
  const wrong = makeBar({ ...quickBar, features: { kiosks: true } });
  const checked = await runCommand(['check', '--config', wrong.configFile], {
    expectedCode: 78,
  } as never).catch((fault: Error) => ({ out: fault.message, err: fault.message }));
  expect(JSON.stringify(checked)).toContain('did you mean features.kiosk?');
  wrong.remove();
});
