import { describe, expect, test, vi } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { at, hour, minute, openingMs } from '../../../engine/bar.ts';
import { openBarWithScales } from '../scales-on.ts';
import { emptyG, openScaleBar } from './scale-bar.ts';

const day = 24 * hour;
const context = (ms = 0) => ({ actor: systemActor, now: at(ms) });
const refusal = (field: string) =>
  expect.objectContaining({ code: 'invalid_request', fields: { [field]: expect.any(String) } });

describe('a weight', () => {
  test('creates the scale of its tap, and is shown at once', () => {
    const bar = openScaleBar();
    const { view, isTaken } = bar.report();
    expect(isTaken).toBe(true);
    expect(view.scale).toMatchObject({ name: 'Left', tapId: bar.left.id, topic: '', emptyWeightG: null });
    expect(view.last).toEqual({ weightG: expect.closeTo(39_162, 0), tempC: 4, timeMs: openingMs });
    bar.wait(5_000);
    expect(bar.engine.scales.list()).toHaveLength(1);
  });

  test('is never a drink', () => {
    const bar = openScaleBar();
    bar.wait(minute);
    bar.move(-5_000);
    bar.wait(5 * minute);
    expect(bar.engine.lists.drinks({}).items).toEqual([]);
    expect(bar.engine.kegs.get(bar.keg.id)!.servedVolumeMl).toBe(0);
  });

  test('that comes within a second after another is not taken', () => {
    const bar = openScaleBar();
    bar.report();
    bar.pass(999);
    expect(bar.report().isTaken).toBe(false);
    bar.pass(1);
    expect(bar.report().isTaken).toBe(true);
  });

  test.each([-1, 300_001, Number.NaN, Number.POSITIVE_INFINITY])(
    'of %d g is refused by its field',
    (weightG) => {
      const { engine, left } = openBarWithScales();
      const tap = engine.taps.find(left.id)!;
      expect(() => engine.scales.receiveAt(tap, { weightG }, at(0))).toThrow(refusal('weight_g'));
      expect(engine.scales.list()).toEqual([]);
    },
  );

  test('with an impossible temperature or time is refused by its field', () => {
    const { engine, left } = openBarWithScales();
    const tap = engine.taps.find(left.id)!;
    const send = (more: object) => () => engine.scales.receiveAt(tap, { weightG: 1, ...more }, at(0));
    expect(send({ tempC: 126 })).toThrow(refusal('temp_c'));
    expect(send({ timeMs: openingMs + 2 * minute })).toThrow(refusal('time'));
    expect(send({ timeMs: openingMs - 31 * day })).toThrow(refusal('time'));
  });
});

test('a scale that a weight creates is in the audit log', () => {
  const { engine, left } = openBarWithScales();
  engine.scales.receiveAt(engine.taps.find(left.id)!, { weightG: 1_000 }, at(0), context());
  engine.scales.receiveAt(engine.taps.find(left.id)!, { weightG: 1_000 }, at(minute), context());
  expect(engine.audit.list({ action: 'scale.created' }).items).toHaveLength(1);
});

describe('readings', () => {
  test('of a scale that was offline for ten days are all stored', () => {
    const { engine, store, left } = openBarWithScales();
    const { id } = engine.scales.create({ name: 'A', tapId: left.id });
    const count = 10 * 24 * 60;
    for (let index = count; index > 0; index--)
      engine.scales.receive(id, { weightG: 30_000, timeMs: openingMs - index * minute }, at(0));
    engine.scales.flush();
    const span = { sinceMs: 0, untilMs: openingMs, limit: 2 * count };
    expect(store.scaleReadings.between({ scaleId: id, ...span })).toHaveLength(count);
  });

  test('are one per minute, the last one, and are stored in batches', () => {
    const bar = openScaleBar();
    bar.wait(3 * minute);
    const { id } = bar.scale().scale;
    const span = { sinceMs: openingMs, untilMs: openingMs + hour };
    const shown = bar.engine.scales.readings(id, span);
    expect(shown.map(({ minuteMs }) => minuteMs - openingMs)).toEqual([0, minute, 2 * minute, 3 * minute]);
    expect(bar.store.scaleReadings.last(id)).toBeNull();
    bar.engine.scales.flush();
    expect(bar.store.scaleReadings.last(id)).toMatchObject({ minuteMs: openingMs + 3 * minute });
    expect(bar.engine.scales.readings(id, span)).toEqual(shown);
  });

  test('that are sent twice or late change nothing else', () => {
    const { engine, left } = openBarWithScales();
    const tap = engine.taps.find(left.id)!;
    const late = { weightG: 20_000, timeMs: openingMs - hour };
    const { view } = engine.scales.receiveAt(tap, late, at(0));
    engine.scales.receiveAt(tap, late, at(10_000));
    engine.scales.flush();
    const span = { sinceMs: openingMs - day, untilMs: openingMs + day };
    expect(engine.scales.readings(view.id, span)).toEqual([
      { scaleId: view.id, minuteMs: openingMs - hour, weightG: 20_000, tempC: null },
    ]);
  });

  test('are removed after 30 days, while the clock is set', () => {
    const bar = openScaleBar();
    bar.wait(2 * minute);
    bar.engine.scales.flush();
    expect(bar.engine.scales.purge(at(29 * day))).toBe(0);
    expect(bar.engine.scales.purge(at(31 * day, { synced: false }))).toBe(0);
    expect(bar.engine.scales.purge(at(31 * day))).toBe(3);
    expect(bar.engine.scales.purge(at(31 * day))).toBe(0);
  });
});

