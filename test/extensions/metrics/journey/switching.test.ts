import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type BarFolder,
  makeBar,
  quickBar,
  type RunningDaemon,
  runCommand,
  startDaemon,
} from '../../../kit/daemon.ts';
import { parseSamples } from '../kit/samples.ts';

let bar: BarFolder;
let daemon: RunningDaemon;
let key: string;

beforeAll(async () => {
  bar = makeBar(quickBar);
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

async function switchTo(isOn: boolean): Promise<void> {
  const answer = await fetch(`${daemon.url}/api/admin/features`, {
    method: 'PATCH',
    headers: { 'X-Kegbot-Api-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ metrics: isOn }),
  });
  expect(answer.status).toBe(200);
}

const scrape = () => fetch(`${daemon.url}/metrics`);
const status = async () => (await scrape()).status;

test('while metrics are off the answer names the setting, and nothing else of it is served', async () => {
  const answer = await scrape();
  expect(answer.status).toBe(404);
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'self'");
  expect(await answer.text()).toBe('Metrics are off: set metrics.enabled in the settings file.\n');
});

test('a site switches them on and off while the daemon counts', async () => {
  await switchTo(true);
  await expect.poll(status).toBe(200);
  const requests = (text: string) =>
    [...parseSamples(text)].filter(([name]) =>
      name.startsWith('tapster_http_request_duration_seconds_count{route="metrics"'),
    );
  // A text is kept for a second.
  await expect.poll(async () => requests(await (await scrape()).text()).length).toBeGreaterThan(0);
  await switchTo(false);
  await expect.poll(status).toBe(404);
});

test('a daemon that is restarted after the switch measures from its first commit on', async () => {
  await switchTo(true);
  expect(await daemon.stop()).toBe(0);
  daemon = await startDaemon(bar);
  const answer = await scrape();
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('tapster_event_loop_delay_seconds_count');
});
