import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemActor } from '../../../src/engine/shared/audit.ts';
import { at, hour, minute, openBar, pour } from '../bar.ts';

const beverage = { name: 'Lager', producerName: 'Brewery', styleName: 'Pils' } as const;
const conflict = (name: string) =>
  expect.objectContaining({ code: 'conflict', reason: expect.objectContaining({ name }) });

/** The bar with its full 30 L keg on the left tap, and kegs of 5 L with the same beer in stock. */
function openKegBar(inStock = 2) {
  const bar = openBar();
  const { engine, left } = bar;
  const small = Array.from({ length: inStock }, () =>
    engine.kegs.create({ beverage, sizeKey: 'mini' }, at(0)),
  ).map(({ id }) => id);
  let count = 0;
  return {
    ...bar,
    small,
    connect: (tapId: number, kegId: number) => engine.kegs.connect(tapId, kegId, at(minute), systemActor),
    disconnect: (tapId: number, kegId: number) =>
      engine.kegs.disconnect(tapId, kegId, at(minute), systemActor),
    /** Pours at the left tap unless another meter is named; returns the keg. */
    pourMl(ml: number, meter: 'pi.flow0' | 'pi.flow1' = 'pi.flow0'): number | null {
      count += 1;
      const now = at(hour + count * minute);
      const ticks = meter === 'pi.flow0' ? ml : ml * 2;
      // Slow enough to be beer, however much it is.
      return engine.drinks.pours.record(pour(now, { meter, ticks, durationMs: ml * 20 }), 'pin', now).kegId;
    },
    kegsOf(tapId: number) {
      const { keg, kegsBehind } = engine.taps.find(tapId)!;
      return [...(keg === null ? [] : [keg]), ...kegsBehind].map(({ id }) => id);
    },
    undo(kegId: number) {
      const id = engine.audit.latestCorrection('keg', { kind: 'keg', id: kegId });
      engine.corrections.undo(id!, { actor: systemActor }, at(2 * hour));
    },
    left: left.id,
    right: bar.right.id,
  };
}

test('drinks count for the first keg of a series until it is empty by the count, then for the next one', () => {
  const bar = openKegBar();
  const { engine, keg, small, left } = bar;
  engine.kegs.endOnTap(left, at(0), systemActor);
  engine.kegs.attach(left, small[0]!, at(0), systemActor);
  bar.connect(left, small[1]!);
  expect(bar.kegsOf(left)).toEqual(small);
  expect(bar.pourMl(4_900)).toBe(small[0]);
  expect(bar.pourMl(300)).toBe(small[0]);
  expect(engine.kegs.get(small[0]!)).toMatchObject({ state: 'finished', ranDry: null, inSeries: true });
  expect(bar.kegsOf(left)).toEqual([small[1]]);
  expect(bar.pourMl(500)).toBe(small[1]);
  // The last one stays, however much is poured from it.
  expect(bar.pourMl(6_000)).toBe(small[1]);
  expect(engine.kegs.get(small[1]!)).toMatchObject({ state: 'on_tap', servedVolumeMl: 6_500 });
  expect(keg.id).not.toBe(small[0]);
});

test('the kegs of a series are no evidence for the meter', () => {
  const bar = openKegBar();
  const { engine, store, small, left } = bar;
  engine.kegs.endOnTap(left, at(0), systemActor);
  engine.kegs.attach(left, small[0]!, at(0), systemActor);
  bar.connect(left, small[1]!);
  for (let poured = 0; poured < 10_000; poured += 500) bar.pourMl(500);
  engine.kegs.endOnTap(left, at(2 * hour), systemActor, { ranDry: true });
  expect(small.map((id) => store.taps.meterEvidence.byKeg(id)?.isFit)).toEqual([false, false]);
});

test('a keg on two taps is poured from at both, is low once, and ends on both', () => {
  const bar = openKegBar();
  const { engine, keg, left, right } = bar;
  bar.connect(right, keg.id);
  expect(bar.pourMl(400)).toBe(keg.id);
  expect(bar.pourMl(500, 'pi.flow1')).toBe(keg.id);
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBe(900);
  expect(engine.taps.find(left)?.otherTaps.map(({ id }) => id)).toEqual([right]);
  engine.kegs.endOnTap(right, at(2 * hour), systemActor);
  expect([bar.kegsOf(left), bar.kegsOf(right)]).toEqual([[], []]);
});

test('the next keg of a split line is put on all its taps', () => {
  const bar = openKegBar();
  const { engine, keg, small, left, right } = bar;
  bar.connect(right, keg.id);
  engine.kegs.attachNext(left, small[0]!, at(2 * hour), systemActor);
  expect([bar.kegsOf(left), bar.kegsOf(right)]).toEqual([[small[0]], [small[0]]]);
});

test('the next keg of a series is put behind those that follow', () => {
  const bar = openKegBar();
  const { engine, keg, small, left } = bar;
  bar.connect(left, small[0]!);
  engine.kegs.attachNext(left, small[1]!, at(2 * hour), systemActor);
  expect(bar.kegsOf(left)).toEqual(small);
  expect(engine.kegs.get(keg.id)?.state).toBe('finished');
});

test('a keg is not connected twice, nor one that is finished or has another beverage', () => {
  const bar = openKegBar();
  const { engine, keg, left } = bar;
  expect(() => bar.connect(left, keg.id)).toThrow(conflict('keg_on_tap_already'));
  const stout = engine.kegs.create({ beverage: { ...beverage, name: 'Stout' }, sizeKey: 'mini' }, at(0));
  expect(() => bar.connect(left, stout.id)).toThrow(conflict('other_beverage'));
  const ended = engine.kegs.create({ beverage, sizeKey: 'mini' }, at(0));
  engine.kegs.endOffTap(ended.id, at(0));
  expect(() => bar.connect(left, ended.id)).toThrow(conflict('keg_finished'));
});

