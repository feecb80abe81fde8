import fc from 'fast-check';
import { expect, test } from 'vitest';
import { remainingMl } from '../../../src/core/kegs/keg-volume.ts';
import { systemActor } from '../../../src/engine/shared/audit.ts';
import { at, hour, minute, openBar, pour } from '../bar.ts';

const beverage = { name: 'Lager', producerName: 'Brewery', styleName: 'Pils' } as const;

/** The bar with its full 30 L keg on the left tap, from which 300 mL were poured, and a second keg in stock. */
function openPouredBar() {
  const bar = openBar();
  const { engine, left } = bar;
  let minutes = 0;
  /** A minute after what happened before. */
  const next = () => {
    minutes += 1;
    return at(minutes * minute);
  };
  const pourMl = (ml: number) => {
    const now = next();
    const ticks = { ticks: ml, durationMs: ml * 40, series: `0:${ml}` };
    return engine.drinks.pours.record(pour(now, ticks), 'pin', now).kegId;
  };
  const second = engine.kegs.create({ beverage, sizeKey: 'euro-30-liter' }, at(0));
  expect(pourMl(300)).toBe(bar.keg.id);
  return {
    ...bar,
    second,
    pourMl,
    next,
    takeOff: (now = next()) => engine.kegs.disconnect(left.id, bar.keg.id, now, systemActor),
    undo(kegId = bar.keg.id) {
      const id = engine.audit.latestCorrection('keg', { kind: 'keg', id: kegId });
      engine.corrections.undo(id!, { actor: systemActor }, at(4 * hour));
    },
  };
}

test('a keg that was poured from goes back to the stock with what is left, and keeps its drinks', () => {
  const { engine, keg, left, takeOff } = openPouredBar();
  expect(takeOff()).toMatchObject({
    state: 'available',
    finishedTimeMs: null,
    ranDry: null,
    servedVolumeMl: 300,
    startedTimeMs: at(0).wallMs,
  });
  expect(engine.taps.find(left.id)).toMatchObject({ keg: null, state: 'empty' });
  expect(engine.drinks.latest(1)).toMatchObject([{ kegId: keg.id, volumeMl: 300 }]);
  expect(engine.kegs.list({ state: 'available' }).items.map(({ id }) => id)).toContain(keg.id);
  expect(remainingMl(engine.kegs.get(keg.id)!)).toBe(29_700);
  expect(engine.audit.list({ limit: 1 }).items).toMatchObject([{ action: 'keg.disconnected' }]);
});

test('it is put on a tap again, another keg in between, and its drinks go on', () => {
  const { engine, keg, second, left, takeOff, pourMl, next } = openPouredBar();
  takeOff();
  engine.kegs.attach(left.id, second.id, next(), systemActor);
  expect(pourMl(500)).toBe(second.id);
  engine.kegs.disconnect(left.id, second.id, next(), systemActor);
  engine.kegs.attach(left.id, keg.id, next(), systemActor);
  expect(pourMl(400)).toBe(keg.id);
  expect(engine.kegs.get(keg.id)).toMatchObject({ state: 'on_tap', servedVolumeMl: 700 });
  expect(engine.kegs.endOnTap(left.id, next(), systemActor, { ranDry: true })).toMatchObject({
    state: 'finished',
    servedVolumeMl: 700,
    // The first of its drinks was poured then.
    startedTimeMs: at(minute).wallMs,
  });
});

test('it is no evidence of a meter, nor is the keg behind it, which follows', () => {
  const { engine, store, keg, second, left, takeOff } = openPouredBar();
  engine.kegs.connect(left.id, second.id, at(0), systemActor);
  takeOff();
  expect(engine.taps.find(left.id)?.keg?.id).toBe(second.id);
  expect([keg, second].map(({ id }) => engine.kegs.get(id)?.inSeries)).toEqual([true, true]);
  engine.kegs.endOnTap(left.id, at(2 * hour), systemActor);
  engine.kegs.attach(left.id, keg.id, at(2 * hour), systemActor);
  engine.kegs.endOnTap(left.id, at(3 * hour), systemActor, { ranDry: true });
  expect(store.taps.meterEvidence.byKeg(keg.id)?.isFit).toBe(false);
});

test('taking off is undone while the tap is free, and so is putting on again', () => {
  const { engine, keg, second, left, takeOff, undo } = openPouredBar();
  takeOff();
  undo();
  expect(engine.kegs.get(keg.id)).toMatchObject({ state: 'on_tap', inSeries: false });
  expect(engine.taps.find(left.id)?.keg?.id).toBe(keg.id);
  takeOff();
  engine.kegs.attach(left.id, second.id, at(2 * hour), systemActor);
  expect(() => undo()).toThrow(expect.objectContaining({ code: 'conflict' }));
  undo(second.id);
  engine.kegs.attach(left.id, keg.id, at(2 * hour), systemActor);
  undo();
  expect(engine.kegs.get(keg.id)).toMatchObject({ state: 'available', startedTimeMs: at(0).wallMs });
});

test('property: whatever kegs are taken off and put on again, each has its drinks and nothing is lost', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('pour', 'takeOff', 'first', 'second'), { maxLength: 20 }),
      (steps) => {
        const { engine, store, left, keg, second, pourMl, next } = openPouredBar();
        const poured = new Map([[keg.id, 300]]);
        const count = (id: number, ml: number) => poured.set(id, (poured.get(id) ?? 0) + ml);
        for (const step of steps) {
          const onTap = engine.taps.find(left.id)!.keg?.id ?? null;
          if (step === 'pour') {
            expect(pourMl(100)).toBe(onTap);
            if (onTap !== null) count(onTap, 100);
          } else if (step === 'takeOff') {
            if (onTap !== null) engine.kegs.disconnect(left.id, onTap, next(), systemActor);
          } else if (onTap === null) {
            const { id } = step === 'first' ? keg : second;
            engine.kegs.attach(left.id, id, next(), systemActor);
          }
        }
        for (const { id } of [keg, second])
          expect(engine.kegs.get(id)?.servedVolumeMl).toBeCloseTo(poured.get(id) ?? 0);
        store.close();
      },
    ),
  );
});
