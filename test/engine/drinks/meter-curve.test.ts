import { expect, test } from 'vitest';
import { systemActor } from '../../../src/engine/engine.ts';
import { at, hour, minute, openBar, pour } from '../bar.ts';

/** The left meter has 1 tick per millilitre: at 50 ticks per second it has 4 % less. */
const curve = {
  points: [
    { hz: 50, ticksPerMl: 0.96 },
    { hz: 100, ticksPerMl: 1 },
  ],
  offsetTicks: 0,
};

/** A pour of 200 ticks at a steady rate. */
function steady(hz: number, endedAt = at(minute)) {
  const count = 2_000 / hz;
  const series = Array.from({ length: count }, (_, i) => `${i * 100}:${hz / 10}`).join(' ');
  return pour(endedAt, { ticks: 200, series, durationMs: count * 100 });
}

const errorCode = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (fault) {
    return (fault as { code?: string }).code;
  }
};

test('pours are computed by the curve from then on; the factor that is shown stays', () => {
  const { engine } = openBar();
  const [meter] = engine.taps.hardware.meters();
  expect(engine.drinks.pours.record(steady(50), 'pin', at(minute)).volumeMl).toBe(200);
  const applied = engine.drinks.calibrate(meter!.id, { curve, kegId: null }, at(hour));
  expect(applied).toMatchObject({ ticksPerMl: 1, beforeCurve: null, curve, drinkCount: 0 });
  expect(engine.taps.hardware.meters()[0]).toMatchObject({ ticksPerMl: 1, curve, uFactor: null });
  const [slow, fast] = [steady(50, at(2 * hour)), steady(100, at(2 * hour))];
  expect(engine.drinks.pours.record(slow, 'pin', at(2 * hour)).volumeMl).toBeCloseTo(200 / 0.96, 9);
  expect(engine.drinks.pours.record(fast, 'pin', at(2 * hour)).volumeMl).toBeCloseTo(200, 9);
});

test('pours of boards and clients keep the one factor', () => {
  const { engine } = openBar();
  const [meter] = engine.taps.hardware.meters();
  engine.drinks.calibrate(meter!.id, { curve, kegId: null }, at(0));
  expect(engine.drinks.pours.record(steady(50), 'serial', at(minute)).volumeMl).toBe(200);
  const report = { tap: 'pi.flow0', ticks: 200, series: steady(50).series, source: 'post' } as const;
  expect(engine.drinks.pours.report(report, at(minute)).volumeMl).toBe(200);
});

test('past drinks of the keg follow a new curve, and its removal, and both are undone', () => {
  const { engine, store, keg } = openBar();
  const [meter] = engine.taps.hardware.meters();
  const { id, sessionId } = engine.drinks.pours.record(steady(50), 'pin', at(minute));
  engine.drinks.pours.record(steady(100, at(2 * minute)), 'pin', at(2 * minute));
  const volumes = () => [
    engine.drinks.get(id)!.drink.volumeMl,
    engine.kegs.get(keg.id)!.servedVolumeMl,
    store.drinks.sessions.byId(sessionId!)!.volumeMl,
  ];
  const slowMl = 200 / 0.96;
  const preview = engine.drinks.previewCalibration(meter!.id, { curve, kegId: keg.id });
  expect(preview).toMatchObject({ drinkCount: 1, beforeMl: 200, afterMl: expect.closeTo(slowMl, 9) });
  expect(volumes()).toEqual([200, 400, 400]);
  const put = engine.drinks.calibrate(meter!.id, { curve, kegId: keg.id }, at(hour));
  expect(volumes()).toEqual([slowMl, slowMl + 200, slowMl + 200].map((ml) => expect.closeTo(ml, 5)));
  const entry = engine.audit.list({ limit: 1 }).items[0]!;
  expect(entry.action).toBe('meter.calibrated');
  expect(JSON.parse(entry.before!)).toMatchObject({ ticks_per_ml: 1, curve: null });
  expect(JSON.parse(entry.after!)).toMatchObject({
    ticks_per_ml: 1,
    method: 'entered',
    drinks: 1,
    curve: { offset_ticks: 0, points: [{ hz: 50 }, { hz: 100 }] },
  });
  const removed = engine.drinks.calibrate(meter!.id, { curve: null, kegId: keg.id }, at(2 * hour));
  expect(volumes()).toEqual([200, 400, 400].map((ml) => expect.closeTo(ml, 5)));
  engine.corrections.undo(removed.correctionId!, {}, at(3 * hour));
  expect(engine.taps.hardware.meters()[0]!.curve).toEqual(curve);
  expect(volumes()[0]).toBeCloseTo(slowMl, 9);
  engine.corrections.undo(put.correctionId!, {}, at(3 * hour));
  expect(engine.taps.hardware.meters()[0]).toMatchObject({ curve: null, ticksPerMl: 1 });
  expect(volumes()).toEqual([200, 400, 400]);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a new factor scales the curve, also one that is set with the meter’s other fields', () => {
  const { engine, keg } = openBar();
  const [meter] = engine.taps.hardware.meters();
  const { id } = engine.drinks.pours.record(steady(50), 'pin', at(minute));
  engine.drinks.calibrate(meter!.id, { curve, kegId: keg.id }, at(hour));
  const { correctionId } = engine.drinks.calibrate(meter!.id, { ticksPerMl: 2, kegId: keg.id }, at(hour));
  expect(engine.drinks.get(id)!.drink.volumeMl).toBeCloseTo(100 / 0.96, 9);
  expect(engine.taps.hardware.meters()[0]!.curve!.points[0]).toEqual({ hz: 50, ticksPerMl: 1.92 });
  engine.corrections.undo(correctionId!, {}, at(2 * hour));
  expect(engine.taps.hardware.meters()[0]!.curve).toEqual(curve);
  engine.taps.hardware.changeMeter(meter!.id, { ticksPerMl: 4 });
  expect(engine.taps.hardware.meters()[0]!.curve!.points[1]).toEqual({ hz: 100, ticksPerMl: 4 });
});

