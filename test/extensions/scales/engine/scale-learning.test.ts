import { expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/shared/audit.ts';
import { emptyG, openScaleBar } from './scale-bar.ts';

/** The bar with a scale that knows its empty keg, and a meter that counts a share of what runs. */
function openLearningBar(file?: string) {
  const bar = openScaleBar(file);
  bar.report();
  bar.engine.scales.change(
    bar.scale().scale.id,
    { emptyWeightG: emptyG },
    { actor: systemActor, now: bar.now() },
  );
  bar.wait(60_000);
  return {
    ...bar,
    evidence: () => bar.store.taps.meterEvidence.byPouredKeg(bar.keg.id, 'scale'),
    pours(count: number, share: number) {
      for (let i = 0; i < count; i += 1) bar.pour(500, share);
    },
  };
}

test('the pours of a keg on a scale are evidence for its meter, which changes no drink', () => {
  const { pours, pass, wait, evidence, engine } = openLearningBar();
  pours(12, 0.95);
  const served = engine.kegs.get(1)!.servedVolumeMl;
  pass(3_600_000);
  wait(60_000);
  pours(8, 0.95);
  const found = evidence()!;
  expect(found).toMatchObject({ kind: 'scale', kegId: null, pouredKegId: 1, isFit: true });
  expect(found.ticks / found.volumeMl).toBeCloseTo(0.95, 2);
  expect(found.volumeMl).toBeGreaterThan(5_000);
  expect(engine.kegs.get(1)!.servedVolumeMl).toBeGreaterThan(served);
});

test('all pours of a keg are stored when it ends, and the meter learns the factor from them', () => {
  const { pours, wait, engine, now, left } = openLearningBar();
  pours(40, 0.95);
  engine.kegs.endOnTap(left.id, now(), systemActor);
  wait(2_000);
  const learning = engine.drinks.meterLearning.get(engine.taps.find('pi.flow0')!.tap.meter!.id, now());
  const scale = learning.evidence.find(({ kind }) => kind === 'scale');
  expect(scale).toMatchObject({ state: 'used', ticks: 19_000 });
  expect(learning.learned!.ticksPerMl).toBeLessThan(0.97);
});

test('a keg with another tap, or with one behind it, is no evidence, and nothing is found to be wrong with its scale', () => {
  const shared = openLearningBar();
  shared.engine.kegs.connect(shared.right.id, shared.keg.id, shared.now(), systemActor);
  shared.pours(15, 0.7);
  expect(shared.evidence()).toBeNull();
  expect(shared.open()).toEqual([]);
  const series = openLearningBar();
  const { beverageId } = series.keg;
  const behind = series.engine.kegs.create(
    { beverage: { id: beverageId }, sizeKey: 'euro-30-liter' },
    series.now(),
  );
  series.engine.kegs.connect(series.left.id, behind.id, series.now(), systemActor);
  series.pours(15, 0.7);
  expect(series.evidence()).toBeNull();
  expect(series.open()).toEqual([]);
});
