import fc from 'fast-check';
import { expect } from 'vitest';
import { AppError } from '../../../../src/core/app-error.ts';
import { systemActor } from '../../../../src/engine/engine.ts';
import { at, minute, openEmptyBar, pour } from '../../bar.ts';

const beverage = { name: 'Lager', producerName: 'Brewery', styleName: 'Pils' };
/** Two of them are soon empty by the count. */
const volumesMl = [1_000, 30_000, 1_500, 30_000];

const tap = fc.constantFrom('left' as const, 'left' as const, 'left' as const, 'right' as const);
/** Which of the kegs that it can be done with. */
const keg = fc.nat({ max: volumesMl.length - 1 });
/** Minutes before now at which it was done at the tap. */
const late = fc.constantFrom(undefined, undefined, undefined, 0.5, 2, 5);

const act = fc.oneof(
  fc.record({ do: fc.constant('connect' as const), tap, keg, late }),
  fc.record({ do: fc.constant('attach' as const), tap, keg, late }),
  fc.record({
    do: fc.constant('end' as const),
    tap,
    late,
    ranDry: fc.constantFrom(undefined, true, false),
  }),
  fc.record({ do: fc.constant('take off' as const), tap, keg, late }),
  fc.record({ do: fc.constant('reactivate' as const), keg }),
  fc.record({ do: fc.constant('end in stock' as const), keg }),
);

/** What staff do at two taps with four kegs, pours and undos of the latest change. */
export const step = fc.oneof(
  { weight: 4, arbitrary: act },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('pour' as const), tap, ml: fc.integer({ min: 100, max: 700 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('undo' as const) }) },
);

export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;
type Pour = { readonly do: 'pour'; readonly tap: 'left' | 'right'; readonly ml: number };
/** With the keg that it is done with. */
type Timed<T> = T & { readonly now: ReturnType<typeof at>; readonly kegId?: number };

function open() {
  const bar = openEmptyBar();
  const { engine, store } = bar;
  for (const fullVolumeMl of volumesMl) engine.kegs.create({ beverage, fullVolumeMl }, at(0));
  const idOf = (index: number) => index + 1;
  const run = (one: Timed<Act | Pour>): void => {
    const { now, kegId = 0 } = one;
    const tapId = 'tap' in one ? bar[one.tap].id : 0;
    const changedAtMs = 'late' in one && one.late !== undefined ? now.wallMs - one.late * minute : undefined;
    switch (one.do) {
      case 'pour': {
        const meter = one.tap === 'left' ? 'pi.flow0' : 'pi.flow1';
        const ticks = one.tap === 'left' ? one.ml : 2 * one.ml;
        const durationMs = one.ml * 25;
        const counted = { meter, ticks, durationMs, series: `0:${ticks}`, pourId: `pour-${now.monoMs}` };
        engine.drinks.pours.record(pour(now, counted), 'pin', now);
        return;
      }
      case 'connect':
        return void engine.kegs.connect(tapId, kegId, now, systemActor, { changedAtMs });
      case 'attach':
        return void engine.kegs.attach(tapId, kegId, now, systemActor, { changedAtMs });
      case 'end':
        return void engine.kegs.endOnTap(tapId, now, systemActor, { changedAtMs, ranDry: one.ranDry });
      case 'take off':
        return void engine.kegs.disconnect(tapId, kegId, now, systemActor, { changedAtMs });
      case 'reactivate':
        return void engine.kegs.reactivate(kegId, { actor: systemActor, now });
      case 'end in stock':
        return void engine.kegs.endOffTap(kegId, now, systemActor);
    }
  };
  const idsIn = (...states: readonly string[]) =>
    volumesMl.map((_, index) => idOf(index)).filter((id) => states.includes(store.kegs.byId(id)!.state));
  const candidates = (one: Act): readonly number[] => {
    if (one.do === 'connect' || one.do === 'attach') return idsIn('available');
    if (one.do === 'reactivate') return idsIn('finished');
    if (one.do === 'end in stock') return idsIn('available');
    const { kegId, kegIdsBehind } = store.taps.byId(bar[one.tap].id)!;
    return kegId === null ? [] : one.do === 'end' ? [kegId] : [kegId, ...kegIdsBehind];
  };
  /** The keg that it is done with, null where it cannot be done. */
  const kegOf = (one: Act): number | null => {
    const ids = candidates(one);
    return ids[('keg' in one ? one.keg : 0) % Math.max(1, ids.length)] ?? null;
  };
  const latestCorrection = (kegId: number) =>
    engine.audit.latestCorrection('keg', { kind: 'keg', id: kegId });
  return { ...bar, run, kegOf, latestCorrection };
}