test('a curve that is the meter’s already changes nothing, and one that was replaced is not undone', () => {
  const { engine } = openBar();
  const [meter] = engine.taps.hardware.meters();
  const first = engine.drinks.calibrate(meter!.id, { curve, kegId: null }, at(0));
  expect(engine.drinks.calibrate(meter!.id, { curve, kegId: null }, at(1)).correctionId).toBeNull();
  engine.drinks.calibrate(meter!.id, { curve: { ...curve, offsetTicks: 2 }, kegId: null }, at(2));
  expect(errorCode(() => engine.corrections.undo(first.correctionId!, {}, at(3)))).toBe('conflict');
});

test('a deleted meter gets its curve back with the undoing', () => {
  const { engine } = openBar();
  const board = engine.taps.hardware.createController({ name: 'kegboard' });
  const meter = engine.taps.hardware.createMeter({
    controllerId: board.id,
    portName: 'flow9',
    ticksPerMl: 1,
  });
  engine.drinks.calibrate(meter.id, { curve, kegId: null }, at(0));
  engine.taps.hardware.removeMeter(meter.id, { actor: systemActor, now: at(1) });
  const entry = engine.audit.list({ limit: 1 }).items[0]!;
  engine.corrections.undo(entry.id, {}, at(2));
  expect(engine.taps.hardware.meters().find(({ id }) => id === meter.id)!.curve).toEqual(curve);
});

test('refuses points that are no curve, and names the field', () => {
  const { engine } = openBar();
  const [meter] = engine.taps.hardware.meters();
  const refuse = (points: readonly { hz: number; ticksPerMl: number }[], offsetTicks = 0) =>
    expect(() =>
      engine.drinks.previewCalibration(meter!.id, { curve: { points, offsetTicks }, kegId: null }),
    );
  refuse([]).toThrow(/^points /);
  refuse(curve.points.toReversed()).toThrow(/^points /);
  refuse([{ hz: 0, ticksPerMl: 1 }]).toThrow(/^points.0.hz /);
  refuse([{ hz: 1, ticksPerMl: 1_001 }]).toThrow(/^points.0.ticks_per_ml /);
  refuse(curve.points, 1_001).toThrow(/^offset_ticks /);
});

test('rates outside of the points widen the ± of a drink, and so does a curve that was changed since', () => {
  const { engine } = openBar();
  const [meter] = engine.taps.hardware.meters();
  const uncertaintyMl = (hz: number) => {
    const drink = engine.drinks.pours.record(steady(hz), 'pin', at(minute));
    return () => (engine.drinks.uncertainties.drink(drink) as { ml: number }).ml;
  };
  engine.drinks.calibrate(meter!.id, { ticksPerMl: 1, uncertainty: 0.01, curve, kegId: null }, at(0));
  const [within, outside] = [uncertaintyMl(100), uncertaintyMl(200)];
  // 200 mL in 1 s by a curve up to 100 mL/s: 6 % of 13.3 mL/s, for a second less; and the start of twice the flow.
  expect(outside() ** 2 - within() ** 2).toBeGreaterThan((2 * 0.06 * 13.3) ** 2);
  const before = within();
  engine.drinks.calibrate(
    meter!.id,
    { curve: { ...curve, points: [{ hz: 100, ticksPerMl: 1.1 }] }, kegId: null },
    at(hour),
  );
  expect(within()).toBeGreaterThan(before + 10);
});

