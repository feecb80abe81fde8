import { expect, test } from 'vitest';
import { createEventBus } from '../../../../src/core/event-bus.ts';
import { textProblem } from '../../../../src/core/health/problems.ts';
import { createMeasuring } from '../../../../src/core/measurements.ts';
import { createDelayMeter } from '../../../../src/extensions/metrics/daemon/event-loop-delay.ts';
import { toRouteClass } from '../../../../src/extensions/metrics/daemon/http-metrics.ts';
import { readMeters } from '../../../../src/extensions/metrics/daemon/meter-gauges.ts';
import { createMetricFormats } from '../../../../src/extensions/metrics/daemon/metric-formats.ts';
import { createMetricValues } from '../../../../src/extensions/metrics/daemon/metric-values.ts';
import { countPours } from '../../../../src/extensions/metrics/daemon/pour-metrics.ts';
import { createScraper } from '../../../../src/extensions/metrics/daemon/scraper.ts';
import { addMeasurements } from '../../../../src/extensions/metrics/daemon/start-metrics.ts';
import { createTestServer } from '../../../http/test-server.ts';
import { parseSamples } from '../kit/samples.ts';

const print = async (values: ReturnType<typeof createMetricValues>, format = 'prometheus' as const) =>
  parseSamples(await createMetricFormats(values).print(format));

test('a hundred values of a label are told apart, further ones are one series', async () => {
  const values = createMetricValues();
  for (let i = 0; i < 5_000; i++) values.increment('tapster_poured_liters_total', { tap: String(i) }, 1);
  const samples = values.samples('tapster_poured_liters_total');
  expect(samples).toHaveLength(101);
  expect(samples.find(({ labels }) => labels.tap === 'other')?.value).toBe(4_900);
});

test('quotes, backslashes and line ends of a name are escaped', async () => {
  const values = createMetricValues();
  values.set('tapster_tap_info', { tap: '1', name: 'the "new"\n\\ tap', beverage: '' }, 1);
  const text = await createMetricFormats(values).print('prometheus');
  expect(text).toContain('tapster_tap_info{tap="1",name="the \\"new\\"\\n\\\\ tap",beverage=""} 1\n');
});

test('an observation on a bound is within it, and the buckets are cumulative', async () => {
  const values = createMetricValues();
  for (const seconds of [2, 2.5, 400]) values.observe('tapster_pour_duration_seconds', {}, seconds);
  const samples = await print(values);
  expect(samples.get('tapster_pour_duration_seconds_bucket{le="2"}')).toBe(1);
  expect(samples.get('tapster_pour_duration_seconds_bucket{le="5"}')).toBe(2);
  expect(samples.get('tapster_pour_duration_seconds_bucket{le="300"}')).toBe(2);
  expect(samples.get('tapster_pour_duration_seconds_bucket{le="+Inf"}')).toBe(3);
  expect(samples.get('tapster_pour_duration_seconds_sum')).toBe(404.5);
});

test('the formats can be asked for in turn', async () => {
  const values = createMetricValues();
  values.increment('tapster_poured_liters_total', { tap: '1' }, 2);
  const formats = createMetricFormats(values);
  const before = await formats.print('prometheus');
  expect(await formats.print('openmetrics')).toContain('# TYPE tapster_poured_liters counter\n');
  expect(await formats.print('prometheus')).toBe(before);
  expect(before).toContain('# TYPE tapster_poured_liters_total counter\n');
});

test('counters keep what was poured when a drink is corrected or cancelled', () => {
  const bar = createTestServer();
  const values = createMetricValues();
  countPours({ bus: bar.bus, values, findTap: () => null });
  const drink = bar.engine.drinks.pours.report(
    { tap: bar.left.id, ticks: 660, volumeMl: 330, source: 'device' },
    bar.now(),
  );
  const poured = () => values.samples('tapster_poured_liters_total').map(({ value }) => value);
  expect(poured()).toEqual([0.33]);
  bar.engine.drinks.cancel(drink.id, { spilled: false }, bar.now());
  expect(poured()).toEqual([0.33]);
});

test('drips of a meter without a tap are counted without one', () => {
  const bus = createEventBus((fault) => {
    throw fault;
  });
  const values = createMetricValues();
  countPours({ bus, values, findTap: (meter) => (meter === 'pi.flow0' ? 7 : null) });
  for (const meter of ['pi.flow0', 'pi.flow9'])
    bus.publish({ type: 'pour.dripped', meter, pourId: meter, ticks: 2 });
  expect(values.samples('tapster_pours_total').map(({ labels }) => labels)).toEqual([
    { tap: '7', result: 'drip' },
    { tap: 'none', result: 'drip' },
  ]);
});