test('a day of removing old readings writes once an hour', () => {
  const { engine, store, left } = openBarWithScales();
  const { id } = engine.scales.create({ name: 'A', tapId: left.id });
  for (let count = 0; count < 24 * 60; count++)
    engine.scales.receive(id, { weightG: 30_000 }, at(count * minute));
  engine.scales.flush();
  const transaction = vi.spyOn(store, 'transaction');
  let removed = 0;
  for (let count = 0; count < 24 * 60; count++) removed += engine.scales.purge(at(30 * day + count * minute));
  expect(removed).toBeGreaterThan(22 * 60);
  expect(transaction.mock.calls.length).toBeLessThanOrEqual(24);
});

describe('what is left', () => {
  test('is shown by the scale and by the meter, each with its own uncertainty', () => {
    const bar = openScaleBar();
    bar.wait(minute);
    expect(bar.scale().remaining).toBeNull();
    bar.engine.scales.change(bar.scale().id, { emptyWeightG: emptyG });
    bar.pour(1_000, 0.9);
    const { remaining, byMeter } = bar.scale();
    expect(remaining).toEqual({ volumeMl: expect.closeTo(29_000, 0), uncertaintyMl: expect.any(Number) });
    expect(byMeter).toEqual({
      volumeMl: 29_100,
      uncertaintyMl: bar.engine.drinks.uncertainties.keg(bar.engine.kegs.get(bar.keg.id)!),
    });
    expect(remaining!.uncertaintyMl).toBeGreaterThan(400);
  });
});

