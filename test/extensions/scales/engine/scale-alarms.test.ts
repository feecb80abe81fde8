import { expect, test } from 'vitest';
import { createAlarmBar } from '../../../services/monitors/alarm-bar.ts';
import { withScalesOf } from '../scales-on.ts';

/** The bar with a scale at the left tap whose keg was moved. */
function openBarWithFinding() {
  const bar = withScalesOf(createAlarmBar());
  const { engine, store } = bar;
  const scale = engine.scales.create({ name: 'Scale', tapId: bar.left.id });
  const figures = { scaleMl: 9_000, meterMl: 0, uMl: 10, ratio: null };
  const timeMs = bar.now().wallMs;
  store.scaleFindings.add({ scaleId: scale.id, kind: 'keg_moved', kegId: bar.keg.id, timeMs, ...figures });
  const [finding] = engine.scales.findings(scale.id);
  return { ...bar, scale, findingId: finding!.id };
}

test('a finding of a scale that lasts ten minutes raises one alarm with both figures, which ends with it', () => {
  const bar = openBarWithFinding();
  bar.atTemp(null, 9);
  expect(bar.topics()).toEqual([]);
  bar.atTemp(null, 3);
  expect(bar.topics()).toEqual(['scale_disagrees']);
  expect(bar.mailedValues()[0]).toEqual({ tap: 'Left', finding: 'keg_moved', scaleMl: 9_000, meterMl: 0 });
  bar.atTemp(null, 60);
  expect(bar.topics()).toEqual(['scale_disagrees']);
  bar.store.scaleFindings.end(bar.findingId, bar.now().wallMs);
  bar.atTemp(null, 1);
  expect(bar.raised()).toEqual([]);
});

test('a finding that is over within ten minutes raises none', () => {
  const bar = openBarWithFinding();
  bar.atTemp(null, 8);
  bar.store.scaleFindings.end(bar.findingId, bar.now().wallMs);
  bar.atTemp(null, 30);
  expect(bar.topics()).toEqual([]);
});

test('a scale without a tap raises none', () => {
  const bar = openBarWithFinding();
  bar.engine.scales.change(bar.scale.id, { tapId: null });
  bar.atTemp(null, 30);
  expect(bar.topics()).toEqual([]);
});
