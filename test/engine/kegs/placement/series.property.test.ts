import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { propertyRuns } from '../../../kit/slow.ts';
import { at, minute, openEmptyBar } from '../../bar.ts';

const beverage = { name: 'Lager', producerName: 'Brewery', styleName: 'Pils' };
const fullMl = 2_000;
const kegCount = 4;
const actor = systemActor;

/** The left tap with kegs that empty one after the other. */
function openSeries() {
  const bar = openEmptyBar();
  const { engine, left } = bar;
  const kegIds: number[] = [];
  for (let i = 0; i < kegCount; i++) {
    const keg = engine.kegs.create({ beverage, fullVolumeMl: fullMl }, at(0));
    kegIds.push(keg.id);
    engine.kegs.connect(left.id, keg.id, at(0));
  }
  const undoSpill = (id: number, now: ReturnType<typeof at>) =>
    engine.corrections.undo(engine.audit.latestCorrection('spill', { kind: 'spill', id })!, { actor }, now);
  /** What left each keg of what flows in this order, and the keg that is poured from then; the last one takes what is beyond all. */
  const expectTaken = (inOrder: readonly number[]): void => {
    const taken = kegIds.map(() => 0);
    let keg = 0;
    for (const ml of inOrder) {
      taken[keg]! += ml;
      if (taken[keg]! >= fullMl && keg < kegCount - 1) keg++;
    }
    const kegs = kegIds.map((id) => engine.kegs.get(id)!);
    expect(kegs.map((one) => Math.round(one.servedVolumeMl + one.spilledVolumeMl))).toEqual(taken);
    expect(kegs.map(({ state }) => state)).toEqual(kegIds.map((_, i) => (i < keg ? 'finished' : 'on_tap')));
    expect(engine.taps.find(left.id)!.tap).toMatchObject({
      kegId: kegIds[keg],
      kegIdsBehind: kegIds.slice(keg + 1),
    });
    expect(engine.site.checkDatabase()).toEqual([]);
  };
  return { ...bar, kegIds, undoSpill, expectTaken };
}

/** A glass or spill of the evening, in the order in which they flow: it is reported in another one, perhaps deleted, and perhaps restored. */
const flow = fc.record({
  ml: fc.integer({ min: 150, max: 900 }),
  isSpill: fc.boolean(),
  reported: fc.integer({ min: 0, max: 1_000 }),
  fate: fc.constantFrom(
    'stays',
    'stays',
    'is deleted',
    'is restored',
    'is spilled',
    'is spilled and restored',
  ),
});

test('property: the kegs of a series are emptied in the order in which glasses and spills flowed, whenever they are reported or corrected', () => {
  fc.assert(
    fc.property(fc.array(flow, { maxLength: 12 }), (flows) => {
      const { engine, left, kegIds, undoSpill, expectTaken } = openSeries();
      const evening = flows.map((one, i) => ({ ...one, endMs: (i + 1) * minute, id: 0 }));
      let clockMs = (flows.length + 1) * minute;
      const now = () => {
        clockMs += 1_000;
        return at(clockMs);
      };
      for (const one of evening.toSorted((a, b) => a.reported - b.reported)) {
        const moment = now();
        const agoMs = moment.wallMs - at(one.endMs).wallMs;
        const reported = { tap: left.id, ticks: 0, volumeMl: one.ml, agoMs };
        one.id = one.isSpill
          ? engine.drinks.pours.spill({ ...reported, actor }, moment).spill!.id
          : engine.drinks.pours.report({ ...reported, durationMs: 5_000, source: 'post' }, moment).id;
      }
      for (const { fate, isSpill, id } of evening) {
        if (isSpill) {
          if (fate === 'is deleted') undoSpill(id, now());
        } else if (fate !== 'stays') {
          engine.drinks.cancel(id, { spilled: fate.startsWith('is spilled') }, now());
          if (fate.endsWith('restored')) engine.drinks.undo(id, {}, now());
        }
      }
      const counted = evening.filter(({ fate }) => fate !== 'is deleted');
      expectTaken(counted.map(({ ml }) => ml));
      let [keg, taken] = [0, 0];
      for (const { ml, id, isSpill, fate } of counted) {
        if (!isSpill && fate !== 'is spilled')
          expect(engine.drinks.get(id)!.drink).toMatchObject({ kegId: kegIds[keg], parts: null });
        taken += ml;
        if (taken >= fullMl && keg < kegCount - 1) [keg, taken] = [keg + 1, 0];
      }
    }),
    { numRuns: propertyRuns(240) },
  );
});

const act = fc.record({
  do: fc.constantFrom('pour', 'spill at tap', 'spill of keg'),
  ml: fc.integer({ min: 150, max: 2_400 }),
  isUndone: fc.boolean(),
});

test('property: a spill ends the kegs that it empties at once, and its undo puts them back', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 10 }), (acts) => {
      const { engine, left, undoSpill, expectTaken } = openSeries();
      const taken: number[] = [];
      acts.forEach(({ do: kind, ml, isUndone }, i) => {
        const now = at((i + 1) * minute);
        const { kegId } = engine.taps.find(left.id)!.tap;
        if (kind === 'pour')
          engine.drinks.pours.report(
            { tap: left.id, ticks: 0, volumeMl: ml, durationMs: 5_000, source: 'post' },
            now,
          );
        const spill =
          kind === 'spill at tap' &&
          engine.drinks.pours.spill({ tap: left.id, ticks: 0, volumeMl: ml, actor }, now).spill;
        if (kind === 'spill of keg') engine.kegs.spill(kegId!, ml, now, actor);
        expectTaken([...taken, ml]);
        const later = at((i + 1.5) * minute);
        if (isUndone && spill) undoSpill(spill.id, later);
        else if (isUndone && kind === 'spill of keg')
          engine.corrections.undo(
            engine.audit.latestCorrection('spill', { kind: 'keg', id: kegId! })!,
            { actor },
            later,
          );
        else taken.push(ml);
        expectTaken(taken);
      });
    }),
    { numRuns: propertyRuns(160) },
  );
});
