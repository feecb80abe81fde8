import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import { insertPour } from '../../kit/drinks/insert-drink.ts';
import { at, hour, minute, openBar } from '../bar.ts';

/** Code and fields of the error that the work throws. */
function refusal(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, fields: error.fields };
    throw error;
  }
  return null;
}

type Bar = ReturnType<typeof openBar>;
const nora = { userId: null, via: 'console' } as const;

/** Pours 5 L of the keg of 30 L on the left tap in each of the given hours: 5 000 ticks by a meter of 1 tick/mL. */
function pourAt({ store }: Bar, ...hours: readonly number[]) {
  return hours.map((n) => {
    const ended = at(n * hour);
    return insertPour(store, { ticks: 5_000, durationMs: 60_000, series: '0:5000' }, ended);
  });
}

const evidenceOf = ({ store }: Bar) => store.taps.meterEvidence.newest(1, 10);
const weigh = (bar: Bar, weightG: number, hours: number, emptyWeightG: number | null = 9_000) =>
  bar.engine.kegs.weighings.add(bar.keg.id, { weightG, emptyWeightG }, at(hours * hour), nora);
/** Weight of the keg with so much beer of a final gravity that is not known, 1.0054 kg/L above gas. */
const weightOf = (ml: number) => 9_000 + 30_000 * 0.0034 + ml * 1.0054;

describe('a weighing', () => {
  test('says what is left beside what is counted, by the stamp or the usual weight of its size', () => {
    const bar = openBar();
    pourAt(bar, 1, 3);
    const { result } = weigh(bar, weightOf(24_000), 2);
    expect(result).toMatchObject({
      left: { volumeMl: expect.closeTo(24_000, 3), uncertaintyMl: expect.closeTo(303, 0) },
      countedMl: 25_000,
      usedEmptyG: 9_000,
      balanceG: 100,
    });
    const usual = weigh(bar, weightOf(20_000), 4, null).result;
    expect(usual).toMatchObject({ emptyWeightG: null, usedEmptyG: 9_300, countedMl: 20_000 });
    expect(usual.left!.uncertaintyMl).toBeGreaterThan(900);
    expect(bar.engine.kegs.weighings.list(bar.keg.id)).toEqual([result, usual]);
  });

  test.each([
    ['weight_g', { weightG: 8_500 }],
    ['weight_g', { weightG: 50_000 }],
    ['weight_g', { weightG: 499, emptyWeightG: 499 }],
    ['empty_weight_g', { weightG: 20_000, emptyWeightG: 99 }],
    ['balance_g', { weightG: 20_000, balanceG: 0 }],
    ['time', { weightG: 20_000, timeMs: at(2 * hour).wallMs }],
  ])('is refused with the field %s for %j', (field, request) => {
    const { engine, keg } = openBar();
    const add = () => engine.kegs.weighings.add(keg.id, { emptyWeightG: 9_000, ...request }, at(hour), nora);
    expect(refusal(add)).toMatchObject({ code: 'invalid_request', fields: { [field]: expect.any(String) } });
  });

  test('needs the stamp of a keg whose size says nothing', () => {
    const { engine, keg } = openBar();
    const corny = engine.kegs.sizes().find(({ key }) => key === 'corny')!;
    engine.kegs.change(keg.id, { sizeId: corny.id }, at(0));
    const add = () => engine.kegs.weighings.add(keg.id, { weightG: 15_000 }, at(hour), nora);
    expect(refusal(add)).toMatchObject({ fields: { empty_weight_g: expect.stringContaining('required') } });
  });

  test('is of one keg: another one does not know it', () => {
    const bar = openBar();
    const { id } = weigh(bar, weightOf(20_000), 1).result;
    const other = bar.engine.kegs.list({ limit: 10 }).items.find((one) => one.id !== bar.keg.id);
    expect(
      refusal(() => bar.engine.kegs.weighings.remove(other?.id ?? 99, id, at(hour), nora)),
    ).toMatchObject({
      code: 'not_found',
    });
  });
});