describe('findings', () => {
  test('missing ticks are found after pours of which the meter counted half, and never change a drink', () => {
    const bar = openScaleBar();
    bar.wait(minute);
    for (const share of [1, 1, 1, 0.5, 0.5]) bar.pour(500, share);
    expect(bar.open()).toEqual(['ticks_missing']);
    const [finding] = bar.scale().findings;
    expect(finding).toMatchObject({ kegId: bar.keg.id, endedMs: null, meterMl: 500 });
    expect(finding!.scaleMl).toBeCloseTo(1_000, -1);
    expect(bar.engine.lists.drinks({}).items.map(({ volumeMl }) => volumeMl)).toEqual([
      250, 250, 500, 500, 500,
    ]);
  });

  test('an ordinary evening has none', () => {
    const bar = openScaleBar();
    bar.report();
    bar.engine.scales.change(bar.scale().id, { emptyWeightG: emptyG });
    bar.wait(40 * minute);
    for (let count = 0; count < 30; count++) bar.pour(300);
    expect(bar.engine.scales.findings(bar.scale().id)).toEqual([]);
  });

  test('a keg that is moved is found half an hour after it was tapped, not before', () => {
    const bar = openScaleBar();
    bar.wait(minute);
    bar.move(-9_000);
    bar.wait(2 * minute);
    expect(bar.open()).toEqual([]);
    bar.wait(30 * minute);
    bar.move(9_000);
    bar.wait(2 * minute);
    expect(bar.open()).toEqual(['keg_moved']);
  });

  test('those about a keg end with it', () => {
    const bar = openScaleBar();
    bar.wait(31 * minute);
    bar.move(-9_000);
    bar.wait(2 * minute);
    expect(bar.open()).toEqual(['keg_moved']);
    bar.engine.kegs.end(bar.keg.id, bar.now());
    bar.wait(1_000);
    expect(bar.open()).toEqual([]);
    expect(bar.engine.scales.findings(bar.scale().id)).toMatchObject([
      { kind: 'keg_moved', endedMs: bar.now().wallMs },
    ]);
  });

  test('a keg of 20 L that is noted as one of 30 L has a wrong size, until its size is corrected', () => {
    const bar = openScaleBar();
    bar.report();
    bar.engine.scales.change(bar.scale().id, { emptyWeightG: emptyG });
    bar.move(-10_054);
    bar.wait(31 * minute);
    expect(bar.open()).toEqual(['wrong_keg_size']);
    expect(bar.scale().findings[0]).toMatchObject({ meterMl: 30_000, scaleMl: expect.closeTo(20_000, -2) });
    bar.engine.kegs.change(bar.keg.id, { fullVolumeMl: 20_000 }, bar.now());
    bar.wait(minute);
    expect(bar.open()).toEqual([]);
  });

  test('a wrong factor ends when the meter gets another factor', () => {
    const bar = openScaleBar();
    bar.wait(minute);
    for (let count = 0; count < 7; count++) bar.pour(500, 0.9);
    expect(bar.open()).toEqual(['wrong_factor']);
    bar.store.taps.meters.calibrate(bar.store.taps.meters.byName('pi.flow0')!.id, 0.9);
    bar.wait(1_000);
    expect(bar.open()).toEqual([]);
  });

  test('a wrong size ends when it is corrected, also after half of the keg was poured', () => {
    const bar = openScaleBar();
    bar.report();
    bar.engine.scales.change(bar.scale().id, { emptyWeightG: emptyG });
    bar.move(-10_054);
    bar.wait(31 * minute);
    for (let count = 0; count < 10; count++) bar.pour(1_000);
    expect(bar.open()).toContain('wrong_keg_size');
    bar.engine.kegs.change(bar.keg.id, { fullVolumeMl: 20_000 }, bar.now());
    bar.wait(minute);
    expect(bar.open()).not.toContain('wrong_keg_size');
  });

  test('one about a former keg is not shown any more, although the scale is silent', () => {
    const bar = openScaleBar();
    bar.wait(31 * minute);
    bar.move(-9_000);
    bar.wait(2 * minute);
    expect(bar.open()).toEqual(['keg_moved']);
    bar.engine.kegs.end(bar.keg.id, bar.now());
    expect(bar.open()).toEqual([]);
  });

  test('a sip does not end missing ticks', () => {
    const bar = openScaleBar();
    bar.wait(minute);
    for (const share of [1, 1, 1, 0.5, 0.5]) bar.pour(500, share);
    expect(bar.open()).toEqual(['ticks_missing']);
    bar.pour(25);
    expect(bar.open()).toEqual(['ticks_missing']);
  });

  describe('of a meter with a curve', () => {
    /** 10 % fewer ticks at 20 than at 100 per second. */
    const points = [
      { hz: 20, ticksPerMl: 0.9 },
      { hz: 100, ticksPerMl: 1 },
    ];
    const slow = { hz: 25, ticksPerMl: 0.9 + (0.1 * 5) / 80 };
    const fast = { hz: 90, ticksPerMl: 0.9 + (0.1 * 70) / 80 };
    const openCurveBar = (hasCurve = true) => {
      const bar = openScaleBar();
      const curve = hasCurve ? { points, offsetTicks: 0 } : null;
      bar.store.taps.meters.setCurve(bar.store.taps.meters.byName('pi.flow0')!.id, curve, 1);
      bar.wait(31 * minute);
      return {
        ...bar,
        /** Half a litre, of which the meter counts a share. */
        serve: ({ hz, ticksPerMl }: typeof slow, share = 1) =>
          bar.pourAt(500, { hz, ticks: Math.round(500 * ticksPerMl * share) }),
      };
    };
    const evening = [fast, slow, slow, fast, slow, fast, slow, slow];

    test('nothing is found in slow and fast pours that agree, as there would be by its one factor', () => {
      const bar = openCurveBar();
      for (const one of evening) bar.serve(one);
      expect(bar.open()).toEqual([]);
      const without = openCurveBar(false);
      for (const one of evening) without.serve(one);
      expect(without.open()).toEqual(['wrong_factor']);
    });

    test('a factor that is wrong by 5 % at every rate is found', () => {
      const bar = openCurveBar();
      for (const one of evening) bar.serve(one, 0.95);
      expect(bar.open()).toEqual(['wrong_factor']);
      expect(bar.scale().findings[0]?.ratio).toBeCloseTo(1 / 0.95, 1);
    });

    test('ticks that are missing in some pours are found', () => {
      const bar = openCurveBar();
      for (const share of [1, 1, 0.5, 1, 0.5]) bar.serve(slow, share);
      expect(bar.open()).toEqual(['ticks_missing']);
    });
  });

  test('the pours of a meter with a curve whose rates are not known are not compared, a moved keg is found', () => {
    const bar = openScaleBar();
    const points = [
      { hz: 10, ticksPerMl: 0.9 },
      { hz: 60, ticksPerMl: 1 },
    ];
    bar.store.taps.meters.setCurve(
      bar.store.taps.meters.byName('pi.flow0')!.id,
      { points, offsetTicks: 0 },
      1,
    );
    bar.wait(31 * minute);
    for (let count = 0; count < 7; count++) bar.pour(500, 0.9);
    for (const share of [0.5, 1, 0.5]) bar.pour(500, share);
    expect(bar.open()).toEqual([]);
    bar.move(-9_000);
    bar.wait(2 * minute);
    expect(bar.open()).toEqual(['keg_moved']);
  });

  test.each([{ unit: 'kg' as const }, { topic: 'bar/other' }, { payloadField: 'weight' }])(
    'weights before and after a change to %o are not compared',
    (fields) => {
      const bar = openScaleBar();
      bar.wait(31 * minute);
      bar.engine.scales.change(bar.scale().id, fields);
      bar.move(-9_000);
      bar.wait(3 * minute);
      expect(bar.open()).toEqual([]);
    },
  );

  test('one that staff close is closed and can be opened again', () => {
    const bar = openScaleBar();
    bar.wait(31 * minute);
    bar.move(-9_000);
    bar.wait(2 * minute);
    const { id } = bar.scale().findings[0]!;
    bar.engine.scales.closeFinding(id, true, context());
    expect(bar.open()).toEqual([]);
    expect(bar.engine.audit.list({ action: 'scale.finding_closed' }).items).toHaveLength(1);
    bar.engine.scales.closeFinding(id, false, context());
    expect(bar.open()).toEqual(['keg_moved']);
  });

  test('one that staff closed does not come back for the same keg within a day', () => {
    const bar = openScaleBar();
    bar.report();
    bar.engine.scales.change(bar.scale().id, { emptyWeightG: emptyG });
    bar.move(-10_054);
    bar.wait(31 * minute);
    const { id } = bar.scale().findings[0]!;
    bar.engine.scales.closeFinding(id, true, { actor: systemActor, now: bar.now() });
    bar.wait(10 * minute);
    expect(bar.open()).toEqual([]);
    bar.pass(day);
    bar.wait(minute);
    expect(bar.open()).toEqual(['wrong_keg_size']);
  });

  test('a scale without a tap, without a keg or without a meter has none', () => {
    const { engine, left, right } = openBarWithScales();
    const scales = [null, right.id, left.id].map((tapId, index) =>
      engine.scales.create({ name: `Scale ${index}`, tapId }),
    );
    engine.taps.connectMeter(left.id, null);
    for (let readings = 0; readings < 300; readings++) {
      for (const { id } of scales)
        engine.scales.receive(id, { weightG: readings < 150 ? 30_000 : 10_000 }, at(hour + readings * 1_000));
    }
    expect(engine.scales.list().flatMap(({ findings }) => findings)).toEqual([]);
  });
});

