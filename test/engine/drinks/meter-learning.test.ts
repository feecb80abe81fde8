import { expect, test } from 'vitest';
import { insertPour } from '../../kit/drinks/insert-drink.ts';
import { at, hour, minute, openBar, openEmptyBar, pour } from '../bar.ts';
import { emptyOneKeg } from './emptied-kegs.ts';

type Bar = ReturnType<typeof openEmptyBar>;
const day = 24 * hour;
const nora = { userId: null, via: 'console' } as const;
const gas = { gasTicks: 100, gasOnsetMs: 240_000 };

/** Pours a keg of 50 L of that brewery through the left tap on day `n`; it runs empty after `ticks`. */
function emptyKeg(
  { engine, store, left }: Bar,
  n: number,
  { ticks = 50_500, producerName = 'Brewery' } = {},
) {
  const start = n * day;
  const beverage = { name: `Lager ${producerName}`, producerName, styleName: 'Pils' };
  const { id } = engine.kegs.start(left.id, { beverage, sizeKey: 'euro-half' }, at(start));
  for (let i = 1; i <= 5; i++) {
    const ended = at(start + i * hour);
    const last = i === 5 ? { ticks: ticks / 5 + 100, ...gas } : { ticks: ticks / 5 };
    insertPour(store, { durationMs: 240_000, series: '0:1', ...last }, ended);
  }
  engine.kegs.endOnTap(left.id, at(start + 6 * hour), nora);
  return id;
}

/** Weighed pours of the left meter: `ticksPerMl` with an interval of ±0.4 %. */
const calibrate = ({ engine }: Bar, n: number, ticksPerMl: number) =>
  engine.drinks.calibrate(
    1,
    {
      ticksPerMl,
      uncertainty: 0.004,
      method: 'pours',
      measured: { pours: 6, ticks: 6_000 * ticksPerMl, volumeMl: 6_000 },
      kegId: null,
    },
    at(n * day),
  );

const knowledgeOf = ({ engine }: Bar, n = 60) => engine.drinks.meterLearning.get(1, at(n * day));

test('without evidence nothing is learned', () => {
  const { engine } = openBar();
  expect(engine.drinks.meterLearning.get(1, at(0))).toMatchObject({
    learned: null,
    drift: null,
    evidence: [],
  });
  expect(() => engine.drinks.meterLearning.apply(1, { kegId: null }, at(0))).toThrowError(
    expect.objectContaining({ code: 'conflict' }),
  );
});

test('kegs that give 2 % more ticks than the factor says lead to an offer, one alone does not', () => {
  const bar = openEmptyBar();
  emptyKeg(bar, 1, { ticks: 50_620 });
  expect(knowledgeOf(bar, 2).learned?.isOffered).toBe(false);
  for (const n of [3, 5, 7]) emptyKeg(bar, n, { ticks: 50_620 });
  const { learned, evidence } = knowledgeOf(bar, 8);
  expect(learned?.ticksPerMl).toBeCloseTo(1.02, 2);
  expect(learned?.uFactor).toBeLessThan(0.008);
  expect(learned?.isOffered).toBe(true);
  expect(evidence.map(({ state }) => state)).toEqual(['used', 'used', 'used', 'used']);
});

