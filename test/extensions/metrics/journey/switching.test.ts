import { writeFileSync } from 'node:fs';
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

/** Asks again when the connection is cut, as it is a second after the engine was replaced. */
function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const url = `${daemon.url}${path}`;
  return fetch(url, init).catch(() => fetch(url, init));
}

async function switchTo(isOn: boolean): Promise<void> {
  const answer = await ask('/api/admin/features', {
    method: 'PATCH',
    headers: { 'X-Kegbot-Api-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ metrics: isOn }),
  });
  expect(answer.status).toBe(200);
}

const scrape = () => ask('/metrics');
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

test('a pour that is found in the journal at the start is counted', async () => {
  await switchTo(true);
  await expect.poll(status).toBe(200);
  const answer = await ask('/api/simulator/pulses', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ meter: 'pi.flow0', ticks: 8_000, hz: 400 }),
  });
  expect(answer.status).toBe(202);
  const ticks = async () =>
    parseSamples(await (await scrape()).text()).get('tapster_pour_ticks_total{meter="pi.flow0"}') ?? 0;
  await expect.poll(ticks).toBeGreaterThan(800);
  await daemon.kill();
  // Without its meter the pour is finished when counting starts, not resumed.
  const [, meter] = quickBar.meters;
  const [, tap] = quickBar.taps;
  const { database } = bar;
  const onewire = { directory: `${bar.path}/w1` };
  const config = { ...quickBar, database, onewire, meters: [meter], taps: [tap] };
  writeFileSync(bar.configFile, JSON.stringify(config));
  daemon = await startDaemon(bar);
  const recovered = [...parseSamples(await (await scrape()).text())].filter(
    ([name, value]) => name.startsWith('tapster_pours_total{') && value > 0,
  );
  expect(recovered.map(([, value]) => value)).toEqual([1]);
});
