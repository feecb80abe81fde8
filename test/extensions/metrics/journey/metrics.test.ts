import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { metricTable } from '../../../../src/extensions/metrics/daemon/metric-table.ts';
import { type BarFolder, makeBar, type RunningDaemon, startDaemon } from '../../../kit/daemon.ts';
import { type LiveStream, openLiveStream } from '../../../kit/live-stream.ts';
import { findPromtoolFaults, hasPromtool } from '../../../kit/promtool.ts';
import { metricNames, parseSamples, type Samples } from '../kit/samples.ts';

// Starts a real process, which may be slow.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const taps = Array.from({ length: 24 }, (_, i) => i);
/** So few ticks per millilitre that 400 Hz are faster than beer runs. */
const fastMeter = 2;
const token = 'a-secret-of-the-metrics';

let bar: BarFolder;
let daemon: RunningDaemon;
let live: LiveStream;

beforeAll(async () => {
  bar = makeBar({
    gpio: { driver: 'simulated' },
    http: { host: '127.0.0.1', port: 0, rate_limits: false },
    meters: taps.map((i) => ({ port: `flow${i}`, pin: i + 2, ticks_per_ml: i === fastMeter ? 1 : 5 })),
    toggles: [{ port: 'relay0', pin: 40 }],
    taps: taps.map((i) => ({
      name: `Tap ${i + 1}`,
      meter: `flow${i}`,
      ...(i === 23 ? { toggle: 'relay0' } : {}),
    })),
    pour: { min_ml: 0, idle_ms: 1_200 },
    demo: { kegs: true },
    metrics: { enabled: true, token },
  });
  daemon = await startDaemon(bar);
  live = await openLiveStream(daemon.url);
});

afterAll(async () => {
  live?.close();
  await daemon?.kill();
  bar?.remove();
});

async function scrape(headers: Record<string, string> = {}): Promise<{ text: string; type: string }> {
  const answer = await fetch(`${daemon.url}/metrics`, { headers });
  expect(answer.status).toBe(200);
  return { text: await answer.text(), type: answer.headers.get('content-type') ?? '' };
}

/** Scrapes until the samples are as wanted: a text is kept for a second. */
const scrapeUntil = (isReached: (samples: Samples) => boolean): Promise<Samples> =>
  vi.waitUntil(
    async () => {
      const samples = parseSamples((await scrape()).text);
      return isReached(samples) ? samples : null;
    },
    { timeout: 30_000, interval: 200 },
  ) as Promise<Samples>;

async function pulse(train: { meter: string; ticks: number; hz: number }): Promise<void> {
  const answer = await fetch(`${daemon.url}/api/simulator/pulses`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(train),
  });
  expect(answer.status).toBe(202);
}

test('each tap has counters from the first scrape on, so that the first pour is an increase', async () => {
  const samples = parseSamples((await scrape()).text);
  for (const i of taps) {
    for (const result of ['drink', 'held', 'drip'])
      expect(samples.get(`tapster_pours_total{tap="${i + 1}",result="${result}"}`)).toBe(0);
    expect(samples.get(`tapster_poured_liters_total{tap="${i + 1}"}`)).toBe(0);
  }
  expect([...samples.keys()].filter((key) => key.startsWith('tapster_tap_info{'))).toHaveLength(24);
});

test('an open pour is seen, its ticks are counted while it runs, and its volume after it', async () => {
  await pulse({ meter: 'pi.flow0', ticks: 4_000, hz: 400 });
  const during = await scrapeUntil(
    (samples) =>
      samples.get('tapster_pouring{tap="1"}') === 1 &&
      (samples.get('tapster_pour_ticks_total{meter="pi.flow0"}') ?? 0) > 0,
  );
  expect(during.get('tapster_open_pours')).toBe(1);
  expect(during.get('tapster_poured_liters_total{tap="1"}')).toBe(0);

  await live.until(({ event, data }) => event === 'snapshot' && data.drinks.length === 1);
  const after = await scrapeUntil((samples) => samples.get('tapster_poured_liters_total{tap="1"}') === 0.8);
  expect(after.get('tapster_pouring{tap="1"}')).toBe(0);
  expect(after.get('tapster_pour_ticks_total{meter="pi.flow0"}')).toBe(4_000);
  expect(after.get('tapster_pours_total{tap="1",result="drink"}')).toBe(1);
  expect(after.get('tapster_pour_volume_liters_bucket{le="0.5"}')).toBe(0);
  expect(after.get('tapster_pour_volume_liters_bucket{le="1"}')).toBe(1);
  expect(after.get('tapster_pour_volume_liters_count')).toBe(1);
  expect(after.get('tapster_pour_duration_seconds_bucket{le="5"}')).toBe(0);
  const capacity = after.get('tapster_keg_capacity_liters{tap="1"}')!;
  expect(after.get('tapster_keg_remaining_liters{tap="1"}')).toBeCloseTo(
    during.get('tapster_keg_remaining_liters{tap="1"}')! - 0.8,
    6,
  );
  expect(capacity).toBeGreaterThan(0.4);
  expect(after.get('tapster_commit_duration_seconds_count{kind="pour"}')).toBeGreaterThanOrEqual(1);
  expect(after.get('tapster_journal_write_duration_seconds_count')).toBeGreaterThanOrEqual(1);
  expect(after.get('tapster_journal_written_bytes_total')).toBeGreaterThan(0);
  expect(after.get('tapster_database_size_bytes{file="database"}')).toBeGreaterThan(0);
});

