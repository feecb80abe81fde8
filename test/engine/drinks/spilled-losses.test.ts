import { expect, test } from 'vitest';
import type { Moment } from '../../../src/core/clock/moment.ts';
import { systemActor } from '../../../src/engine/engine.ts';
import { at, hour, minute, openBar, openingMs, pour } from '../bar.ts';

type Bar = ReturnType<typeof openBar>;

const day = 24 * hour;
const firstDay = openingMs / day - 0.75;
/** Last millisecond of Friday 1 May 2026, UTC. */
const endOfFirstDay = Date.UTC(2026, 4, 2) - 1;

function drip({ engine }: Bar, now: Moment, ticks: number, backFlowTicks = 0, meter = 'pi.flow0') {
  const byMeter = new Map([[meter, { ticks: ticks + backFlowTicks, drips: 1, backFlowTicks }]]);
  engine.drinks.pours.countDrips({ byMeter, counters: [] }, now);
}

const tapOf = ({ engine }: Bar, id: number) => engine.taps.find(id)!.tap;
const spill = (
  bar: Bar,
  date: string,
  now: Moment,
  loss: 'drips' | 'back_flow' = 'drips',
  tap = bar.left.id,
) => bar.engine.drinks.spilledLosses.spill(tapOf(bar, tap), date, loss, { actor: systemActor, now });
const lossesOf = ({ store, left }: Bar) => store.taps.losses.byTap(left.id, 5);
const noneLeft = expect.objectContaining({ code: 'conflict', reason: { name: 'no_loss_left' } });

test('the drips of today become one spill of the keg on tap, now; undo puts them back', () => {
  const bar = openBar();
  drip(bar, at(minute), 30);
  drip(bar, at(2 * minute), 40, 25);
  const before = lossesOf(bar);
  const { spill: spilled, keg, correctionId } = spill(bar, '2026-05-01', at(3 * minute));
  expect(spilled).toMatchObject({ tapId: bar.left.id, kegId: bar.keg.id, volumeMl: 70 });
  expect(spilled.timeMs).toBe(at(3 * minute).wallMs);
  expect(bar.store.drinks.rows.byKey('spills', spilled.id)).toMatchObject({ ticks: 70, meter: 'pi.flow0' });
  expect(keg).toMatchObject({ id: bar.keg.id, spilledVolumeMl: 70 });
  expect(lossesOf(bar)).toMatchObject([{ localDay: firstDay, drips: 0, dripTicks: 0, backFlowTicks: 25 }]);
  expect(bar.engine.site.checkDatabase()).toEqual([]);
  bar.engine.corrections.undo(correctionId, {}, at(4 * minute));
  expect(lossesOf(bar)).toEqual(before);
  expect(bar.engine.kegs.get(bar.keg.id)).toMatchObject({ spilledVolumeMl: 0 });
  expect(bar.engine.taps.hardware.meters()[0]?.ticksTotal).toBe(95);
  expect(bar.engine.site.checkDatabase()).toEqual([]);
});

test('a second time nothing is left, and nothing is booked', () => {
  const bar = openBar();
  drip(bar, at(minute), 30);
  const { correctionId } = spill(bar, '2026-05-01', at(2 * minute));
  expect(() => spill(bar, '2026-05-01', at(3 * minute))).toThrow(noneLeft);
  expect(() => spill(bar, '2026-04-30', at(3 * minute))).toThrow(noneLeft);
  expect(() => spill(bar, '2026-05-01', at(3 * minute), 'back_flow')).toThrow(noneLeft);
  expect(bar.engine.kegs.get(bar.keg.id)).toMatchObject({ spilledVolumeMl: 30 });
  expect(lossesOf(bar)).toEqual([]);
  bar.engine.corrections.undo(correctionId, {}, at(4 * minute));
  drip(bar, at(5 * minute), 10);
  expect(spill(bar, '2026-05-01', at(6 * minute)).spill.volumeMl).toBe(40);
});

test('an undo adds to the drips that came since', () => {
  const bar = openBar();
  drip(bar, at(minute), 30);
  const { correctionId } = spill(bar, '2026-05-01', at(2 * minute));
  drip(bar, at(3 * minute), 5);
  bar.engine.corrections.undo(correctionId, {}, at(4 * minute));
  expect(lossesOf(bar)).toMatchObject([{ drips: 2, dripTicks: 35 }]);
});

test('back-flow is counted by itself', () => {
  const bar = openBar();
  drip(bar, at(minute), 30, 25);
  expect(spill(bar, '2026-05-01', at(2 * minute), 'back_flow').spill.volumeMl).toBe(25);
  expect(lossesOf(bar)).toMatchObject([{ drips: 1, dripTicks: 30, backFlowTicks: 0 }]);
});