test('at most sixteen kegs are connected to a tap', () => {
  const bar = openKegBar(16);
  for (const id of bar.small.slice(0, 15)) bar.connect(bar.left, id);
  expect(() => bar.connect(bar.left, bar.small[15]!)).toThrow(conflict('too_many_connected'));
});

test('a keg goes back to the stock when it is taken off its last tap', () => {
  const bar = openKegBar();
  const { engine, keg, small, left, right } = bar;
  bar.connect(left, small[0]!);
  expect(bar.disconnect(left, small[0]!).state).toBe('available');
  bar.pourMl(400);
  bar.connect(right, keg.id);
  expect(bar.disconnect(left, keg.id).state).toBe('on_tap');
  expect([bar.kegsOf(left), bar.kegsOf(right)]).toEqual([[], [keg.id]]);
  expect(() => bar.disconnect(left, keg.id)).toThrow(expect.objectContaining({ code: 'not_found' }));
  expect(engine.kegs.get(small[0]!)?.startedTimeMs).toBe(engine.kegs.get(small[0]!)?.createdTimeMs);
});

test('connecting, taking off and ending are undone in their places', () => {
  const bar = openKegBar();
  const { engine, keg, small, left, right } = bar;
  bar.connect(left, small[0]!);
  bar.connect(left, small[1]!);
  bar.connect(right, keg.id);
  engine.kegs.endOnTap(left, at(hour), systemActor);
  expect([bar.kegsOf(left), bar.kegsOf(right)]).toEqual([small, []]);
  bar.undo(keg.id);
  expect([bar.kegsOf(left), bar.kegsOf(right)]).toEqual([[keg.id, ...small], [keg.id]]);
  expect(engine.kegs.get(keg.id)?.inSeries).toBe(false);
  bar.disconnect(left, small[0]!);
  bar.undo(small[0]!);
  expect(bar.kegsOf(left)).toEqual([keg.id, ...small]);
  bar.undo(small[1]!);
  expect(bar.kegsOf(left)).toEqual([keg.id, small[0]]);
  expect(engine.kegs.get(small[1]!)?.state).toBe('available');
});

test('a keg that was ended does not return before one that came since', () => {
  const bar = openKegBar();
  const { engine, keg, small, left } = bar;
  engine.kegs.endOnTap(left, at(hour), systemActor);
  engine.kegs.attach(left, small[0]!, at(hour), systemActor);
  expect(() => bar.undo(keg.id)).toThrow(conflict('tap_has_keg'));
});

test('when gas comes out of a series, all its kegs are empty', () => {
  const bar = openKegBar();
  const { engine, small, left } = bar;
  bar.connect(left, small[0]!);
  engine.drinks.emptyKegs.confirm(left, at(hour), systemActor);
  expect(bar.kegsOf(left)).toEqual([]);
});

test('a keg that empties by the count with gas stays, so that staff are asked about all kegs of the series', () => {
  const bar = openKegBar();
  const { engine, small, left } = bar;
  engine.kegs.endOnTap(left, at(0), systemActor);
  for (const id of small) bar.connect(left, id);
  bar.pourMl(4_900);
  const now = at(3 * hour);
  const gas = { class: 'gas', onsetMs: 2_000, ticks: 450, ratio: 2 } as const;
  engine.drinks.pours.record(pour(now, { ticks: 570, durationMs: 5_000, gas }), 'pin', now);
  expect(bar.kegsOf(left)).toEqual(small);
  expect([...engine.drinks.emptyKegs.all().keys()]).toEqual([left]);
  engine.drinks.emptyKegs.confirm(left, now, systemActor);
  expect(bar.kegsOf(left)).toEqual([]);
});

test('no low keg is reported while another one follows', () => {
  const bar = openKegBar();
  const { engine, small, left } = bar;
  const lowEvents = () =>
    engine.drinks.events.list({ limit: 100 }).filter(({ kind }) => kind === 'keg_volume_low');
  bar.connect(left, small[0]!);
  for (let poured = 0; poured < 29_000; poured += 1_000) bar.pourMl(1_000);
  expect(lowEvents()).toEqual([]);
  for (let poured = 0; poured < 6_000; poured += 500) bar.pourMl(500);
  expect(lowEvents()).toHaveLength(1);
});

test('whatever is poured, each drink has one keg of the series, and only the last one is overdrawn by more than a drink', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 50, max: 2_000 }), { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 4 }),
      (pours, kegs) => {
        const bar = openKegBar(kegs);
        const { engine, small, left } = bar;
        engine.kegs.endOnTap(left, at(0), systemActor);
        for (const id of small) bar.connect(left, id);
        const poured = pours.map((ml) => ({ ml, kegId: bar.pourMl(ml) }));
        const served = small.map((id) => engine.kegs.get(id)!.servedVolumeMl);
        const total = pours.reduce((sum, ml) => sum + ml, 0);
        expect(served.reduce((sum, ml) => sum + ml, 0)).toBeCloseTo(total, 6);
        for (const [place, id] of small.slice(0, -1).entries()) {
          const last = poured.findLast(({ kegId }) => kegId === id)?.ml ?? 0;
          expect(served[place]! - last).toBeLessThan(5_000);
        }
        const order = poured.map(({ kegId }) => small.indexOf(kegId!));
        expect(order).toEqual(order.toSorted((a, b) => a - b));
      },
    ),
    { numRuns: 30 },
  );
});