test('two ticks are a drip', async () => {
  await pulse({ meter: 'pi.flow1', ticks: 2, hz: 100 });
  const samples = await scrapeUntil((all) => all.get('tapster_pours_total{tap="2",result="drip"}') === 1);
  expect(samples.get('tapster_pour_ticks_total{meter="pi.flow1"}')).toBe(2);
  expect(samples.get('tapster_pours_total{tap="2",result="drink"}')).toBe(0);
});

test('a pour faster than beer runs is held and adds no volume', async () => {
  await pulse({ meter: `pi.flow${fastMeter}`, ticks: 600, hz: 400 });
  const samples = await scrapeUntil((all) => all.get('tapster_pours_total{tap="3",result="held"}') === 1);
  expect(samples.get('tapster_poured_liters_total{tap="3"}')).toBe(0);
  expect(samples.get('tapster_pour_ticks_total{meter="pi.flow2"}')).toBe(600);
  expect(samples.get('tapster_held_pours')).toBe(1);
});

test('addresses and methods of clients make no series', async () => {
  for (let i = 0; i < 40; i++) {
    await (await fetch(`${daemon.url}/api/nothing-${i}?q=${i}`)).text();
    await (await fetch(`${daemon.url}/page-${i}`, { method: i % 2 === 0 ? 'PROPFIND' : 'GET' })).text();
  }
  const samples = await scrapeUntil(
    (all) =>
      (all.get('tapster_http_request_duration_seconds_count{route="current",method="GET",code="4xx"}') ??
        0) >= 40,
  );
  const series = [...samples.keys()].filter((key) =>
    key.startsWith('tapster_http_request_duration_seconds_count'),
  );
  expect(series.length).toBeLessThan(20);
  expect(series.join()).toContain('method="other"');
  expect(series.join()).not.toMatch(/nothing|page-|PROPFIND/);
});

test('every metric of the table is declared, in both formats', async () => {
  const plain = await scrape();
  expect(plain.type).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(metricNames(plain.text).toSorted()).toEqual(Object.keys(metricTable).toSorted());

  const open = await scrape({
    Accept: 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5,*/*;q=0.1',
  });
  expect(open.type).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
  expect(open.text.endsWith('\n# EOF\n')).toBe(true);
  expect(metricNames(open.text).toSorted()).toEqual(
    Object.keys(metricTable)
      .map((name) => name.replace(/_total$/, ''))
      .toSorted(),
  );
  expect(parseSamples(open.text).get('tapster_pours_total{tap="1",result="drink"}')).toBe(1);
});

test('the token is in no answer and in no log line', async () => {
  const answer = await fetch(`${daemon.url}/metrics`, { headers: { Authorization: 'Bearer wrong' } });
  expect(answer.status).toBe(401);
  expect(await answer.text()).not.toContain(token);
  const { text } = await scrape({ Authorization: `Bearer ${token}` });
  expect(text).not.toContain(token);
  expect(daemon.output).not.toContain(token);
});

test.skipIf(!hasPromtool)('promtool finds nothing to improve', async () => {
  const { text } = await scrape();
  expect(findPromtoolFaults(['check', 'metrics'], text)).toBeNull();
});

test('a restart keeps the drinks and starts the counters again', async () => {
  expect(await daemon.stop()).toBe(0);
  live.close();
  daemon = await startDaemon(bar);
  live = await openLiveStream(daemon.url);
  const samples = parseSamples((await scrape()).text);
  expect(samples.get('tapster_pours_total{tap="1",result="drink"}')).toBe(0);
  expect(samples.get('tapster_pour_ticks_total{meter="pi.flow0"}')).toBe(0);
});