test('gas that is counted as beer after all has the volume of its rate', () => {
  const { engine, left } = openBar();
  const [meter] = engine.taps.hardware.meters();
  engine.drinks.calibrate(meter!.id, { curve, kegId: null }, at(0));
  const { series } = steady(50);
  const gas = { class: 'gas', onsetMs: 4_000, ticks: 200, ratio: 2 } as const;
  const mixed = `${series} ${Array.from({ length: 20 }, (_, i) => `${4_000 + i * 100}:10`).join(' ')}`;
  const ended = pour(at(minute), { ticks: 400, series: mixed, durationMs: 6_000, gas });
  const { id } = engine.drinks.pours.record(ended, 'pin', at(minute));
  expect(engine.drinks.get(id)!.drink.volumeMl).toBeCloseTo(200 / 0.96, 9);
  engine.drinks.emptyKegs.deny(left.id, at(5 * minute));
  expect(engine.drinks.get(id)!.drink.volumeMl).toBeCloseTo(200 / 0.96 + 200, 0);
  expect(engine.site.checkDatabase()).toEqual([]);
});

/** Pours 30 L through the left meter at 50 ticks per second, where it has 4 % fewer ticks, until gas comes. */
function emptyAtLowRate({ engine, left }: ReturnType<typeof openBar>, startMs: number) {
  const beverage = { name: 'Pils', producerName: 'Brewery', styleName: 'Pils' };
  if (engine.taps.find('pi.flow0')!.tap.kegId === null)
    engine.kegs.start(left.id, { beverage, sizeKey: 'euro-30-liter' }, at(startMs));
  const beer = 0.96 * 29_775;
  for (let i = 1; i <= 6; i++) {
    const ended = at(startMs + i * hour);
    const count = Math.round(beer / 6 / 5);
    const series = Array.from({ length: count }, (_, n) => `${n * 100}:5`).join(' ');
    const onsetMs = count * 100;
    const gasPairs = Array.from({ length: 10 }, (_, n) => `${onsetMs + n * 100}:10`).join(' ');
    const last =
      i < 6
        ? { ticks: count * 5, series, gas: null }
        : {
            ticks: count * 5 + 100,
            series: `${series} ${gasPairs}`,
            gas: { class: 'gas', onsetMs, ticks: 100, ratio: 2 } as const,
          };
    engine.drinks.pours.record(pour(ended, { ...last, durationMs: onsetMs + 1_000 }), 'pin', ended);
  }
  engine.kegs.endOnTap(left.id, at(startMs + 6 * hour));
}

test('a right curve is not learned away: kegs that were poured slowly confirm the factor at the usual rate', () => {
  const bar = openBar();
  const { engine } = bar;
  engine.drinks.calibrate(1, { curve, kegId: null }, at(minute));
  emptyAtLowRate(bar, minute);
  emptyAtLowRate(bar, 8 * hour);
  const { learned, evidence } = engine.drinks.meterLearning.get(1, at(20 * hour));
  expect(evidence.map(({ state }) => state)).toEqual(['used', 'used']);
  expect(evidence[0]!.ticks / evidence[0]!.volumeMl).toBeCloseTo(1, 3);
  expect(learned?.isOffered).toBe(false);
  expect(learned?.ticksPerMl).toBeCloseTo(1, 2);
});

test('evidence from before another curve is not used with it; undoing the curve measures what came since by one factor', () => {
  const bar = openBar();
  const { engine } = bar;
  emptyAtLowRate(bar, 0);
  const states = () => engine.drinks.meterLearning.get(1, at(40 * hour)).evidence.map(({ state }) => state);
  expect(states()).toEqual(['used']);
  const { correctionId } = engine.drinks.calibrate(1, { curve, kegId: null }, at(7 * hour));
  expect(states()).toEqual(['outdated']);
  emptyAtLowRate(bar, 8 * hour);
  expect(states()).toEqual(['outdated', 'used']);
  engine.corrections.undo(correctionId!, {}, at(20 * hour));
  const { evidence } = engine.drinks.meterLearning.get(1, at(40 * hour));
  expect(evidence.map(({ state }) => state)).toEqual(['used', 'used']);
  expect(evidence[1]!.ticks).toBe(evidence[0]!.ticks);
});

test('measured pours at two rates say what the factor is at the usual one', () => {
  const { engine } = openBar();
  const measured = { pours: 6, ticks: 5_880, volumeMl: 6_000 };
  const options = {
    ticksPerMl: 1,
    uncertainty: 0.004,
    method: 'pours',
    measured,
    curve,
    kegId: null,
  } as const;
  engine.drinks.calibrate(1, options, at(minute));
  expect(engine.drinks.meterLearning.get(1, at(hour)).evidence).toMatchObject([
    { ticks: 6_000, volumeMl: 6_000 },
  ]);
});
