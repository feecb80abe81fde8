import { expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { at, hour, minute, pour } from '../../../engine/bar.ts';
import { openCleaningBar } from '../cleaning-bar.ts';

const by = (afterMs: number, options = {}) => ({ actor: systemActor, now: at(afterMs, options) });
const conflict = (name: string) =>
  expect.objectContaining({ code: 'conflict', reason: expect.objectContaining({ name }) });

/** The bar with a cleaning of the left line (0.5 L) that began at minute 10. */
function barInCleaning() {
  const bar = openCleaningBar();
  const request = { tapId: bar.left.id, kind: 'caustic' as const, lineVolumeMl: 500 };
  const cleaning = bar.engine.cleanings.start(request, by(10 * minute));
  return { ...bar, cleaning };
}

/** The cleaning during which a drink flowed; null for a drink. */
const cleaningOf = ({ store }: ReturnType<typeof openCleaningBar>, drink: { readonly id: number }) =>
  store.cleaningPours.cleaningOf(drink.id);

/** What flowed through the left meter until a minute; 1 tick is 1 mL. */
const flow = (untilMinutes: number, ml: number, options = {}) =>
  pour(at(untilMinutes * minute), { ticks: ml, series: `0:${ml}`, ...options });

test('while the line is cleaned nothing becomes a drink, and the beer of the line is lost from the keg', () => {
  const { engine, store, keg, cleaning, left } = barInCleaning();
  const { cleanings } = engine;
  const { pours } = engine.drinks;
  pours.record(flow(11, 800), 'pin', at(11 * minute));
  cleanings.step(cleaning.id, 'cleaner', by(12 * minute));
  // A pump at 127 mL/s for five minutes, cut at the longest pour: 38 L, which would be held.
  const pumped = flow(18, 38_100, { durationMs: 300_000, doubts: ['no_end'], reachedMaxDuration: true });
  expect(pours.record(pumped, 'pin', at(18 * minute))).toMatchObject({
    isValid: false,
    heldReason: 'cleaning',
    isSetAside: true,
    volumeMl: 38_100,
    kegId: null,
    sessionId: null,
  });
  cleanings.step(cleaning.id, 'rinse', by(20 * minute));
  pours.record(flow(21, 2_000), 'pin', at(21 * minute));

  expect(cleanings.get(cleaning.id).parts).toEqual({ beerMl: 500, cleanerMl: 38_100, rinseMl: 2_300 });
  expect(engine.kegs.get(keg.id)).toMatchObject({ servedVolumeMl: 0, spilledVolumeMl: 500 });
  expect(engine.drinks.list({}).total).toBe(0);
  expect([engine.drinks.heldCount(), engine.drinks.held()]).toEqual([0, []]);
  expect(engine.lists.sessions({})).toMatchObject({ total: 0 });
  expect(engine.taps.facts.totalMl(left.id)).toBe(0);
  expect(engine.site.checkDatabase()).toEqual([]);
  expect(store.faults()).toEqual([]);
});

test('other taps pour as usual meanwhile, and the same tap before and after', () => {
  const bar = barInCleaning();
  const { engine, right, cleaning, keg } = bar;
  const before = engine.drinks.pours.record(flow(9, 300), 'pin', at(11 * minute));
  const other = engine.drinks.pours.record(
    pour(at(11 * minute), { meter: 'pi.flow1' }),
    'pin',
    at(11 * minute),
  );
  engine.cleanings.finish(cleaning.id, { result: 'passed' }, by(30 * minute));
  const after = engine.drinks.pours.record(flow(31, 300), 'pin', at(31 * minute));
  // It waited in the journal.
  const late = engine.drinks.pours.record(flow(20, 700), 'pin', at(40 * minute));
  expect([before, other, after, late].map((drink) => [drink.isValid, cleaningOf(bar, drink)])).toEqual([
    [true, null],
    [true, null],
    [true, null],
    [false, cleaning.id],
  ]);
  expect(other.tapId).toBe(right.id);
  expect(engine.kegs.get(keg.id)).toMatchObject({ servedVolumeMl: 600, spilledVolumeMl: 500 });
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a pour recorded twice is one flow', () => {
  const { engine, cleaning } = barInCleaning();
  const water = flow(11, 800);
  const first = engine.drinks.pours.record(water, 'pin', at(11 * minute));
  expect(engine.drinks.pours.record(water, 'pin', at(11 * minute)).id).toBe(first.id);
  expect(engine.drinks.pours.knows(water.pourId)).toBe(true);
  expect(engine.cleanings.get(cleaning.id).pours).toHaveLength(1);
});

test('a pump is no gas, and nobody is asked whether the keg is empty', () => {
  const { engine, cleaning, store } = barInCleaning();
  const fast = flow(12, 1_200, { gas: { onsetMs: 10, ticks: 1_190, ratio: 2, class: 'gas' } });
  engine.drinks.pours.record(fast, 'pin', at(12 * minute));
  expect(engine.cleanings.get(cleaning.id).pours).toMatchObject([{ volumeMl: 1_200 }]);
  expect(store.taps.emptyKegs.all()).toEqual([]);
  expect(engine.drinks.pours.meterFacts('pi.flow0')?.openRate).toBeNull();
});

test('uneven flow of a cleaning that is known only after its end is no foam of a fresh keg', () => {
  const { engine, cleaning } = barInCleaning();
  const uneven = Array.from({ length: 40 }, (_, i) => `${i * 100}:${i % 4 < 2 ? 15 : 5}`).join(' ');
  engine.cleanings.finish(cleaning.id, { result: 'passed' }, by(20 * minute));
  const water = flow(15, 400, { series: uneven, durationMs: 3_900 });
  expect(engine.drinks.pours.record(water, 'pin', at(21 * minute))).toMatchObject({
    heldReason: 'cleaning',
    volumeMl: 400,
    foamTicks: 0,
  });
});

test('what controllers report from that tap is answered as not valid; drinks entered by hand are drinks', () => {
  const bar = barInCleaning();
  const { engine, left, cleaning } = bar;
  const posted = { tap: left.id, ticks: 250, source: 'post' as const, pourId: 'a' };
  const drink = engine.drinks.pours.report(posted, at(12 * minute));
  expect([drink.isValid, cleaningOf(bar, drink)]).toEqual([false, cleaning.id]);
  expect(engine.drinks.pours.report(posted, at(13 * minute)).id).toBe(drink.id);
  const manual = { tap: left.id, ticks: 0, volumeMl: 300, source: 'manual' as const };
  expect(engine.drinks.pours.report(manual, at(13 * minute))).toMatchObject({
    isValid: true,
    isSetAside: false,
  });
});

test('a guest’s pour during a cleaning is shown as one, and becomes a drink on demand', () => {
  const { engine, left, keg, cleaning } = barInCleaning();
  engine.users.addUser({ username: 'ana' }, at(0));
  const report = { tap: left.id, ticks: 400, username: 'ana', source: 'device' as const, pourId: 'g' };
  const { id } = engine.drinks.pours.report(report, at(12 * minute));
  expect(engine.cleanings.get(cleaning.id).pours).toMatchObject([{ username: 'ana', isGuest: true }]);
  expect(engine.kegs.get(keg.id)).toMatchObject({ spilledVolumeMl: 400 });
  engine.drinks.keep(id, {}, at(13 * minute));
  expect(engine.cleanings.get(cleaning.id).pours).toEqual([]);
  expect(engine.drinks.get(id)).toMatchObject({ drink: { isValid: true, username: 'ana', kegId: keg.id } });
  expect(engine.kegs.get(keg.id)).toMatchObject({ servedVolumeMl: 400, spilledVolumeMl: 0 });
  engine.drinks.undo(id, {}, at(14 * minute));
  expect(engine.cleanings.get(cleaning.id).pours).toHaveLength(1);
  expect(engine.kegs.get(keg.id)).toMatchObject({ servedVolumeMl: 0, spilledVolumeMl: 400 });
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('flows of a cleaning cannot be cancelled, edited or discarded', () => {
  const { engine } = barInCleaning();
  const { id } = engine.drinks.pours.record(flow(11, 800), 'pin', at(11 * minute));
  const now = at(12 * minute);
  expect(() => engine.drinks.cancel(id, { spilled: false }, now)).toThrow(conflict('drink_held'));
  expect(() => engine.drinks.edit(id, { volumeMl: 1 }, now)).toThrow(conflict('drink_held'));
  expect(() => engine.drinks.discard(id, {}, now)).toThrow(conflict('drink_held'));
});

test('mode, step and flows are there after a restart of the machine, and go on', () => {
  const { engine, cleaning } = barInCleaning();
  engine.cleanings.step(cleaning.id, 'contact', by(12 * minute));
  const rebooted = { bootId: 'boot-2', monoMs: 90_000 };
  const later = pour(at(15 * minute, rebooted), { ticks: 900, series: '0:900' });
  engine.drinks.pours.record(later, 'pin', at(15 * minute, rebooted));
  // The pour that ran at the power cut, from the journal.
  const cut = flow(13, 700, {
    bootId: 'boot-1',
    recovered: true,
    endedWallMs: at(13 * minute).wallMs,
    endedWallSynced: true,
  });
  engine.drinks.pours.record(cut, 'pin', at(15 * minute, rebooted));
  const view = engine.cleanings.running()[0]!;
  expect(view.pours.map(({ volumeMl }) => volumeMl)).toEqual([700, 900]);
  expect(view.contactEndsMs).toBe(at(32 * minute).wallMs);
});

test('a pour that ran at a power cut belongs to the cleaning also while the clock was not set, before and after', () => {
  const bar = openCleaningBar();
  const { engine, left } = bar;
  const unset = (afterMs: number, options = {}) =>
    at(afterMs, { synced: false, wallMs: 5_000_000 + afterMs, ...options });
  const request = { tapId: left.id, kind: 'caustic' as const };
  const { id } = engine.cleanings.start(request, { actor: systemActor, now: unset(10 * minute) });
  // Nothing tells how long the machine was off, and the estimate of the time begins anew.
  const rebooted = unset(0, { bootId: 'boot-2', monoMs: minute });
  const recover = (endMinute: number) =>
    engine.drinks.pours.record(flow(endMinute, 700, { recovered: true }), 'pin', rebooted);
  expect([9, 11].map((endMinute) => cleaningOf(bar, recover(endMinute)))).toEqual([null, id]);
  engine.cleanings.finish(id, { result: 'passed' }, { actor: systemActor, now: rebooted });
  expect([9, 12].map((endMinute) => cleaningOf(bar, recover(endMinute)))).toEqual([null, id]);
});

test('a clock that is set during a cleaning moves cleaning and flows alike', () => {
  const { engine, left } = openCleaningBar();
  const unset = { synced: false, wallMs: 1_000_000 };
  const request = { tapId: left.id, kind: 'caustic' as const };
  const { id } = engine.cleanings.start(request, { actor: systemActor, now: at(10 * minute, unset) });
  engine.drinks.pours.record(
    pour(at(11 * minute, { ...unset, wallMs: 1_060_000 })),
    'pin',
    at(11 * minute, { ...unset, wallMs: 1_060_000 }),
  );
  engine.drinks.clockCorrection.correct(at(12 * minute));
  engine.drinks.pours.record(flow(13, 600), 'pin', at(13 * minute));
  const view = engine.cleanings.get(id);
  expect(view.startedMs).toBe(at(10 * minute).wallMs);
  expect(view.steps[0]?.sinceMs).toBe(at(10 * minute).wallMs);
  expect(view.pours.map(({ timeMs }) => timeMs)).toEqual([at(11 * minute).wallMs, at(13 * minute).wallMs]);
});

test('a clock set back after the end makes no later drink a flow of the cleaning, and none set forward a flow a drink', () => {
  const bar = barInCleaning();
  const { engine, cleaning } = bar;
  engine.cleanings.finish(cleaning.id, { result: 'passed' }, by(30 * minute));
  const record = (endMinute: number, shiftMs: number) => {
    const now = at(40 * minute, { wallMs: at(40 * minute).wallMs + shiftMs });
    return cleaningOf(bar, engine.drinks.pours.record(flow(endMinute, 300), 'pin', now));
  };
  expect(record(31, -15 * minute)).toBeNull();
  expect(record(29, 5 * hour)).toBe(cleaning.id);
  // After a restart only the wall clock can be compared, besides for pours of the boot in which it began.
  const rebooted = (endMinute: number) => at(endMinute * minute, { bootId: 'boot-2', monoMs: hour });
  const recordRebooted = (endMinute: number) =>
    cleaningOf(bar, engine.drinks.pours.record(pour(rebooted(endMinute)), 'pin', rebooted(endMinute)));
  expect([recordRebooted(29), recordRebooted(31)]).toEqual([cleaning.id, null]);
});

test('a clock that steps neither ends a running cleaning nor keeps a forgotten one', () => {
  const { engine, cleaning } = barInCleaning();
  const due = (afterMs: number, options = {}) =>
    engine.cleanings.due(at(afterMs, options)).map(({ id }) => id);
  expect(due(20 * minute, { wallMs: at(5 * hour).wallMs })).toEqual([]);
  expect(due(130 * minute, { wallMs: at(minute).wallMs })).toEqual([cleaning.id]);
  expect(due(130 * minute, { bootId: 'boot-2', monoMs: minute })).toEqual([cleaning.id]);
  expect(due(129 * minute, { bootId: 'boot-2', monoMs: 9 * hour })).toEqual([]);
});

test('a cleaning during which the machine was off ends when it expired, and takes no pour that a board kept since', () => {
  const bar = barInCleaning();
  const { engine, left, cleaning } = bar;
  // It expired at minute 130; the machine was off from minute 100 until the next day but one.
  const rebooted = at(40 * hour, { bootId: 'boot-2', monoMs: minute });
  const report = (pourId: string, endMinute: number) =>
    cleaningOf(
      bar,
      engine.drinks.pours.report(
        {
          tap: left.id,
          ticks: 400,
          durationMs: 10_000,
          source: 'device',
          pourId,
          agoMs: 40 * hour - endMinute * minute,
        },
        rebooted,
      ),
    );
  expect([report('during', 120), report('after', 300)]).toEqual([cleaning.id, null]);
  engine.cleanings.expire(cleaning.id, rebooted);
  expect([report('late-during', 125), report('late-after', 301)]).toEqual([cleaning.id, null]);
  engine.cleanings.finish(cleaning.id, { result: 'passed' }, { actor: systemActor, now: rebooted });
  expect(engine.cleanings.get(cleaning.id).entries).toMatchObject([{ endedMs: at(130 * minute).wallMs }]);
});

test('what flows when a cleaning ends by itself belongs to it as a whole', () => {
  const bar = barInCleaning();
  const { engine, cleaning } = bar;
  const end = 130 * minute + 900;
  const record = (pourEndMs: number) =>
    cleaningOf(bar, engine.drinks.pours.record(pour(at(pourEndMs)), 'pin', at(pourEndMs)));
  expect(record(end)).toBe(cleaning.id);
  engine.cleanings.expire(cleaning.id, at(end));
  expect([record(end + 1), record(end + 20_000)]).toEqual([cleaning.id, null]);
});

test('a clock that was set while a cleaning runs does not prevent its entry', () => {
  const { engine, cleaning } = barInCleaning();
  const now = at(30 * minute, { wallMs: at(50 * hour).wallMs });
  engine.cleanings.finish(cleaning.id, { result: 'passed' }, { actor: systemActor, now });
  expect(engine.cleanings.get(cleaning.id).entries).toHaveLength(1);
});

test('the end of a cleaning that expired while the clock was unset is corrected with its start', () => {
  const { engine, left } = openCleaningBar();
  const unset = (afterMs: number) => at(afterMs, { synced: false, wallMs: 1_000_000 + afterMs });
  const request = { tapId: left.id, kind: 'caustic' as const };
  const { id } = engine.cleanings.start(request, { actor: systemActor, now: unset(minute) });
  engine.cleanings.expire(id, unset(125 * minute));
  engine.drinks.clockCorrection.correct(at(126 * minute));
  expect(engine.cleanings.get(id)).toMatchObject({
    startedMs: at(minute).wallMs,
    endedMs: at(121 * minute).wallMs,
  });
});

test('a clock that is set after the end moves the lost beer and the entry of the log, whose first version stays', () => {
  const { engine, left, store } = openCleaningBar();
  const unset = (afterMs: number) => at(afterMs, { synced: false, wallMs: 1_000_000 + afterMs });
  const request = { tapId: left.id, kind: 'caustic' as const, lineVolumeMl: 500 };
  const { id } = engine.cleanings.start(request, { actor: systemActor, now: unset(minute) });
  engine.drinks.pours.record(
    pour(unset(2 * minute), { ticks: 400, series: '0:400' }),
    'pin',
    unset(2 * minute),
  );
  const finished = { actor: systemActor, now: unset(30 * minute) };
  engine.cleanings.finish(id, { result: 'passed', cleanedBy: 'Anna' }, finished);
  engine.drinks.clockCorrection.correct(at(31 * minute));
  const [newest, first] = engine.cleanings.get(id).entries;
  expect(newest).toMatchObject({
    startedMs: at(minute).wallMs,
    endedMs: at(30 * minute).wallMs,
    cleanedBy: 'Anna',
    result: 'passed',
    correctsId: first!.id,
  });
  expect(first).toMatchObject({ startedMs: unset(minute).wallMs, correctsId: null });
  expect(store.drinks.rows.all('spills')).toMatchObject([
    { cause: 'cleaning', volume_ml: 400, time_ms: at(2 * minute).wallMs },
  ]);
  // Once more changes nothing.
  engine.drinks.clockCorrection.correct(at(32 * minute));
  expect(engine.cleanings.get(id).entries).toHaveLength(2);
});

test('a plan that was made before the clock was set counts from its true day', () => {
  const { engine, left } = openCleaningBar();
  const now = at(minute, { synced: false, wallMs: 1_000_000 });
  engine.cleanings.setPlan(
    { tapId: left.id, kind: 'caustic', intervalDays: 14 },
    { actor: systemActor, now },
  );
  engine.drinks.clockCorrection.correct(at(2 * minute));
  expect(engine.cleanings.plans(at(3 * minute))).toMatchObject([
    { sinceMs: at(minute).wallMs, daysLeft: 14 },
  ]);
});

test('only one cleaning runs at a tap; a step twice is one, and none follows the end', () => {
  const { engine, left, cleaning } = barInCleaning();
  const { cleanings } = engine;
  expect(() => cleanings.start({ tapId: left.id, kind: 'acid' }, by(11 * minute))).toThrow(
    conflict('cleaning_running'),
  );
  cleanings.step(cleaning.id, 'cleaner', by(12 * minute));
  cleanings.step(cleaning.id, 'cleaner', by(13 * minute));
  expect(cleanings.get(cleaning.id).steps.map(({ step }) => step)).toEqual(['push_out', 'cleaner']);
  cleanings.finish(cleaning.id, { result: 'passed' }, by(14 * minute));
  expect(() => cleanings.step(cleaning.id, 'rinse', by(15 * minute))).toThrow(conflict('cleaning_over'));
  expect(() => cleanings.cancel(cleaning.id, by(15 * minute))).toThrow(conflict('cleaning_over'));
  expect(() => cleanings.finish(cleaning.id, {}, by(15 * minute))).toThrow(conflict('cleaning_logged'));
  expect(cleanings.running()).toEqual([]);
});

test('the line volume of the last cleaning is the default of the next one', () => {
  const { engine, left, cleaning } = barInCleaning();
  engine.cleanings.cancel(cleaning.id, by(11 * minute));
  const next = engine.cleanings.start({ tapId: left.id, kind: 'acid', hasBeer: false }, by(12 * minute));
  expect(next).toMatchObject({ lineVolumeMl: 500, hasBeer: false });
  expect(engine.cleanings.get(next.id).steps.map(({ step }) => step)).toEqual(['cleaner']);
});

test('a cancelled cleaning has no entry; what flowed stays booked', () => {
  const { engine, cleaning, keg } = barInCleaning();
  engine.drinks.pours.record(flow(11, 800), 'pin', at(11 * minute));
  engine.cleanings.cancel(cleaning.id, by(12 * minute));
  expect(engine.cleanings.log({}).total).toBe(0);
  expect(engine.kegs.get(keg.id)).toMatchObject({ spilledVolumeMl: 500, servedVolumeMl: 0 });
});

test('a forgotten cleaning ends by itself, waits for its entry, and its pours can become drinks', () => {
  const { engine, cleaning, keg } = barInCleaning();
  engine.drinks.pours.record(flow(100, 400), 'pin', at(100 * minute));
  expect(engine.cleanings.due(at(129 * minute))).toEqual([]);
  expect(engine.cleanings.due(at(130 * minute)).map(({ id }) => id)).toEqual([cleaning.id]);
  engine.cleanings.expire(cleaning.id, at(130 * minute));
  expect(engine.cleanings.running()).toEqual([]);
  expect(engine.cleanings.unfinished().map(({ id }) => id)).toEqual([cleaning.id]);
  expect(engine.drinks.pours.record(flow(131, 300), 'pin', at(131 * minute)).isValid).toBe(true);
  expect(engine.cleaningSuggestions.keepPours(cleaning.id, by(140 * minute))).toBe(1);
  engine.cleanings.cancel(cleaning.id, by(140 * minute));
  expect(engine.cleanings.unfinished()).toEqual([]);
  expect(engine.kegs.get(keg.id)).toMatchObject({ servedVolumeMl: 700, spilledVolumeMl: 0 });
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('pours of a cleaning become drinks of the keg that was on the tap then', () => {
  const { engine, cleaning, keg, left } = barInCleaning();
  engine.drinks.pours.record(flow(11, 400), 'pin', at(11 * minute));
  engine.kegs.end(keg.id, at(12 * minute));
  const beverage = { name: 'Ale', producerName: 'Brewery', styleName: 'Ale' };
  const next = engine.kegs.start(left.id, { beverage, sizeKey: 'euro-30-liter' }, at(13 * minute));
  engine.drinks.pours.record(flow(14, 300), 'pin', at(14 * minute));
  engine.cleanings.cancel(cleaning.id, by(15 * minute));
  engine.cleaningSuggestions.keepPours(cleaning.id, by(15 * minute));
  expect(engine.kegs.get(keg.id)).toMatchObject({ servedVolumeMl: 400, spilledVolumeMl: 0 });
  expect(engine.kegs.get(next.id)).toMatchObject({ servedVolumeMl: 300, spilledVolumeMl: 0 });
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a forgotten cleaning can be completed with its entry', () => {
  const { engine, cleaning } = barInCleaning();
  engine.cleanings.expire(cleaning.id, at(130 * minute));
  engine.cleanings.finish(cleaning.id, { result: 'passed', rinsePh: 7.1 }, by(140 * minute));
  expect(engine.cleanings.unfinished()).toEqual([]);
  expect(engine.cleanings.get(cleaning.id).entries).toMatchObject([
    { rinsePh: 7.1, endedMs: at(130 * minute).wallMs },
  ]);
});

test('beer that the meter did not see is stated at the end, and is lost from the keg', () => {
  const { engine, cleaning, keg } = barInCleaning();
  engine.cleanings.finish(cleaning.id, { result: 'passed', beerLostMl: 620 }, by(20 * minute));
  expect(engine.kegs.get(keg.id)).toMatchObject({ spilledVolumeMl: 620 });
  expect(engine.site.checkDatabase()).toEqual([]);
});

test.each([
  ['line_volume_ml', { lineVolumeMl: 100_001 }],
  ['contact_minutes', { contactMinutes: 241 }],
  ['kind', { kind: 'soap' as 'acid' }],
  ['step', { step: 'dance' as 'rinse' }],
])('a cleaning with a wrong %s is refused', (field, wrong) => {
  const { engine, left } = openCleaningBar();
  const start = () => engine.cleanings.start({ tapId: left.id, kind: 'caustic', ...wrong }, by(minute));
  expect(start).toThrow(expect.objectContaining({ fields: { [field]: expect.any(String) } }));
  expect(engine.cleanings.running()).toEqual([]);
});