const withoutId = <T extends { readonly id: number }>({ id: _, ...row }: T) => row;

/** All that is known of kegs, of what was on which tap, and of the meters that learn from it, without ids. */
function rows({ store, engine, left, right }: ReturnType<typeof open>) {
  const kegIds = volumesMl.map((_, index) => index + 1);
  return {
    kegs: kegIds.map((id) => store.drinks.rows.byKey('kegs', id)),
    taps: [left, right].map(({ id }) => {
      const { kegId, kegIdsBehind } = store.taps.byId(id)!;
      return { kegId, kegIdsBehind };
    }),
    spans: [left, right].map(({ id }) => store.taps.kegSpans.ofTap(id).map(withoutId)),
    evidence: kegIds.map((id) => {
      const evidence = store.taps.meterEvidence.byKeg(id);
      return evidence && withoutId(evidence);
    }),
    drinks: engine.drinks
      .latest(100)
      .map(({ id, kegId, parts, isKegAssigned }) => ({ id, kegId, parts, isKegAssigned })),
    events: kegIds.map((id) =>
      ['keg_tapped', 'keg_ended'].map((kind) => store.drinks.events.hasKegEvent(id, kind as 'keg_tapped')),
    ),
  };
}

/** Whoever changes and undoes so has the same as a twin who did nothing of what was undone. */
export function expectNever(steps: readonly Step[], undoesAll: boolean): void {
  const bar = open();
  const kept: Timed<Act | Pour>[] = [];
  const undoable: { readonly act: Timed<Act>; readonly correctionId: number }[] = [];
  let minutes = 10;
  const now = () => at(minute * ++minutes);
  for (const kegId of [1, 2]) {
    const first = {
      do: 'connect' as const,
      tap: 'left' as const,
      keg: 0,
      late: undefined,
      kegId,
      now: now(),
    };
    bar.run(first);
    kept.push(first);
  }
  const undo = () => {
    const last = undoable.pop();
    if (last === undefined) return;
    try {
      bar.engine.corrections.undo(last.correctionId, { actor: systemActor }, now());
    } catch (fault) {
      if (!(fault instanceof AppError)) throw fault;
      // It stays, and what was done before it.
      undoable.length = 0;
      return;
    }
    kept.splice(kept.indexOf(last.act), 1);
  };
  for (const one of steps) {
    if (one.do === 'undo') undo();
    else if (one.do === 'pour') {
      const poured = { ...one, now: now() };
      bar.run(poured);
      kept.push(poured);
    } else {
      const kegId = bar.kegOf(one);
      if (kegId === null) continue;
      const made = { ...one, kegId, now: now() };
      const before = bar.latestCorrection(kegId);
      try {
        bar.run(made);
      } catch (fault) {
        if (fault instanceof AppError) continue;
        throw fault;
      }
      const correctionId = bar.latestCorrection(kegId);
      if (correctionId === null || correctionId === before) continue;
      kept.push(made);
      undoable.push({ act: made, correctionId });
    }
  }
  if (undoesAll) while (undoable.length > 0) undo();
  const twin = open();
  for (const one of kept) twin.run(one);
  expect(rows(bar)).toEqual(rows(twin));
  expect(bar.engine.site.checkDatabase()).toEqual([]);
  for (const { store } of [bar, twin]) store.close();
}