describe('a scale', () => {
  test('is created, changed, deleted and restored with its readings', () => {
    const bar = openScaleBar();
    bar.wait(2 * minute);
    bar.engine.scales.flush();
    const { id } = bar.scale();
    bar.engine.scales.change(id, { name: 'Keg scale', topic: 'bar/scale', unit: 'kg' }, context());
    bar.engine.scales.remove(id, context());
    expect(bar.engine.scales.list()).toEqual([]);
    const undo = () => {
      const correction = bar.engine.audit.latestCorrection('scale', { kind: 'scale', id })!;
      bar.engine.corrections.undo(correction, {}, at(0));
    };
    undo();
    expect(bar.scale()).toMatchObject({ id, scale: { name: 'Keg scale', topic: 'bar/scale', unit: 'kg' } });
    expect(bar.engine.scales.readings(id, { sinceMs: openingMs, untilMs: openingMs + hour })).toHaveLength(3);
    undo();
    expect(bar.scale().scale).toMatchObject({ name: 'Left', topic: '', unit: 'g' });
  });

  test('is restored although the next weight created another at its tap, which gives way', () => {
    const bar = openScaleBar();
    bar.wait(minute);
    const { id } = bar.scale();
    bar.engine.scales.change(id, { emptyWeightG: emptyG });
    bar.engine.scales.remove(id, context());
    bar.wait(2 * minute);
    bar.engine.scales.flush();
    expect(bar.scale().id).not.toBe(id);
    const correction = bar.engine.audit.latestCorrection('scale', { kind: 'scale', id })!;
    bar.engine.corrections.undo(correction, {}, at(0));
    expect(bar.engine.scales.list().map((view) => view.id)).toEqual([id]);
    expect(bar.scale().scale.emptyWeightG).toBe(emptyG);
    bar.wait(minute);
    bar.engine.scales.flush();
    const readings = bar.engine.scales.readings(id, { sinceMs: openingMs, untilMs: openingMs + hour });
    expect(readings).toHaveLength(5);
  });

  test('is restored although another scale has another field of its topic', () => {
    const { engine, left, right } = openBarWithScales();
    const fields = { topic: 'bar/scales', payloadField: 'left' };
    const { id } = engine.scales.create({ name: 'A', tapId: left.id, ...fields });
    engine.scales.create({ name: 'B', tapId: right.id, ...fields, payloadField: 'right' });
    engine.scales.remove(id, context());
    const correction = engine.audit.latestCorrection('scale', { kind: 'scale', id })!;
    engine.corrections.undo(correction, {}, at(0));
    expect(engine.scales.find(id)!.scale).toMatchObject(fields);
  });

  test('whose tap was deleted stays without a tap, and gets it again when that is undone', () => {
    const { engine, right } = openBarWithScales();
    const { id } = engine.scales.create({ name: 'A', tapId: right.id });
    engine.taps.remove(right.id, context());
    expect(engine.scales.find(id)!.scale.tapId).toBeNull();
    const correction = engine.audit.latestCorrection('tap', { kind: 'tap', id: right.id })!;
    engine.corrections.undo(correction, {}, at(0));
    expect(engine.scales.byTap(right.id)!.id).toBe(id);
  });

  test('whose tap has another scale by now is not restored', () => {
    const bar = openScaleBar();
    bar.wait(minute);
    const { id } = bar.scale();
    bar.engine.scales.remove(id, context());
    bar.report();
    bar.engine.scales.change(bar.scale().id, { topic: 'bar/scale' });
    const correction = bar.engine.audit.latestCorrection('scale', { kind: 'scale', id })!;
    expect(() => bar.engine.corrections.undo(correction, {}, at(0))).toThrow(
      expect.objectContaining({ code: 'conflict' }),
    );
  });

  test.each([
    ['name', { name: '' }],
    ['tap_id', { name: 'A', tapId: 99 }],
    ['tap_id', { name: 'A', tapId: 1 }],
    ['topic', { name: 'A', topic: 'bar/#' }],
    ['topic', { name: 'A', topic: 'bar/scale' }],
    ['topic', { name: 'A', topic: Array(101).fill('a').join('/') }],
    ['empty_weight_g', { name: 'A', emptyWeightG: -1 }],
  ])('with a wrong %s is refused', (field, request) => {
    const { engine } = openBarWithScales();
    engine.scales.create({ name: 'First', tapId: 1, topic: 'bar/scale' });
    expect(() => engine.scales.create(request)).toThrow(refusal(field));
  });

  test('learns how its zero follows the temperature, and keeps it', () => {
    const { engine, left, store } = openBarWithScales();
    const { id } = engine.scales.create({ name: 'A', tapId: left.id });
    for (let second = 0; second < 6 * 3_600; second += 10) {
      const tempC = 5 + 2 * Math.sin(second / 1_800);
      engine.scales.receive(id, { weightG: 30_000 + 8 * tempC, tempC }, at(hour + second * 1_000));
    }
    engine.scales.receive(id, { weightG: 25_000, tempC: 5 }, at(8 * hour));
    for (let second = 10; second < 120; second += 10)
      engine.scales.receive(id, { weightG: 25_000, tempC: 5 }, at(8 * hour + second * 1_000));
    expect(store.scales.byId(id)!.coefficient.gPerK).toBeCloseTo(8, 0);
  });
});
