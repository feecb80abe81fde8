import { expect, test } from 'vitest';
import type { WiredMeter } from '../../../../../src/web/api/generated.ts';
import { findActiveMeters, toBaseline } from '../../../../../src/web/pages/taps/wiring/active-meters.ts';

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

const listActive = (from: readonly WiredMeter[], now: readonly WiredMeter[]) =>
  findActiveMeters(toBaseline(from), now).map((one) => `${one.meter.name} ${one.edges}`);

test('lists only meters that ticked since the baseline, the busiest first', () => {
  const before = [meter('pi.flow0', 500), meter('pi.flow1', 10), meter('pi.flow2', 7)];
  expect(listActive(before, before)).toEqual([]);
  const after = [meter('pi.flow0', 500), meter('pi.flow1', 40), meter('pi.flow2', 207)];
  expect(listActive(before, after)).toEqual(['pi.flow2 200', 'pi.flow1 30']);
});

test('ignores the few edges of a switching relay', () => {
  expect(listActive([meter('pi.flow0', 0)], [meter('pi.flow0', 2, { refused: 1 })])).toEqual([]);
});

test('lists a noisy meter after meters with flow, whatever its count', () => {
  const before = [meter('pi.flow0', 0), meter('pi.flow1', 0)];
  const after = [meter('pi.flow0', 900, { shape: 'bounce', refused: 2_000 }), meter('pi.flow1', 30)];
  expect(listActive(before, after)).toEqual(['pi.flow1 30', 'pi.flow0 2900']);
});

test('counts a meter that appears after the baseline from 0', () => {
  expect(listActive([], [meter('kb.flow0', 25)])).toEqual(['kb.flow0 25']);
});