test('a past day is spilled at its end, of the keg that was on tap then', () => {
  const bar = openBar();
  const { engine, left, keg } = bar;
  engine.drinks.pours.record(pour(at(minute)), 'pin', at(minute));
  drip(bar, at(2 * minute), 30);
  engine.kegs.endOnTap(left.id, at(day));
  const beverage = { name: 'Stout', producerName: 'Brewery', styleName: '' };
  engine.kegs.start(left.id, { beverage, sizeKey: 'euro-30-liter' }, at(day + minute));
  const { spill: spilled } = spill(bar, '2026-05-01', at(2 * day));
  expect(spilled).toMatchObject({ kegId: keg.id, timeMs: endOfFirstDay });
});

test('where no keg was on tap at the end of the day, it is of the one that ended on it', () => {
  const bar = openBar();
  const { engine, left, keg } = bar;
  engine.drinks.pours.record(pour(at(minute)), 'pin', at(minute));
  drip(bar, at(2 * minute), 30);
  engine.kegs.endOnTap(left.id, at(hour));
  drip(bar, at(day), 20);
  expect(spill(bar, '2026-05-01', at(2 * day)).spill).toMatchObject({
    kegId: keg.id,
    timeMs: at(hour).wallMs,
  });
  expect(spill(bar, '2026-05-02', at(2 * day))).toMatchObject({ keg: null, spill: { kegId: null } });
});

test('what a meter dripped before another one took its place is a spill of that meter', () => {
  const bar = openBar();
  const { engine, left } = bar;
  engine.drinks.pours.record(pour(at(minute)), 'pin', at(minute));
  drip(bar, at(2 * minute), 30);
  engine.taps.connectMeter(left.id, engine.taps.hardware.meters()[2]!.id);
  expect(engine.taps.facts.losses(tapOf(bar, left.id))).toMatchObject([{ date: '2026-05-01', dripMl: 30 }]);
  const { spill: spilled } = spill(bar, '2026-05-01', at(2 * day));
  expect(spilled.volumeMl).toBe(30);
  expect(bar.store.drinks.rows.byKey('spills', spilled.id)).toMatchObject({ ticks: 30, meter: 'pi.flow0' });
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('without a set clock drips are of the newest day that is known', () => {
  const bar = openBar();
  const unset = at(day, { synced: false, wallMs: openingMs + 3 * day });
  drip(bar, unset, 30);
  expect(lossesOf(bar)).toMatchObject([{ localDay: firstDay, dripTicks: 30 }]);
  const { spill: spilled } = spill(bar, '2026-05-01', unset);
  expect(spilled.timeMs).toBe(unset.wallMs);
  bar.engine.drinks.clockCorrection.correct(at(day + minute));
  expect(bar.store.drinks.rows.byKey('spills', spilled.id)).toMatchObject({ time_ms: at(day).wallMs });
});

test('drips of a meter without a tap are in its lifetime total', () => {
  const bar = openBar();
  drip(bar, at(minute), 30, 0, 'pi.flow2');
  expect(bar.engine.taps.hardware.meters()[2]?.ticksTotal).toBe(30);
  expect(lossesOf(bar)).toEqual([]);
});

test('the evidence of an emptied keg counts the ticks of a day once', () => {
  const bar = openBar();
  for (let n = 1; n <= 6; n++) {
    const gas = n < 6 ? null : ({ class: 'gas', onsetMs: 59_000, ticks: 100, ratio: 2 } as const);
    const ticks = 4_950 + (gas?.ticks ?? 0);
    const ended = pour(at(n * minute), { ticks, durationMs: 60_000, series: '0:4950', gas });
    bar.engine.drinks.pours.record(ended, 'pin', at(n * minute));
  }
  drip(bar, at(hour), 120);
  bar.engine.kegs.endOnTap(bar.left.id, at(2 * hour));
  const evidence = () => bar.store.taps.meterEvidence.byKeg(bar.keg.id)!;
  const before = evidence();
  expect(before).toMatchObject({ ticks: 29_700 + 120, isFit: true });
  const { correctionId } = spill(bar, '2026-05-01', at(day));
  expect(evidence()).toMatchObject({ ticks: 29_700 + 120, isFit: true });
  bar.engine.corrections.undo(correctionId, {}, at(day));
  expect(evidence()).toEqual(before);
});

test('a day that does not exist is refused', () => {
  const bar = openBar();
  expect(() => spill(bar, '2026-02-30', at(minute))).toThrow(
    expect.objectContaining({ code: 'invalid_request' }),
  );
});