test('a learned factor is applied with its interval, and past drinks only of the chosen keg; undo restores all', () => {
  const bar = openEmptyBar();
  const { engine } = bar;
  const kegs = [1, 3, 5, 7].map((n) => emptyKeg(bar, n, { ticks: 50_620 }));
  const applied = engine.drinks.meterLearning.apply(1, { kegId: kegs[3]!, actor: nora }, at(8 * day));
  const { ticksPerMl, uFactor } = applied.meter;
  expect(ticksPerMl).toBeCloseTo(1.02, 2);
  expect(uFactor).toBeLessThan(0.008);
  expect(engine.kegs.get(kegs[3]!)?.servedVolumeMl).toBeCloseTo(50_620 / ticksPerMl, 3);
  expect(engine.kegs.get(kegs[2]!)?.servedVolumeMl).toBeCloseTo(50_620, 3);
  expect(knowledgeOf(bar, 8).learned?.isOffered).toBe(false);
  // It still learns from the factor before all evidence.
  expect(knowledgeOf(bar, 8).prior.ticksPerMl).toBe(1);
  engine.corrections.undo(applied.correctionId!, {}, at(9 * day));
  expect(engine.taps.hardware.meters()[0]).toMatchObject({ ticksPerMl: 1, uFactor: null });
  expect(engine.kegs.get(kegs[3]!)?.servedVolumeMl).toBeCloseTo(50_620, 3);
  expect(knowledgeOf(bar, 9).learned?.isOffered).toBe(true);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('another factor than the one that was shown is not applied', () => {
  const bar = openEmptyBar();
  for (const n of [1, 3]) emptyKeg(bar, n, { ticks: 50_620 });
  const expectedTicksPerMl = knowledgeOf(bar, 4).learned!.ticksPerMl;
  emptyKeg(bar, 5, { ticks: 50_200 });
  expect(() =>
    bar.engine.drinks.meterLearning.apply(1, { kegId: null, expectedTicksPerMl }, at(6 * day)),
  ).toThrowError(expect.objectContaining({ code: 'conflict' }));
  expect(bar.engine.taps.hardware.meters()[0]?.ticksPerMl).toBe(1);
});

test('one wrong keg changes nothing, also the first one', () => {
  const wrong = openEmptyBar();
  emptyKeg(wrong, 1, { ticks: 46_000 });
  for (const n of [3, 5, 7, 9]) emptyKeg(wrong, n, { ticks: 50_620 });
  expect(knowledgeOf(wrong, 10).evidence.map(({ state }) => state)).toEqual([
    ...['rejected', 'used', 'used', 'used', 'used'],
  ]);
  expect(knowledgeOf(wrong, 10).learned?.ticksPerMl).toBeCloseTo(1.02, 2);
});

test('measured pours and kegs are combined; undoing the calibration removes its pours', () => {
  const bar = openEmptyBar();
  const { correctionId } = calibrate(bar, 1, 1.02);
  for (const n of [3, 5, 7]) emptyKeg(bar, n, { ticks: 50_820 });
  const { learned, evidence } = knowledgeOf(bar, 8);
  expect(evidence.map(({ kind }) => kind)).toEqual(['pours', 'emptied_keg', 'emptied_keg', 'emptied_keg']);
  expect(learned?.ticksPerMl).toBeCloseTo(1.021, 3);
  expect(learned?.isOffered).toBe(false);
  bar.engine.corrections.undo(correctionId!, {}, at(9 * day));
  expect(knowledgeOf(bar, 9).evidence.map(({ kind }) => kind)).not.toContain('pours');
});

test('a calibration that is repeated counts its pours once', () => {
  const bar = openEmptyBar();
  expect(calibrate(bar, 1, 1.02).correctionId).not.toBeNull();
  const before = knowledgeOf(bar, 3);
  expect(calibrate(bar, 2, 1.02).correctionId).toBeNull();
  expect(knowledgeOf(bar, 3)).toEqual(before);
  // Other pours that confirm the factor are further evidence.
  const measured = { pours: 3, ticks: 3_060, volumeMl: 3_000 };
  const options = { ticksPerMl: 1.02, uncertainty: 0.004, method: 'pours', measured, kegId: null } as const;
  expect(bar.engine.drinks.calibrate(1, options, at(3 * day)).correctionId).not.toBeNull();
  expect(knowledgeOf(bar, 3).evidence).toHaveLength(2);
});

test('pours that contradict the kegs before them are of a changed meter: the kegs are outdated', () => {
  const bar = openEmptyBar();
  for (const n of [1, 3, 5, 7]) emptyKeg(bar, n, { ticks: 49_700 });
  calibrate(bar, 8, 1.3);
  const { learned, evidence } = knowledgeOf(bar, 9);
  expect(evidence.map(({ state }) => state)).toEqual([
    ...['outdated', 'outdated', 'outdated', 'outdated', 'used'],
  ]);
  expect(learned?.ticksPerMl).toBeCloseTo(1.3, 2);
});

test('a factor that is entered begins the learning anew, and undo restores it', () => {
  const bar = openEmptyBar();
  for (const n of [1, 3]) emptyKeg(bar, n, { ticks: 50_620 });
  const before = knowledgeOf(bar, 4);
  const { correctionId } = bar.engine.drinks.calibrate(1, { ticksPerMl: 1.5, kegId: null }, at(4 * day));
  expect(knowledgeOf(bar, 4)).toMatchObject({ learned: null, prior: { ticksPerMl: 1.5 } });
  bar.engine.corrections.undo(correctionId!, {}, at(5 * day));
  expect(knowledgeOf(bar, 4)).toEqual(before);
});

test('the model’s accuracy is the prior', () => {
  const { engine } = openEmptyBar();
  expect(engine.drinks.meterLearning.get(1, at(0)).prior).toEqual({ ticksPerMl: 1, uFactor: 0.06 });
  // Nobody knows which meter it is.
  expect(engine.drinks.meterLearning.get(3, at(0)).prior).toEqual({ ticksPerMl: 2.724, uFactor: 0.5 });
  engine.taps.hardware.provision({
    controller: { name: 'pi', modelName: 'Raspberry Pi' },
    meters: [{ portName: 'flow0', ticksPerMl: 1, uModel: 0.012 }],
    toggles: [],
    taps: [],
  });
  expect(engine.drinks.meterLearning.get(1, at(0)).prior).toEqual({ ticksPerMl: 1, uFactor: 0.012 });
});

test('discarded evidence is not used; restoring it changes nothing in the end; both are logged', () => {
  const bar = openEmptyBar();
  const { engine } = bar;
  for (const n of [1, 3, 5]) emptyKeg(bar, n, { ticks: 50_620 });
  const before = knowledgeOf(bar, 6);
  const [first] = before.evidence;
  const known = engine.drinks.meterLearning.setDiscarded(
    1,
    first!.id,
    { isDiscarded: true, actor: nora },
    at(6 * day),
  );
  expect(known.evidence.map(({ state }) => state)).toEqual(['discarded', 'used', 'used']);
  expect(known.learned?.uFactor).toBeGreaterThan(before.learned!.uFactor);
  engine.drinks.meterLearning.setDiscarded(1, first!.id, { isDiscarded: false, actor: nora }, at(6 * day));
  expect(knowledgeOf(bar, 6)).toEqual(before);
  const actions = engine.audit.list({ subject: { kind: 'flow_meter', id: '1' } }).items;
  expect(actions.map(({ action }) => action)).toEqual([
    'meter.evidence_restored',
    'meter.evidence_discarded',
  ]);
  expect(() =>
    engine.drinks.meterLearning.setDiscarded(2, first!.id, { isDiscarded: true }, at(6 * day)),
  ).toThrowError(expect.objectContaining({ code: 'not_found' }));
});

test('meters are calibrated by themselves only if the site allows it, once for each piece of evidence', () => {
  const bar = openEmptyBar();
  const { engine } = bar;
  for (const n of [1, 3, 5, 7]) emptyKeg(bar, n, { ticks: 50_620 });
  expect(engine.drinks.meterLearning.applyByThemselves(at(8 * day))).toEqual([]);
  engine.users.changeSite({ applyLearnedFactors: true });
  expect(engine.drinks.meterLearning.applyByThemselves(at(8 * day))).toEqual(['pi.flow0']);
  expect(engine.taps.hardware.meters()[0]?.ticksPerMl).toBeCloseTo(1.02, 2);
  const [entry] = engine.audit.list({ action: 'meter.calibrated' }).items;
  expect(entry).toMatchObject({ via: 'daemon' });
  engine.corrections.undo(entry!.id, {}, at(9 * day));
  expect(engine.drinks.meterLearning.applyByThemselves(at(9 * day))).toEqual([]);
  expect(engine.taps.hardware.meters()[0]?.ticksPerMl).toBe(1);
  emptyKeg(bar, 10, { ticks: 50_620 });
  expect(engine.drinks.meterLearning.applyByThemselves(at(11 * day))).toEqual(['pi.flow0']);
});

test('a change beyond the interval of the present factor waits for staff', () => {
  const bar = openEmptyBar();
  const { engine } = bar;
  engine.users.changeSite({ applyLearnedFactors: true });
  engine.drinks.calibrate(1, { ticksPerMl: 1, uncertainty: 0.016, kegId: null }, at(0));
  for (const n of [1, 3, 5, 7]) emptyKeg(bar, n, { ticks: 50_915 });
  const { learned } = knowledgeOf(bar, 8);
  expect(learned?.isOffered).toBe(true);
  expect(learned?.ticksPerMl).toBeGreaterThan(1.016);
  expect(engine.drinks.meterLearning.applyByThemselves(at(8 * day))).toEqual([]);
});

test('a meter that counts 2 % less since its calibration drifts; a new calibration ends it', () => {
  const bar = openEmptyBar();
  calibrate(bar, 1, 1);
  for (const n of [3, 5, 7, 9]) emptyKeg(bar, n, { ticks: 49_625 });
  expect(knowledgeOf(bar, 10).drift).toBeNull();
  for (const n of [11, 13, 15, 17, 19, 21]) emptyKeg(bar, n, { ticks: 48_400 });
  const { drift, evidence } = knowledgeOf(bar, 22);
  expect(drift).toMatchObject({ direction: 'low', cause: 'worn_or_dirty' });
  expect(evidence.at(-1)?.chart?.low).toBeGreaterThan(5);
  // The pours of the calibration itself are not in the chart.
  expect(evidence[0]?.chart).toBeNull();
  const shown = bar.engine.drinks.meterLearning.list().map((one) => one.drift?.direction ?? null);
  expect(shown).toEqual(['low', null, null]);
  calibrate(bar, 23, 0.975);
  expect(knowledgeOf(bar, 24).drift).toBeNull();
});

test('the first emptied keg with half of the ticks names another meter, until it is left out or two kegs agree', () => {
  const bar = openEmptyBar();
  calibrate(bar, 1, 1);
  emptyKeg(bar, 3, { ticks: 49_625 });
  emptyKeg(bar, 5, { ticks: 24_800 });
  const { drift, evidence, learned } = knowledgeOf(bar, 6);
  expect(drift).toEqual({
    direction: 'low',
    cause: 'other_meter',
    sinceMs: at(5 * day + 6 * hour).wallMs,
  });
  expect(evidence.at(-1)?.state).toBe('rejected');
  expect(learned?.ticksPerMl).toBeCloseTo(1, 2);
  expect(bar.engine.drinks.meterLearning.list()[0]?.drift?.cause).toBe('other_meter');
  const discard = (isDiscarded: boolean) =>
    bar.engine.drinks.meterLearning.setDiscarded(1, evidence.at(-1)!.id, { isDiscarded }, at(6 * day)).drift;
  expect(discard(true)).toBeNull();
  expect(discard(false)).not.toBeNull();
  emptyKeg(bar, 7, { ticks: 49_625 });
  expect(knowledgeOf(bar, 8).drift?.cause).toBe('other_meter');
  emptyKeg(bar, 9, { ticks: 49_625 });
  expect(knowledgeOf(bar, 10).drift).toBeNull();
});

test('a keg with half of the ticks names another meter although a pour is held or a drink was deleted; one that doubts explain does not', () => {
  const named = (ticks: number, doubtfulTicks: number, isDeleted = false) => {
    const bar = openEmptyBar();
    calibrate(bar, 1, 1);
    emptyKeg(bar, 3, { ticks: 49_625 });
    const during = at(5 * day + 3 * hour);
    if (!isDeleted) insertPour(bar.store, { ticks: doubtfulTicks, heldReason: 'no_end' }, during);
    emptyKeg(bar, 5, { ticks });
    if (isDeleted) {
      const [newest] = bar.engine.drinks.newest(1);
      const { part } = bar.engine.drinks.split(newest!.id, { ticks: doubtfulTicks }, at(6 * day));
      bar.engine.drinks.cancel(part.drink.id, { spilled: false }, at(6 * day));
    }
    const { drift, evidence } = knowledgeOf(bar, 6);
    return [evidence.at(-1)?.state, drift?.cause ?? null];
  };
  expect(named(24_800, 10)).toEqual(['incomplete', 'other_meter']);
  expect(named(24_800, 300, true)).toEqual(['incomplete', 'other_meter']);
  // Half of the keg may be in the held pour.
  expect(named(24_800, 24_000)).toEqual(['incomplete', null]);
  expect(named(49_625, 10)).toEqual(['incomplete', null]);
});

test('more and more kegs with half of the ticks are never of a worn or dirty meter', () => {
  const bar = openEmptyBar();
  calibrate(bar, 1, 1);
  for (const n of [3, 5, 7, 9, 11]) {
    emptyKeg(bar, n, { ticks: 24_800 });
    expect(knowledgeOf(bar, n + 1).drift).toMatchObject({ direction: 'low', cause: 'other_meter' });
  }
  // The factor of before holds after all; the chart still shows what was.
  for (const n of [13, 15]) emptyKeg(bar, n, { ticks: 49_625 });
  expect(knowledgeOf(bar, 16).drift?.cause).toBe('other_meter');
});

test('a meter whose factor is a guess learns from the first keg, and contradicts nothing', () => {
  const bar = openEmptyBar();
  bar.engine.taps.connectMeter(bar.left.id, 3);
  emptyOneKeg(bar.engine, bar.left.id, { meter: 'pi.flow2', ticks: 49_625 * 1.36, now: at(day) });
  const { drift, learned } = bar.engine.drinks.meterLearning.get(3, at(2 * day));
  expect(drift).toBeNull();
  expect(learned?.ticksPerMl).toBeCloseTo(1.36, 2);
});

test('a pour is recorded without any query for evidence', () => {
  const bar = openBar();
  bar.engine.drinks.meterLearning.list();
  const before = bar.engine.drinks.meterLearning.list();
  bar.engine.drinks.pours.record(pour(at(minute)), 'pin', at(minute));
  expect(bar.engine.drinks.meterLearning.list()).toBe(before);
});

test('what a meter has learned is computed again only for new evidence or another calibration', () => {
  const bar = openEmptyBar();
  const { engine } = bar;
  emptyKeg(bar, 1);
  const before = engine.drinks.meterLearning.list();
  engine.users.changeSite({ applyLearnedFactors: true });
  expect(engine.drinks.meterLearning.list()[0]).toBe(before[0]);
  emptyKeg(bar, 3);
  const [left, right] = engine.drinks.meterLearning.list();
  expect(left?.evidence).toHaveLength(2);
  expect(right).toBe(before[1]);
  calibrate(bar, 5, 1.3);
  expect(engine.drinks.meterLearning.list()[0]?.meter.ticksPerMl).toBe(1.3);
});