describe('undo after the account of who weighed was deleted', () => {
  /** A keg that Ana weighed, and the undo of the last change of it. */
  function weighedByAna() {
    const bar = openBar();
    const { id } = bar.engine.users.addUser({ username: 'ana' }, at(0));
    const beverage = { name: 'Stout', producerName: 'Brewery', styleName: 'Stout' };
    const keg = bar.engine.kegs.create({ beverage, sizeKey: 'euro-30-liter' }, at(0));
    const ana = { userId: id, via: 'page' } as const;
    const request = { weightG: weightOf(20_000), emptyWeightG: 9_000 };
    const added = bar.engine.kegs.weighings.add(keg.id, request, at(hour), ana);
    const eraseAna = () => {
      bar.engine.users.personalData.erase('ana', nora, at(3 * hour));
      while (bar.engine.users.personalData.continueErasure());
    };
    const undo = (correctionId: number | null) =>
      bar.engine.corrections.undo(correctionId!, {}, at(4 * hour));
    const list = () =>
      bar.engine.kegs.weighings.list(keg.id).map(({ username, weightG }) => [username, weightG]);
    return { ...bar, kegId: keg.id, added, eraseAna, undo, list };
  }
  const nobodys = [[null, weightOf(20_000)]];

  test('brings a deleted weighing back as nobody’s', () => {
    const { engine, kegId, added, eraseAna, undo, list } = weighedByAna();
    const { correctionId } = engine.kegs.weighings.remove(kegId, added.result.id, at(2 * hour), nora);
    eraseAna();
    undo(correctionId);
    expect(list()).toEqual(nobodys);
  });

  test('brings a deleted keg back with its weighings', () => {
    const { engine, kegId, eraseAna, undo, list } = weighedByAna();
    const { correctionId } = engine.kegs.remove(kegId, { actor: nora, now: at(2 * hour) });
    eraseAna();
    undo(correctionId);
    expect(list()).toEqual(nobodys);
  });

  test('still removes an added weighing', () => {
    const { added, eraseAna, undo, list } = weighedByAna();
    eraseAna();
    undo(added.correctionId);
    expect(list()).toEqual([]);
  });
});

describe('evidence of a weighed keg', () => {
  test('two weighings of a keg on tap are evidence from the one to the other, with the ticks between them', () => {
    const bar = openBar();
    pourAt(bar, 1, 3, 4, 5, 7);
    weigh(bar, weightOf(25_000), 2);
    expect(evidenceOf(bar)).toEqual([]);
    weigh(bar, weightOf(10_000), 6);
    expect(evidenceOf(bar)).toMatchObject([
      {
        kind: 'weighed_keg',
        ticks: 15_000,
        volumeMl: expect.closeTo(15_000, 3),
        fillGroup: null,
        timeMs: at(6 * hour).wallMs,
        isFit: true,
        kegId: bar.keg.id,
      },
    ]);
    // A balance of ±100 g twice, a density to 0.4 %, and the line.
    expect(evidenceOf(bar)[0]!.u).toBeCloseTo(0.00912, 5);
  });

  test('a returned keg that was weighed is evidence from its stated volume, as others of its brewery', () => {
    const bar = openBar();
    pourAt(bar, 1, 2, 3, 4);
    bar.engine.kegs.endOnTap(bar.left.id, at(5 * hour), nora, { ranDry: false });
    expect(evidenceOf(bar)).toMatchObject([{ isFit: false }]);
    weigh(bar, weightOf(10_000), 6);
    expect(evidenceOf(bar)).toMatchObject([
      { kind: 'weighed_keg', ticks: 20_000, fillGroup: '7/1', isFit: true },
    ]);
    expect(evidenceOf(bar)[0]!.volumeMl).toBeCloseTo(20_000, 3);
    expect(bar.engine.drinks.meterLearning.get(1, at(7 * hour)).learned?.isOffered).toBe(false);
  });

  test('a keg that was weighed when it came and ran dry is evidence without what its brewery filled', () => {
    const bar = openBar();
    weigh(bar, weightOf(30_500), 0.5);
    pourAt(bar, 1, 2, 3, 4, 5, 6);
    bar.engine.kegs.endOnTap(bar.left.id, at(7 * hour), nora, { ranDry: true });
    const [evidence] = evidenceOf(bar);
    expect(evidence).toMatchObject({ kind: 'weighed_keg', ticks: 30_000, fillGroup: null, isFit: true });
    expect(evidence!.volumeMl).toBeCloseTo(30_500 - 0.0075 * 30_000, 3);
  });

  test('a pour that comes late is measured with the others', () => {
    const bar = openBar();
    weigh(bar, weightOf(25_000), 2);
    weigh(bar, weightOf(10_000), 6);
    pourAt(bar, 3, 4);
    expect(evidenceOf(bar)).toEqual([]);
    bar.engine.kegs.weighings.change(
      bar.keg.id,
      bar.engine.kegs.weighings.list(bar.keg.id)[1]!.id,
      { request: { balanceG: 50 }, actor: nora },
      at(7 * hour),
    );
    expect(evidenceOf(bar)).toMatchObject([{ ticks: 10_000 }]);
    pourAt(bar, 5);
    expect(evidenceOf(bar)).toMatchObject([{ ticks: 15_000 }]);
  });

  test('a keg that became heavier, or of which a pour is held, is no evidence', () => {
    const bar = openBar();
    pourAt(bar, 3);
    weigh(bar, weightOf(10_000), 2);
    weigh(bar, weightOf(25_000), 6);
    expect(evidenceOf(bar).filter(({ isFit }) => isFit)).toEqual([]);
    const other = openBar();
    pourAt(other, 3, 4, 5);
    const held = at(4.5 * hour);
    insertPour(other.store, { heldReason: 'no_end' }, held);
    weigh(other, weightOf(25_000), 2);
    weigh(other, weightOf(10_000), 6);
    expect(evidenceOf(other).filter(({ isFit }) => isFit)).toEqual([]);
  });

  test('undoing the end of a keg keeps what its weighings say', () => {
    const bar = openBar();
    pourAt(bar, 1, 3, 4);
    weigh(bar, weightOf(25_000), 2);
    weigh(bar, weightOf(15_000), 5);
    const before = evidenceOf(bar);
    bar.engine.kegs.endOnTap(bar.left.id, at(6 * hour), nora, { ranDry: false });
    const ended = bar.engine.audit.latestCorrection('keg', { kind: 'keg', id: bar.keg.id })!;
    bar.engine.corrections.undo(ended, {}, at(6 * hour + minute));
    expect(evidenceOf(bar)).toEqual(before);
  });
});

