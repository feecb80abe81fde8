import { describe, expect, test } from 'vitest';
import { at, hour, minute, openEmptyBar, pour } from '../bar.ts';
import { day, emptyOneKeg } from '../drinks/emptied-kegs.ts';

const nora = { userId: null, via: 'console' } as const;
const fullTicks = 49_625;

/** A bar whose left meter was calibrated with measured pours: 1 tick per mL. */
function openCalibratedBar() {
  const bar = openEmptyBar();
  const { engine, left } = bar;
  const measured = { pours: 6, ticks: 6_000, volumeMl: 6_000 };
  const calibration = { ticksPerMl: 1, uncertainty: 0.004, method: 'pours', measured, kegId: null } as const;
  engine.drinks.calibrate(1, calibration, at(0));
  return {
    ...bar,
    /** Empties a keg at a tap that ends on that day. */
    empty: (n: number, share: number, { meter = 'pi.flow0', tapId = left.id } = {}) =>
      emptyOneKeg(engine, tapId, { meter, ticks: fullTicks * share, now: at(n * day) }),
    knowledge: (n: number, id = 1) => engine.drinks.meterLearning.get(id, at(n * day)),
    meter: (id: number) => engine.taps.hardware.meters().find((one) => one.id === id)!,
    /** The id of the newest entry of the audit log. */
    newest: () => engine.audit.list({ limit: 1 }).items[0]!,
  };
}

const on = (n: number) => ({ actor: nora, now: at(n * day) });

