import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AppError } from '../../../src/core/app-error.ts';
import { at, minute, openBar, pour } from '../bar.ts';

/** 2 s at 60 ticks per second, then `seconds` at 150: 75 mL/s is the default rate of a tap with 1 tick per mL. */
const withGas = (seconds: number) => {
  const beer = Array.from({ length: 20 }, (_, i) => `${i * 100}:6`);
  const gas = Array.from({ length: seconds * 10 }, (_, i) => `${2_000 + i * 100}:15`);
  return {
    series: [...beer, ...gas].join(' '),
    ticks: 120 + 150 * seconds,
    durationMs: 2_000 + seconds * 1_000,
  };
};

/** 27 L were poured and lost before, so that a keg of 30 L may be empty. */
const emptyKeg = (engine: ReturnType<typeof openBar>['engine']) =>
  engine.drinks.pours.spill({ tap: 'pi.flow0', ticks: 0, volumeMl: 27_000 }, at(0));

const judged = { gas: { class: 'gas', onsetMs: 2_000, ticks: 450, ratio: 2 } } as const;

test('gas at the end of a pour is counted, but not on drinker, keg or session', () => {
  const { engine, keg } = openBar();
  const drink = engine.drinks.pours.record(pour(at(minute), { ...withGas(3), ...judged }), 'pin', at(minute));
  expect(drink).toMatchObject({ ticks: 570, gasTicks: 450, gasOnsetMs: 2_000, volumeMl: 120, isValid: true });
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBe(120);
  expect(engine.taps.hardware.meters()[0]?.ticksTotal).toBe(570);
  expect(engine.drinks.get(drink.id)?.drink).toMatchObject({ gasTicks: 450, gasOnsetMs: 2_000 });
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('gas is found in the series of a pour that a power cut interrupted', () => {
  const { engine } = openBar();
  emptyKeg(engine);
  const interrupted = pour(at(minute), { ...withGas(3), recovered: true });
  const drink = engine.drinks.pours.record(interrupted, 'pin', at(minute));
  expect(drink.gasTicks).toBeGreaterThan(400);
  expect(drink.gasTicks).toBeLessThanOrEqual(465);
  expect(drink.volumeMl).toBe(drink.ticks - drink.gasTicks);
});

test('a new calibration and its undoing apply to the beer alone', () => {
  const { engine, keg } = openBar();
  const { id } = engine.drinks.pours.record(
    pour(at(minute), { ...withGas(3), ...judged }),
    'pin',
    at(minute),
  );
  const [meter] = engine.taps.hardware.meters();
  const change = { ticksPerMl: 2, kegId: keg.id };
  const { correctionId } = engine.drinks.calibrate(meter!.id, change, at(2 * minute));
  expect(engine.drinks.get(id)?.drink).toMatchObject({ volumeMl: 60, gasTicks: 450, ticks: 570 });
  engine.corrections.undo(correctionId!, {}, at(3 * minute));
  expect(engine.drinks.get(id)?.drink).toMatchObject({ volumeMl: 120, gasTicks: 450 });
});

test('a pour with gas is not too fast: its beer is judged', () => {
  const { engine } = openBar();
  const gas = { class: 'gas', onsetMs: 2_000, ticks: 3_000, ratio: 9 } as const;
  const drink = engine.drinks.pours.record(
    pour(at(minute), { ticks: 3_120, durationMs: 5_000, gas }),
    'pin',
    at(minute),
  );
  expect(drink).toMatchObject({ isValid: true, volumeMl: 120 });
});

test('foam is beer', () => {
  const { engine } = openBar();
  const gas = { class: 'foamy', onsetMs: 1_500, ticks: 0, ratio: 1.5 } as const;
  expect(engine.drinks.pours.record(pour(at(minute), { gas }), 'pin', at(minute))).toMatchObject({
    volumeMl: 300,
    gasTicks: 0,
    gasOnsetMs: 1_500,
  });
});

test('an interrupted pour of a keg that certainly has beer is beer, however its rate jumps', () => {
  const { engine } = openBar();
  const interrupted = pour(at(minute), { ...withGas(3), recovered: true });
  expect(engine.drinks.pours.record(interrupted, 'pin', at(minute))).toMatchObject({
    ticks: 570,
    gasTicks: 0,
    gasOnsetMs: null,
    volumeMl: 570,
  });
});

test('gas alone is held with all its ticks, asks whether the keg is empty, and is no pour twice', () => {
  const { engine, keg } = openBar();
  const gas = { class: 'gas', onsetMs: 0, ticks: 600, ratio: 2 } as const;
  const empty = pour(at(minute), { ticks: 600, gas });
  expect(engine.drinks.pours.knows(empty.pourId)).toBe(false);
  const held = engine.drinks.pours.record(empty, 'pin', at(minute));
  expect(held).toMatchObject({ isValid: false, heldReason: 'gas', ticks: 600, gasTicks: 0, volumeMl: 600 });
  // After a crash it comes from the journal once more, and may be judged otherwise.
  expect(engine.drinks.pours.knows(empty.pourId)).toBe(true);
  expect(engine.drinks.pours.record({ ...empty, gas: null, recovered: true }, 'pin', at(minute)).id).toBe(
    held.id,
  );
  expect(engine.drinks.list({}).total).toBe(0);
  expect(engine.taps.hardware.meters()[0]?.ticksTotal).toBe(600);
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBe(0);
  expect(engine.drinks.emptyKegs.all().size).toBe(1);
});

test('both parts of a split pour add up, and the gas stays with the first', () => {
  const { engine } = openBar();
  const { id } = engine.drinks.pours.record(
    pour(at(minute), { ...withGas(3), ...judged }),
    'pin',
    at(minute),
  );
  const { part } = engine.drinks.split(id, { volumeMl: 40 }, at(2 * minute));
  expect(engine.drinks.get(id)?.drink).toMatchObject({ volumeMl: 80, ticks: 530, gasTicks: 450 });
  expect(engine.drinks.get(part.drink.id)?.drink).toMatchObject({ volumeMl: 40, ticks: 40, gasTicks: 0 });
  engine.drinks.join(id, { otherId: part.drink.id }, at(3 * minute));
  expect(engine.drinks.get(id)?.drink).toMatchObject({ volumeMl: 120, ticks: 570, gasTicks: 450 });
  expect(engine.site.checkDatabase()).toEqual([]);
});

/** 2 s of gas and foam of the line, then 6 s of beer at 60 ticks per second. */
const fresh = () => {
  const foam = Array.from({ length: 20 }, (_, i) => `${i * 100}:${i % 4 < 2 ? 14 : 4}`);
  const beer = Array.from({ length: 60 }, (_, i) => `${2_000 + i * 100}:6`);
  return { series: [...foam, ...beer].join(' '), ticks: 540, durationMs: 7_900 };
};

test('gas and foam before the beer of a fresh keg count a quarter, and ask nobody whether it is empty', () => {
  const { engine, keg, left, store } = openBar();
  const drink = engine.drinks.pours.record(pour(at(minute), { ...fresh() }), 'pin', at(minute));
  expect(drink).toMatchObject({ ticks: 540, gasTicks: 0, gasOnsetMs: null, isValid: true });
  expect(drink.foamTicks).toBeGreaterThanOrEqual(180);
  expect(drink.foamTicks).toBeLessThan(200);
  expect(drink.volumeMl).toBeCloseTo(540 - 0.75 * drink.foamTicks, 9);
  expect(engine.drinks.emptyKegs.all().size).toBe(0);
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBe(drink.volumeMl);
  // The pour shows no rate of beer, but how sure its volume is.
  expect(store.taps.rates.best(left.id, 'pi.flow0')).toEqual([]);
  const { ml } = engine.drinks.uncertainties.drink(drink) as { ml: number };
  expect(ml).toBeGreaterThan(2 * 0.25 * drink.foamTicks);
  expect(engine.drinks.uncertainties.keg(engine.kegs.get(keg.id)!)).toBeGreaterThan(
    2 * 0.25 * drink.foamTicks,
  );
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('the same pour of a keg that is not fresh is beer', () => {
  const { engine } = openBar();
  engine.drinks.pours.spill({ tap: 'pi.flow0', ticks: 0, volumeMl: 3_000 }, at(0));
  const drink = engine.drinks.pours.record(pour(at(minute), fresh()), 'pin', at(minute));
  expect(drink).toMatchObject({ foamTicks: 0, gasTicks: 0, volumeMl: 540, isValid: true });
  expect(engine.drinks.emptyKegs.all().size).toBe(0);
});

test('both parts of a split drink have their share of the foam, which is joined again and leaves a spill by its beer', () => {
  const { engine, store, keg, left } = openBar();
  const { id, foamTicks, volumeMl } = engine.drinks.pours.record(
    pour(at(minute), { ...fresh() }),
    'pin',
    at(minute),
  );
  const { part } = engine.drinks.split(id, { volumeMl: 200 }, at(2 * minute));
  const rest = engine.drinks.get(id)!.drink;
  expect(rest.volumeMl).toBeCloseTo(volumeMl - 200, 9);
  expect(part.drink.volumeMl).toBe(200);
  expect(rest.foamTicks + part.drink.foamTicks).toBe(foamTicks);
  expect(Math.abs(part.drink.foamTicks / foamTicks - 200 / volumeMl)).toBeLessThan(0.01);
  engine.drinks.join(id, { otherId: part.drink.id }, at(3 * minute));
  expect(engine.drinks.get(id)?.drink).toMatchObject({ ticks: 540, foamTicks });
  engine.drinks.cancel(id, { spilled: true }, at(4 * minute));
  const span = { meter: 'pi.flow0', sinceMs: 0, untilMs: at(5 * minute).wallMs };
  const counted = store.taps.kegMeasures.counted(keg.id, left.id, span);
  expect(counted.spilledTicks).toBe(Math.round(540 - 0.75 * foamTicks));
  // Nothing of it is unexplained.
  expect(Math.abs(store.taps.kegMeasures.cancelledTicks(span) - counted.spilledTicks)).toBeLessThan(1);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a drink with gas is not merged with one whose volume was entered, until staff have decided', () => {
  const { engine } = openBar();
  const plain = engine.drinks.pours.record(pour(at(minute)), 'pin', at(minute));
  const withIt = engine.drinks.pours.record(
    pour(at(2 * minute), { ...withGas(3), ...judged }),
    'pin',
    at(2 * minute),
  );
  engine.drinks.edit(plain.id, { volumeMl: 250 }, at(3 * minute));
  const join = () => engine.drinks.join(plain.id, { otherId: withIt.id }, at(5 * minute));
  expect(join).toThrowError(expect.objectContaining<Partial<AppError>>({ code: 'conflict' }));
  engine.drinks.countAsBeer(withIt.id, {}, at(4 * minute));
  expect(join().drink).toMatchObject({ volumeMl: 250 + 570, volumeGiven: true });
});

test('property: whatever a drink with foam or gas is split into, all of it counted as beer is all of it', () => {
  const { engine } = openBar();
  let minutes = 0;
  const share = fc.double({ min: 0.001, max: 0.999, noNaN: true });
  fc.assert(
    fc.property(share, fc.boolean(), (part, hasGas) => {
      const now = at(++minutes * minute);
      const gas = hasGas ? judged : { gas: null };
      const flow = hasGas ? withGas(3) : fresh();
      const { id, ticks, volumeMl } = engine.drinks.pours.record(pour(now, { ...flow, ...gas }), 'pin', now);
      const off = engine.drinks.split(id, { volumeMl: volumeMl * part }, now);
      const ids = [id, off.part.drink.id];
      for (const one of ids) engine.drinks.countAsBeer(one, {}, now);
      const sum = ids.reduce((total, one) => total + engine.drinks.get(one)!.drink.volumeMl, 0);
      // A tick is a millilitre; a part is rounded to whole ticks.
      expect(Math.abs(sum / ticks - 1)).toBeLessThan(0.01);
      for (const one of ids) engine.drinks.cancel(one, { spilled: false }, now);
    }),
    { numRuns: 60 },
  );
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('staff say that it was all beer: the foam counts whole in drink, keg and evidence, and undo puts it back', () => {
  const { engine, store, keg, left } = openBar();
  const poured = pour(at(minute), { ...fresh() });
  const { id, foamTicks, volumeMl } = engine.drinks.pours.record(poured, 'pin', at(minute));
  engine.drinks.countAsBeer(id, {}, at(2 * minute));
  const counted = engine.drinks.get(id)!.drink;
  expect(counted).toMatchObject({ ticks: 540, gasTicks: 0, foamTicks: 0 });
  expect(counted.volumeMl).toBeCloseTo(540, 9);
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBe(counted.volumeMl);
  const span = { meter: 'pi.flow0', sinceMs: 0, untilMs: at(5 * minute).wallMs };
  expect(store.taps.kegMeasures.counted(keg.id, left.id, span)).toMatchObject({ ticks: 540, foamTicks: 0 });
  const corrections = engine.drinks.corrections(id).length;
  engine.drinks.countAsBeer(id, {}, at(3 * minute));
  expect(engine.drinks.corrections(id)).toHaveLength(corrections);
  engine.drinks.undo(id, {}, at(4 * minute));
  expect(engine.drinks.get(id)?.drink).toMatchObject({ foamTicks, volumeMl });
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a drink of gas and foam counts both as beer, but an answer about the keg the gas only', () => {
  const late = { gas: { class: 'gas', onsetMs: 7_000, ticks: 60, ratio: 2 } } as const;
  const answered = openBar();
  const poured = pour(at(minute), { ...fresh(), ...late });
  const { id, foamTicks } = answered.engine.drinks.pours.record(poured, 'pin', at(minute));
  expect(foamTicks).toBeGreaterThan(0);
  answered.engine.drinks.emptyKegs.deny(answered.left.id, at(2 * minute));
  const denied = answered.engine.drinks.get(id)!.drink;
  expect(denied).toMatchObject({ gasTicks: 0, gasOnsetMs: null, foamTicks });
  expect(denied.volumeMl).toBeCloseTo(540 - 0.75 * foamTicks, 9);
  const counted = openBar().engine;
  const drink = counted.drinks.pours.record(poured, 'pin', at(minute));
  expect(counted.drinks.countAsBeer(drink.id, {}, at(2 * minute)).drink).toMatchObject({
    gasTicks: 0,
    gasOnsetMs: null,
    foamTicks: 0,
  });
  expect(counted.drinks.get(drink.id)!.drink.volumeMl).toBeCloseTo(540, 9);
});

test('a volume that was entered stays when all counts as beer; a held pour is refused', () => {
  const { engine } = openBar();
  const { id } = engine.drinks.pours.record(pour(at(minute), { ...fresh() }), 'pin', at(minute));
  engine.drinks.edit(id, { volumeMl: 500 }, at(2 * minute));
  engine.drinks.countAsBeer(id, {}, at(3 * minute));
  expect(engine.drinks.get(id)?.drink).toMatchObject({ volumeMl: 500, foamTicks: 0 });
  const doubtful = pour(at(4 * minute), { ...fresh(), doubts: ['no_end'] });
  const held = engine.drinks.pours.record(doubtful, 'pin', at(4 * minute));
  expect(() => engine.drinks.countAsBeer(held.id, {}, at(5 * minute))).toThrowError(
    expect.objectContaining<Partial<AppError>>({ code: 'conflict' }),
  );
});

test('drips are counted for the tap’s day', () => {
  const { engine, store, left } = openBar();
  const drips = { byMeter: new Map([['pi.flow0', { ticks: 7, drips: 3 }]]), counters: [] };
  engine.drinks.pours.countDrips(drips, at(minute));
  engine.drinks.pours.countDrips(drips, at(2 * minute));
  expect(store.taps.losses.byTap(left.id, 5)).toMatchObject([{ drips: 6, dripTicks: 14, backFlowTicks: 0 }]);
  const swing = { byMeter: new Map([['pi.flow0', { ticks: 5, drips: 1, backFlowTicks: 3 }]]), counters: [] };
  engine.drinks.pours.countDrips(swing, at(3 * minute));
  expect(store.taps.losses.byTap(left.id, 5)).toMatchObject([{ drips: 7, dripTicks: 16, backFlowTicks: 3 }]);
  expect(engine.taps.hardware.meters()[0]?.ticksTotal).toBe(19);
});

test('a tap’s usual rate is learned from ten clean pours, and from the drinks of an earlier run', () => {
  const { engine, store, left } = openBar();
  const series = Array.from({ length: 30 }, (_, i) => `${i * 100}:5`).join(' ');
  const unknown = { ticksPerS: 75, isLearned: false, defaultBy: 'calibration', pours: 0 };
  expect(engine.drinks.pours.meterFacts('pi.flow0')?.openRate).toEqual(unknown);
  for (let i = 1; i <= 10; i++) {
    engine.drinks.pours.record(
      pour(at(i * minute), { ticks: 150, durationMs: 3_000, series }),
      'pin',
      at(i * minute),
    );
  }
  const learned = { ticksPerS: 50, isLearned: true, defaultBy: null, pours: 10 };
  expect(engine.drinks.pours.meterFacts('pi.flow0')?.openRate).toEqual(learned);
  engine.users.addUser({ username: 'anna' }, at(0));
  expect(engine.drinks.pours.meterFacts('pi.flow0')?.openRate).toEqual(learned);
  store.transaction(() => store.taps.rates.forget(left.id, at(20 * minute).wallMs));
  expect(engine.drinks.pours.meterFacts('pi.flow0')?.openRate).toEqual(unknown);
});

test('a pour says what stood in for the tap’s usual rate when gas was looked for, until ten pours have shown it', () => {
  const { engine } = openBar();
  const series = Array.from({ length: 30 }, (_, i) => `${i * 100}:5`).join(' ');
  const record = (minutes: number) =>
    engine.drinks.pours.record(
      pour(at(minutes * minute), { ticks: 150, durationMs: 3_000, series }),
      'pin',
      at(minutes * minute),
    );
  const drinks = Array.from({ length: 11 }, (_, i) => record(i + 1));
  expect(drinks.map(({ rateDefault }) => rateDefault)).toEqual([...Array(10).fill('calibration'), null]);
  const { part } = engine.drinks.split(drinks[0]!.id, { volumeMl: 40 }, at(20 * minute));
  expect(engine.drinks.get(part.drink.id)?.drink.rateDefault).toBe('calibration');
});

test('a meter’s model gives the rate until ten pours have shown it, also of a meter that nobody has calibrated', () => {
  const { engine } = openBar();
  const controller = { name: 'pi', modelName: 'Tapster' };
  const toggles = [] as const;
  const declare = (modelHz: number | null) =>
    engine.taps.hardware.provision({
      controller,
      toggles,
      meters: [{ portName: 'flow0', ticksPerMl: 1, modelHz }],
      taps: [],
    });
  declare(90);
  expect(engine.drinks.pours.meterFacts('pi.flow0')?.openRate).toMatchObject({
    ticksPerS: 90,
    defaultBy: 'model',
  });
  declare(null);
  expect(engine.drinks.pours.meterFacts('pi.flow0')?.openRate).toMatchObject({
    ticksPerS: 75,
    defaultBy: 'calibration',
  });
});

test('a pour that another controller reported was judged by no rate', () => {
  const { engine, left } = openBar();
  const drink = engine.drinks.pours.report({ tap: left.id, ticks: 300, source: 'post' } as never, at(minute));
  expect(drink.rateDefault).toBeNull();
});
