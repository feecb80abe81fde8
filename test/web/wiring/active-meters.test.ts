import { expect, test } from 'vitest';
import type { WiredMeter } from '../../../src/web/api/operations.ts';
import { findActiveMeters, toBaseline } from '../../../src/web/pages/wiring/active-meters.ts';

const meter = (name: string, ticks: number, change: Partial<WiredMeter> = {}): WiredMeter => ({
  name,
  flow_meter_id: 1,
  tap_id: '1',
  pin: 17,
  header_pin: 11,
  level: 1,
  hz: 0,
  ticks,
  refused: 0,
  lost: 0,
  shape: 'steady',
  echo_of: null,
  findings: [],
  ...change,
});

const named = (from: readonly WiredMeter[], now: readonly WiredMeter[]) =>
  findActiveMeters(toBaseline(from), now).map((one) => `${one.meter.name} ${one.edges}`);

test('only what ticked since the listening began is named, the busiest first', () => {
  const before = [meter('pi.flow0', 500), meter('pi.flow1', 10), meter('pi.flow2', 7)];
  expect(named(before, before)).toEqual([]);
  const after = [meter('pi.flow0', 500), meter('pi.flow1', 40), meter('pi.flow2', 207)];
  expect(named(before, after)).toEqual(['pi.flow2 200', 'pi.flow1 30']);
});

test('the click of a relay is no sip', () => {
  expect(named([meter('pi.flow0', 0)], [meter('pi.flow0', 2, { refused: 1 })])).toEqual([]);
});

test('noise never stands before beer, however much of it there is', () => {
  const before = [meter('pi.flow0', 0), meter('pi.flow1', 0)];
  const after = [meter('pi.flow0', 900, { shape: 'bounce', refused: 2_000 }), meter('pi.flow1', 30)];
  expect(named(before, after)).toEqual(['pi.flow1 30', 'pi.flow0 2900']);
});

test('a board that reports its first meter meanwhile counts from nothing', () => {
  expect(named([], [meter('kb.flow0', 25)])).toEqual(['kb.flow0 25']);
});