describe('the line of a tap', () => {
  /** What the 30 L keg of the left tap gave by its evidence, after it ran dry as staff said. */
  const volumeWith = (
    line: { lineToMeterMl: number; lineVolumeMl: number; hasFob: boolean },
    gas: boolean,
  ) => {
    const bar = openBar();
    bar.engine.taps.change(bar.left.id, line);
    pourAt(bar, 1, 2, 3, 4, 5);
    const ended = at(6 * hour);
    const last = { gasTicks: 100, gasOnsetMs: 59_000 };
    insertPour(bar.store, { ticks: 4_800, durationMs: 60_000, series: '0:4800', ...(gas && last) }, ended);
    bar.engine.kegs.endOnTap(bar.left.id, at(7 * hour), nora, { ranDry: true });
    return evidenceOf(bar)[0]!.volumeMl;
  };

  test('counts what it was full of at the start, and not what stays in it behind a detector', () => {
    const line = { lineVolumeMl: 500, lineToMeterMl: 200 };
    // Nothing is known of what was in it before the first keg: half of it was beer.
    expect(volumeWith({ ...line, hasFob: false }, true)).toBeCloseTo(29_775 + 100, 6);
    expect(volumeWith({ ...line, hasFob: true }, false)).toBeCloseTo(29_775, 6);
  });
});

test('the factor that weighed kegs teach is offered, applied with the drinks of a keg, and undone', () => {
  const bar = openBar();
  const { engine, store, left } = bar;
  const day = 24 * hour;
  const kegs: number[] = [];
  // The meter counts 3 % more than its factor says: 25 000 mL are 25 750 ticks.
  for (let n = 0; n < 6; n++) {
    const startMs = n * day;
    const beverage = { name: 'Lager', producerName: 'Brewery', styleName: 'Pils' };
    const keg =
      n === 0 ? bar.keg : engine.kegs.start(left.id, { beverage, sizeKey: 'euro-30-liter' }, at(startMs));
    kegs.push(keg.id);
    const weighed = (ml: number, afterMs: number) =>
      engine.kegs.weighings.add(
        keg.id,
        { weightG: weightOf(ml), emptyWeightG: 9_000, balanceG: 20 },
        at(startMs + afterMs),
        nora,
      );
    weighed(29_000, 30 * minute);
    for (let i = 1; i <= 5; i++) {
      const ended = at(startMs + i * hour);
      insertPour(store, { ticks: 5_150, durationMs: 60_000, series: '0:5150' }, ended);
    }
    weighed(4_000, 6 * hour);
    engine.kegs.endOnTap(left.id, at(startMs + 7 * hour), nora, { ranDry: false });
  }
  const knowledge = () => engine.drinks.meterLearning.get(1, at(7 * day));
  expect(knowledge().evidence.map(({ kind, state }) => [kind, state])).toEqual(
    kegs.map(() => ['weighed_keg', 'used']),
  );
  expect(knowledge().learned).toMatchObject({ ticksPerMl: expect.closeTo(1.03, 2), isOffered: true });
  const { correctionId, meter } = engine.drinks.meterLearning.apply(
    1,
    { kegId: kegs[5]!, actor: nora },
    at(7 * day),
  );
  expect(meter.ticksPerMl).toBeCloseTo(1.03, 2);
  expect(engine.kegs.get(kegs[5]!)?.servedVolumeMl).toBeCloseTo(25_750 / meter.ticksPerMl, 3);
  expect(engine.kegs.get(kegs[4]!)?.servedVolumeMl).toBeCloseTo(25_750, 3);
  engine.corrections.undo(correctionId!, {}, at(8 * day));
  expect(engine.kegs.get(kegs[5]!)?.servedVolumeMl).toBeCloseTo(25_750, 3);
  expect(engine.taps.hardware.meters()[0]).toMatchObject({ ticksPerMl: 1 });
  expect(knowledge().learned?.isOffered).toBe(true);
  expect(engine.site.checkDatabase()).toEqual([]);
});
