import { expect, test, vi } from 'vitest';
import { textProblem } from '../../../../src/core/health/problems.ts';
import { readBar } from '../../../../src/extensions/metrics/daemon/bar-gauges.ts';
import type { MetricName } from '../../../../src/extensions/metrics/daemon/metric-table.ts';
import {
  createMetricValues,
  type MetricValues,
} from '../../../../src/extensions/metrics/daemon/metric-values.ts';
import type { OpenValve } from '../../../../src/http/ports.ts';
import { createTestServer, openingMs, type TestServer } from '../../../http/test-server.ts';
import { insertDrink } from '../../../kit/drinks/insert-drink.ts';

/** The values of a metric by its label values. */
const read = (values: MetricValues, name: MetricName) =>
  Object.fromEntries(
    values.samples(name).map(({ labels, value }) => [Object.values(labels).join(' '), value]),
  );

function scrape(
  bar: TestServer,
  values: MetricValues,
  { isOpen = true, valves = [] as readonly string[] } = {},
): void {
  const source = {
    now: bar.now,
    runningPours: () => bar.runningPours,
    openValves: () => valves.map((toggle) => ({ toggle }) as OpenValve),
    latestTemperatures: () => bar.latestTemperatures,
  };
  readBar(isOpen ? bar.engine : null, source, values);
}

test('the gauges of a tap follow its keg, valve, pour and name', () => {
  const bar = createTestServer();
  const values = createMetricValues();
  insertDrink(bar.store, { tap: bar.left.id, ticks: 0, volumeMl: 500, source: 'device' }, bar.now());
  bar.runningPours.set('pi.flow1', { pourId: 'p1', ticks: 3 });
  scrape(bar, values, { valves: ['pi.relay0'] });
  expect(read(values, 'tapster_keg_capacity_liters')).toEqual({ 1: 30 });
  expect(read(values, 'tapster_keg_remaining_liters')).toEqual({ 1: 29.5 });
  expect(read(values, 'tapster_pouring')).toEqual({ 1: 0, 2: 1, 3: 0 });
  expect(read(values, 'tapster_open_pours')).toEqual({ '': 1 });
  expect(read(values, 'tapster_valve_open')).toEqual({ 1: 1 });
  expect(read(values, 'tapster_tap_info')).toEqual({
    '1 Left Haus Helles': 1,
    '2 Right ': 1,
    '3 Attic ': 1,
  });
});

test('what exists no longer is not reported', () => {
  const bar = createTestServer();
  const values = createMetricValues();
  bar.latestTemperatures.set('28-a', { tempC: 4.5, timeMs: openingMs, isStale: false });
  scrape(bar, values);
  expect(read(values, 'tapster_temperature_celsius')).toEqual({ '28-a': 4.5 });
  expect(read(values, 'tapster_temperature_timestamp_seconds')).toEqual({ '28-a': openingMs / 1_000 });

  bar.latestTemperatures.clear();
  bar.engine.kegs.end(bar.keg.id, bar.now());
  scrape(bar, values);
  expect(read(values, 'tapster_temperature_celsius')).toEqual({});
  expect(read(values, 'tapster_keg_remaining_liters')).toEqual({});
});

test('a sensor that a tap shows is reported from the database too', () => {
  const bar = createTestServer();
  const values = createMetricValues();
  bar.engine.temperatures.log({ sensor: '28-0000000000a1', tempC: 6 }, bar.now());
  scrape(bar, values);
  expect(read(values, 'tapster_temperature_celsius')).toEqual({ '28-0000000000a1': 6 });
});

test('waiting messages have a number and the time of the oldest', () => {
  const bar = createTestServer();
  const values = createMetricValues();
  const message = { kind: 'webhook', target: 'https://a.example', topic: 'drink_poured', payload: '{}' };
  for (const createdTimeMs of [9_000, 5_000])
    bar.store.notifications.outbox.add({ ...message, createdTimeMs });
  const dead = bar.store.notifications.outbox.add({ ...message, kind: 'mail', createdTimeMs: 1_000 });
  bar.store.notifications.outbox.giveUp(dead, textProblem('It does not answer.'));
  scrape(bar, values);
  expect(read(values, 'tapster_outbox_messages')).toEqual({
    'webhook waiting': 2,
    'mail dead': 1,
    'upstream waiting': 0,
    'upstream dead': 0,
  });
  expect(read(values, 'tapster_outbox_oldest_timestamp_seconds')).toEqual({ webhook: 5 });
});

test('a controller that reports by itself has a series once it has reported, and its pours are shown', () => {
  const bar = createTestServer();
  const values = createMetricValues();
  const board = { controllerId: 1, device: 'cellar', isPaired: true, lastSeenMs: openingMs };
  vi.spyOn(bar.engine.hooks, 'reportingControllers').mockReturnValue([
    board,
    { ...board, device: 'new', lastSeenMs: null },
    { ...board, device: 'denied', isPaired: false },
  ]);
  vi.spyOn(bar.engine.hooks, 'shownPours').mockReturnValue(
    new Map([['pi.flow1', { pourId: 'p', ticks: 3 }]]),
  );
  scrape(bar, values);
  expect(read(values, 'tapster_board_last_report_timestamp_seconds')).toEqual({ cellar: openingMs / 1_000 });
  expect(read(values, 'tapster_pouring')).toEqual({ 1: 0, 2: 1, 3: 0 });
});

test('while the database is closed running pours and temperatures are still read', () => {
  const bar = createTestServer();
  const values = createMetricValues();
  bar.runningPours.set('pi.flow0', { pourId: 'p1', ticks: 3 });
  bar.latestTemperatures.set('28-a', { tempC: 4.5, timeMs: openingMs, isStale: false });
  scrape(bar, values);
  scrape(bar, values, { isOpen: false });
  expect(read(values, 'tapster_open_pours')).toEqual({ '': 1 });
  expect(read(values, 'tapster_temperature_celsius')).toEqual({ '28-a': 4.5 });
  expect(read(values, 'tapster_held_pours')).toEqual({});
});