test('losses are told apart by cause; a driver that cannot prove its count shows no loss of the kernel', () => {
  const values = createMetricValues();
  const line = { pin: 1, received: 10, level: null };
  readMeters(
    {
      counts: () => [{ meter: 'pi.flow0', ticks: 10, refused: 3 }],
      meterStatuses: () => [
        { meter: 'pi.flow0', state: 'fault', problem: textProblem('It cannot be opened.') },
      ],
      lines: () => [
        { ...line, name: 'pi.flow0', lost: 5, dropped: 2 },
        { ...line, name: 'pi.flow1', lost: null },
      ],
    },
    values,
  );
  expect(values.samples('tapster_pour_ticks_lost_total').map(({ labels, value }) => [labels, value])).toEqual(
    [
      [{ meter: 'pi.flow0', cause: 'buffer' }, 2],
      [{ meter: 'pi.flow0', cause: 'kernel' }, 3],
      [{ meter: 'pi.flow1', cause: 'buffer' }, 0],
    ],
  );
  expect(values.samples('tapster_tick_loss_detectable').map(({ value }) => value)).toEqual([1, 0]);
  expect(values.samples('tapster_edges_rejected_total').map(({ value }) => value)).toEqual([3]);
  expect(values.samples('tapster_meter_working').map(({ value }) => value)).toEqual([0]);
});

test('what the base tells of its work is counted, and nothing of it after the end', async () => {
  const bus = createEventBus((fault) => {
    throw fault;
  });
  const measuring = createMeasuring();
  const values = createMetricValues();
  const end = measuring.begin(addMeasurements(values));
  function work() {
    measuring.current()?.committed('pour', 0.004);
    measuring.current()?.journalWritten(0.002);
    measuring.current()?.sent('mail', 'failed');
    measuring.current()?.answered({ method: 'PROPFIND', url: '/api/taps?x', status: 404 }, 0.2);
  }
  work();
  end();
  work();
  const samples = await print(values);
  expect(samples.get('tapster_commit_duration_seconds_sum{kind="pour"}')).toBe(0.004);
  expect(samples.get('tapster_journal_write_duration_seconds_sum')).toBe(0.002);
  expect(samples.get('tapster_outbox_sends_total{channel="mail",result="failed"}')).toBe(1);
  const labels = 'route="current",method="other",code="4xx"';
  expect(samples.get(`tapster_http_request_duration_seconds_sum{${labels}}`)).toBe(0.2);

  const stopCounting = countPours({ bus, values, findTap: () => 7 });
  stopCounting();
  bus.publish({ type: 'pour.dripped', meter: 'pi.flow0', pourId: 'p1', ticks: 2 });
  expect(values.samples('tapster_pours_total')).toEqual([]);
});

test('a heartbeat 30 ms late is a delay of 30 ms', () => {
  const values = createMetricValues();
  let atMs = 0;
  const beat = createDelayMeter(values, () => atMs);
  for (atMs of [0, 50, 130]) beat(50);
  const [series] = values.histograms('tapster_event_loop_delay_seconds');
  expect(series?.sum).toBeCloseTo(0.03, 9);
  expect(series?.counts.slice(0, 4)).toEqual([1, 0, 0, 1]);
});

test.each([
  ['/api/v1/taps', 'legacy-v1'],
  ['/api/v1', 'legacy-v1'],
  ['/api/live?since=1', 'live'],
  ['/api/device-event', 'device-events'],
  ['/api/kegboard-event?x', 'device-events'],
  ['/api/taps/1', 'current'],
  ['/apix', 'page'],
  ['/healthz', 'health'],
  ['/metrics', 'metrics'],
  ['/', 'page'],
  ['', 'page'],
  ['*', 'page'],
  ['http://bar/api/taps', 'page'],
])('%s is in the class %s', (url, name) => {
  expect(toRouteClass(url)).toBe(name);
});

test('many clients cost one reading a second in each format, and a failed one is tried again', async () => {
  let readings = 0;
  let atMs = 0;
  const scraper = createScraper({
    read() {
      readings += 1;
      if (readings === 3) throw new Error('The disk fails.');
    },
    contentType: (format) => format,
    print: async (format) => `${format} ${readings}`,
    nowMs: () => atMs,
  });
  const first = await Promise.all(Array.from({ length: 50 }, () => scraper.scrape('prometheus')));
  expect(new Set(first.map(({ text }) => text))).toEqual(new Set(['prometheus 1']));
  atMs = 1_000;
  expect((await scraper.scrape('prometheus')).text).toBe('prometheus 2');
  await expect(scraper.scrape('openmetrics')).rejects.toThrow('The disk fails.');
  expect((await scraper.scrape('openmetrics')).text).toBe('openmetrics 4');
});
