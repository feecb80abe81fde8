import { expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { at, minute, pour } from '../../../engine/bar.ts';
import { openCleaningBar } from '../cleaning-bar.ts';

test('beer lost in a cleaning that empties a keg of a series ends it at once', () => {
  const { engine, left, keg } = openCleaningBar();
  const { beverageId } = engine.kegs.get(keg.id)!;
  const next = engine.kegs.create({ beverage: { id: beverageId }, sizeKey: 'euro-30-liter' }, at(0));
  engine.kegs.connect(left.id, next.id, at(0));
  engine.drinks.pours.report({ tap: left.id, ticks: 0, volumeMl: 29_800, source: 'manual' }, at(minute));
  const by = (ms: number) => ({ actor: systemActor, now: at(ms) });
  engine.cleanings.start({ tapId: left.id, kind: 'caustic', lineVolumeMl: 500 }, by(2 * minute));
  const flow = pour(at(3 * minute), { ticks: 600 });
  engine.drinks.pours.record(flow, 'pin', at(3 * minute));
  expect(engine.kegs.get(keg.id)).toMatchObject({
    state: 'finished',
    spilledVolumeMl: 500,
    finishedTimeMs: at(3 * minute).wallMs,
  });
  expect(engine.taps.find(left.id)!.tap.kegId).toBe(next.id);
  expect(engine.site.checkDatabase()).toEqual([]);
});