describe('a meter that was replaced', () => {
  test('forgets what it has learned, and the next keg teaches it the new factor; undo restores all', () => {
    const bar = openCalibratedBar();
    const { engine } = bar;
    bar.empty(2, 1);
    bar.empty(4, 0.5);
    const before = bar.knowledge(5);
    expect(before.drift).toMatchObject({ direction: 'low', cause: 'other_meter' });

    const replaced = engine.taps.hardware.replaceMeter(1, {}, on(5));
    expect(replaced).toMatchObject({ ticksPerMl: 1, calibrated: false, uFactor: null, curve: null });
    const after = bar.knowledge(5);
    expect(after).toMatchObject({ learned: null, drift: null, prior: { ticksPerMl: 1, uFactor: 0.5 } });
    expect(after.evidence.map(({ state }) => state)).toEqual(['outdated', 'outdated', 'outdated']);
    const { id, action } = bar.newest();
    expect(action).toBe('flow_meter.replaced');

    bar.empty(7, 0.5);
    expect(bar.knowledge(8).drift).toBeNull();
    expect(bar.knowledge(8).learned?.ticksPerMl).toBeCloseTo(0.5, 2);
    bar.empty(9, 0.5);
    expect(bar.knowledge(10).learned).toMatchObject({ isOffered: true });

    engine.corrections.undo(id, {}, at(11 * day));
    expect(bar.meter(1)).toMatchObject({ ticksPerMl: 1, calibrated: true, uFactor: 0.002 });
    const restored = bar.knowledge(12);
    expect(restored.prior).toEqual(before.prior);
    expect(restored.evidence.slice(0, 3).map(({ state }) => state)).toEqual(['used', 'used', 'rejected']);
    expect(restored.drift).toEqual(before.drift);
    expect(engine.site.checkDatabase()).toEqual([]);
  });

  test('is calibrated with a given factor, whose prior is that of an unmeasured meter', () => {
    const bar = openCalibratedBar();
    const replaced = bar.engine.taps.hardware.replaceMeter(1, { ticksPerMl: 0.5 }, on(1));
    expect(replaced).toMatchObject({ ticksPerMl: 0.5, calibrated: true, uFactor: null });
    expect(bar.knowledge(1).prior).toEqual({ ticksPerMl: 0.5, uFactor: 0.06 });
  });

  test('goes back to the declared factor or to the default, and loses its curve', () => {
    const bar = openCalibratedBar();
    const { engine } = bar;
    const points = [
      { hz: 10, ticksPerMl: 1.9 },
      { hz: 20, ticksPerMl: 2 },
    ];
    engine.drinks.calibrate(2, { curve: { points, offsetTicks: 0 }, kegId: null }, at(day));
    engine.drinks.calibrate(2, { ticksPerMl: 2.2, kegId: null }, at(day));
    expect(bar.meter(2).curve).not.toBeNull();
    expect(engine.taps.hardware.replaceMeter(2, {}, on(2))).toMatchObject({
      ticksPerMl: 2,
      calibrated: false,
      curve: null,
    });
    engine.drinks.calibrate(3, { ticksPerMl: 5.4, kegId: null }, at(day));
    expect(engine.taps.hardware.replaceMeter(3, {}, on(2)).ticksPerMl).toBe(2.724);
  });

  test('keeps its factor when the settings file is read again', () => {
    const bar = openCalibratedBar();
    const { engine } = bar;
    engine.taps.hardware.replaceMeter(1, { ticksPerMl: 0.5 }, on(1));
    engine.taps.hardware.provision({
      controller: { name: 'pi', modelName: 'Raspberry Pi' },
      meters: [{ portName: 'flow0', ticksPerMl: 1 }],
      toggles: [],
      taps: [],
    });
    expect(bar.meter(1).ticksPerMl).toBe(0.5);
  });

  test('learns nothing from the keg during which it was replaced', () => {
    const bar = openCalibratedBar();
    const { engine, left } = bar;
    const start = (n: number) => {
      const beverage = { name: 'Lager', producerName: 'Brewery', styleName: 'Pils' };
      engine.kegs.start(left.id, { beverage, sizeKey: 'euro-half' }, at(n * day));
    };
    start(1);
    for (const i of [1, 2, 3, 4, 5]) {
      if (i === 3)
        engine.taps.hardware.replaceMeter(1, { ticksPerMl: 1 }, { actor: nora, now: at(day + 2.5 * hour) });
      const ended = at(day + i * hour);
      const gas = i === 5 ? ({ class: 'gas', onsetMs: 240_000, ticks: 100, ratio: 2 } as const) : null;
      const ticks = fullTicks / 5 + (gas?.ticks ?? 0);
      engine.drinks.pours.record(
        pour(ended, { ticks, durationMs: 300_000, series: '0:1', gas }),
        'pin',
        ended,
      );
    }
    engine.kegs.endOnTap(left.id, at(day + 6 * hour), nora);
    expect(bar.knowledge(2).evidence.at(-1)).toMatchObject({ kind: 'emptied_keg', state: 'incomplete' });
  });

  test('makes its tap forget the rate of its beer', () => {
    const bar = openCalibratedBar();
    bar.empty(2, 1);
    const rates = () => bar.store.taps.rates.best(bar.left.id, 'pi.flow0').length;
    // Of five pours the last one had gas.
    expect(rates()).toBe(4);
    bar.engine.taps.hardware.replaceMeter(1, {}, on(3));
    expect(rates()).toBe(0);
  });

  test('must exist, and a factor must be possible', () => {
    const { engine } = openCalibratedBar();
    expect(() => engine.taps.hardware.replaceMeter(99, {}, on(1))).toThrowError(
      expect.objectContaining({ code: 'not_found' }),
    );
    expect(() => engine.taps.hardware.replaceMeter(1, { ticksPerMl: 0 }, on(1))).toThrowError(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });
});

describe('the swap of two meters', () => {
  test('gives each tap the meter of the other; past drinks stay, and undo restores both as a whole', () => {
    const bar = openCalibratedBar();
    const { engine, left, right } = bar;
    const record = (meter: string, n: number) =>
      engine.drinks.pours.record(pour(at(n * minute), { meter, ticks: 300 }), 'pin', at(n * minute));
    record('pi.flow0', 5);
    const before = engine.taps.hardware.meters().slice(0, 2);
    expect(engine.taps.swapMeters({ tapId: left.id, otherTapId: right.id }, on(1)).meter?.name).toBe(
      'pi.flow1',
    );
    expect([bar.meter(1).tapId, bar.meter(2).tapId]).toEqual([right.id, left.id]);
    expect([bar.meter(1).ticksPerMl, bar.meter(2).ticksPerMl]).toEqual([1, 2]);
    record('pi.flow0', 1500);
    expect(engine.drinks.list({}).items.map(({ tapId }) => tapId)).toEqual([right.id, left.id]);
    const { id, action, subject } = bar.newest();
    expect({ action, subject }).toEqual({
      action: 'tap.meters_swapped',
      subject: { kind: 'tap', id: String(left.id) },
    });
    engine.corrections.undo(id, {}, at(2 * day));
    const unchanged = ({ tapId, ticksPerMl }: { tapId: number | null; ticksPerMl: number }) => ({
      tapId,
      ticksPerMl,
    });
    expect(engine.taps.hardware.meters().slice(0, 2).map(unchanged)).toEqual(before.map(unchanged));
    expect(engine.site.checkDatabase()).toEqual([]);
  });

  test('ends what contradicted, on both meters; undo brings it back', () => {
    const bar = openCalibratedBar();
    const { engine, left, right } = bar;
    engine.drinks.calibrate(2, { ticksPerMl: 2, uncertainty: 0.004, kegId: null }, at(0));
    bar.empty(2, 2);
    bar.empty(3, 1, { meter: 'pi.flow1', tapId: right.id });
    const causes = () => [1, 2].map((id) => bar.knowledge(4, id).drift?.cause ?? null);
    expect(causes()).toEqual(['other_meter', 'other_meter']);
    engine.taps.swapMeters({ tapId: left.id, otherTapId: right.id }, on(4));
    expect(causes()).toEqual([null, null]);
    const { id } = bar.newest();
    bar.empty(6, 2, { meter: 'pi.flow1', tapId: left.id });
    expect(bar.knowledge(7, 2).drift).toBeNull();
    engine.corrections.undo(id, {}, at(7 * day));
    expect(causes()).toEqual(['other_meter', 'other_meter']);
  });

  test('can exchange the factors, too: each meter is still in the line of its tap', () => {
    const bar = openCalibratedBar();
    const { engine, left, right } = bar;
    bar.empty(2, 1);
    const before = engine.taps.hardware.meters();
    engine.taps.swapMeters({ tapId: left.id, otherTapId: right.id, exchangesFactors: true }, on(3));
    expect(bar.meter(2)).toMatchObject({ tapId: left.id, ticksPerMl: 1, uFactor: 0.002, calibrated: true });
    expect(bar.meter(1)).toMatchObject({ tapId: right.id, ticksPerMl: 2, uFactor: null, calibrated: true });
    expect(bar.knowledge(4).evidence.map(({ state }) => state)).toEqual(['outdated', 'outdated']);
    expect(bar.knowledge(4, 2).prior).toEqual({ ticksPerMl: 1, uFactor: 0.002 });
    engine.corrections.undo(bar.newest().id, {}, at(5 * day));
    expect(engine.taps.hardware.meters()).toEqual(before);
  });

  test('moves the only meter', () => {
    const bar = openCalibratedBar();
    const { engine, left, right } = bar;
    engine.taps.connectMeter(right.id, null);
    const swap = { tapId: left.id, otherTapId: right.id, exchangesFactors: true };
    expect(engine.taps.swapMeters(swap, on(1)).meter).toBeNull();
    expect(bar.meter(1)).toMatchObject({ tapId: right.id, ticksPerMl: 1 });
    engine.corrections.undo(bar.newest().id, {}, at(2 * day));
    expect(bar.meter(1).tapId).toBe(left.id);
  });

  test('is refused for the same tap, an unknown one, and two taps without meters', () => {
    const { engine, left, right } = openCalibratedBar();
    const swap = (tapId: number, otherTapId: number) => () =>
      engine.taps.swapMeters({ tapId, otherTapId }, on(1));
    expect(swap(left.id, left.id)).toThrowError(expect.objectContaining({ code: 'invalid_request' }));
    expect(swap(left.id, 99)).toThrowError(expect.objectContaining({ code: 'not_found' }));
    for (const { id } of [left, right]) engine.taps.connectMeter(id, null);
    expect(swap(left.id, right.id)).toThrowError(
      expect.objectContaining({ code: 'conflict', reason: { name: 'no_meters' } }),
    );
  });
});
