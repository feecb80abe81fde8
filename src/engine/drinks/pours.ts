import type { Instant } from '../../core/clock/instant.ts';
import type { Moment } from '../../core/clock/moment.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { KeptCounter } from '../../core/pours/counter-position.ts';
import type { EndedPour, HeldReason } from '../../core/pours/pour.ts';
import { checkReportedVolume } from '../../core/pours/pour-judgement.ts';
import { normalizeTickSeries } from '../../core/pours/tick-series.ts';
import type { Drink } from '../../core/records.ts';
import type { NewDrink } from '../../store/drinks/drinks-table.ts';
import type { Store } from '../../store/store.ts';
import { resolveGrantUser } from '../access/grants.ts';
import { recordPouredToken } from '../access/presentment.ts';
import { findKegs, findPlacement } from '../kegs/placement/keg-spans.ts';
import { followLowMark } from '../kegs/placement/low-mark.ts';
import { followCount, mayEndByCount } from '../kegs/placement/series.ts';
import { type Actor, writeAudit } from '../shared/audit.ts';
import { maxDurationMs, maxTicks, maxVolumeMl, validatePourId } from '../shared/bounds.ts';
import type { EngineParts } from '../shared/parts.ts';
import type { PreparedPicture } from '../shared/pictures.ts';
import { queuePour } from '../shared/queue-upstream.ts';
import type { DrinkView } from '../shared/views.ts';
import { recomputeLostBeer } from '../taps/cleaning/cleaning-beer.ts';
import { findCleaning } from '../taps/cleaning/find-cleaning.ts';
import { type FlowKegs, findMeterFacts, type MeterFacts } from '../taps/meter-facts.ts';
import { resolveTap } from '../taps/taps.ts';
import { resolveUser } from '../users/resolve-user.ts';
import { insertDrink } from './apply-drink.ts';
import { toAuditDrinks } from './corrections/correct.ts';
import { toDrinkView } from './corrections/corrected-drink.ts';
import { measurePour } from './measured-pour.ts';
import { toEndTime, toFlowEnd, toPourCounter } from './pour-time.ts';
import { identifyReport, rememberReport } from './reported/identify-report.ts';
import { type RecordedSpill, type ReportedSpill, recordSpill } from './reported/record-spill.ts';
import { findRecordedPour, findReportedDrink } from './reported/recorded-pours.ts';
import {
  checkKegOf,
  hasCredibleAge,
  measuredPart,
  type ReportedPour,
  reportedVolume,
  validateReport,
} from './reported/reported-pour.ts';
import { suspectEmptyKeg } from './suspected-kegs.ts';
import { type CountedDrips, countDrips, toCountedTime } from './tap-losses.ts';

/** Records pours. Each call is one transaction; a pour recorded twice, or reported again, returns the first drink. */
export type Pours = ReturnType<typeof createPours>;

/** What a pour carries besides its measurement. */
interface RecordInput {
  readonly picture?: PreparedPicture | undefined;
  readonly actor?: Actor | undefined;
  /** True when the controller also reports which tokens were presented to it. */
  readonly isPresented?: boolean;
  /** The board's own total at the end of the pour. */
  readonly counter?: KeptCounter | undefined;
  /** Called in the transaction with the id of the new drink. */
  readonly remember?: (drinkId: number) => void;
}

/** A pour that is recorded later than this may have flowed before others that are recorded, milliseconds. */
const lateMs = 60_000;

/** The drink of a pour that was recorded earlier. */
interface RecordedPour {
  readonly recorded: Drink;
}

export function createPours(parts: EngineParts) {
  const { store, bus, settings } = parts;

  /**
   * Records the pour that `prepare` returns, unless it was recorded earlier, and publishes the event after the commit.
   */
  const recordOnce = (
    { picture, actor, counter, remember, isPresented = false }: RecordInput,
    now: Moment,
    prepare: () => Omit<NewDrink, 'sessionId'> | RecordedPour,
  ): DrinkView => {
    // A picture changes what is known of pictures.
    const transaction = picture ? store.transaction : store.recording;
    const { view, isNew, isKegEnded } = transaction(() => {
      const prepared = prepare();
      if ('recorded' in prepared)
        return { view: toDrinkView(store, prepared.recorded), isNew: false, isKegEnded: false };
      if (now.synced) store.site.raiseNewestSynced(now.wallMs);
      const created = insertDrink(store, prepared);
      remember?.(created.drink.id);
      suspectEmptyKeg(store, created.drink);
      const { cleaningId } = created.drink;
      // It changes a keg, which no other recording of a held pour does.
      if (cleaningId !== null) store.transaction(() => recomputeLostBeer(store, cleaningId));
      const { keg } = created;
      // Gas shows that the kegs behind it are empty, too: staff are asked about all of them.
      const isKegEnded = keg !== null && created.drink.gasTicks === 0 && mayEndByCount(store, keg);
      if (isKegEnded) store.transaction(() => followCount(store, keg.id, now));
      if (keg !== null && now.wallMs - created.drink.pourTimeMs > lateMs) followLowMark(store, keg.id);
      if (created.drink.isValid) {
        const { pourTimeMs: atMs, timeCertain, bootId: clockBoot, endMonoMs: monoMs } = prepared;
        queuePour(parts, created.drink, { atMs, timeCertain, clockBoot, monoMs });
      }
      const { authToken, username, meter } = created.drink;
      if (authToken !== null && username === null) {
        const device = meter?.slice(0, meter.lastIndexOf('.')) ?? '';
        recordPouredToken(store, { authToken, device, isPresented }, now);
      }
      if (counter) store.boardCounters.advance(counter, now.bootId);
      if (picture) store.pictures.addToDrink(picture.name, created.drink.id);
      if (actor) {
        const { id } = created.drink;
        const subject = { kind: 'drink', id };
        const after = toAuditDrinks(store, [id]);
        const entryId = writeAudit(store, { actor, action: 'drink.recorded', subject, after }, now);
        store.corrections.add({ id: entryId, kind: 'recording', before: '{}', after: '{}' });
      }
      return { view: created, isNew: true, isKegEnded };
    });
    if (!isNew) return view;
    store.tapRates.add(view.drink);
    bus.publish({ type: 'drink.recorded', drink: view.drink });
    if (isKegEnded) bus.publish({ type: 'database.changed' });
    return view;
  };

  const record = (pour: EndedPour, source: 'pin' | 'serial', now: Moment): Drink => {
    const pourId = validatePourId(pour.pourId);
    const counter = toPourCounter(pour, now);
    return recordOnce({ counter, isPresented: true }, now, () => {
      const recorded = findRecordedPour(store, pourId);
      if (recorded !== null) return { recorded };
      const meter = store.meters.byName(pour.meter);
      const end = toEndTime(pour, now);
      const tapId = meter?.tapId ?? null;
      const flowEnd = toFlowEnd(pour, end);
      const cleaning = findCleaning(store, tapId, flowEnd);
      const origin = {
        meter,
        source,
        isCleaning: cleaning !== null,
        kegs: findFlowKegs(store, tapId, flowEnd),
      };
      const { ticks, volumeMl, doubt: flowDoubt, ...gas } = measurePour(parts, pour, origin);
      if (meter !== null) store.meters.count(meter.id, ticks, toCountedTime(now));
      else store.meters.countWithoutMeter(pour.meter, ticks);
      // Whoever pours now did not pour unobserved ticks.
      const owner = pour.unobserved ? { userId: null, authToken: null } : resolveGrantUser(store, pour);
      const doubt = pour.doubts[0] ?? flowDoubt ?? findPlacementDoubt(tapId, volumeMl);
      const poured = {
        tapId,
        ...gas,
        ticks,
        volumeMl: Math.min(volumeMl, maxVolumeMl),
        durationMs: clampWhole(pour.durationMs, maxDurationMs),
        series: normalizeTickSeries(pour.series),
      };
      return {
        ...poured,
        ...toPlacement(store, poured, flowEnd, cleaning === null ? doubt : 'cleaning'),
        ...owner,
        claimedUsername: null,
        volumeGiven: false,
        ...end,
        pourId,
        meter: pour.meter,
        ticksLost: pour.ticksLost === null ? null : clampWhole(pour.ticksLost, maxTicks),
        rejectedEdges: clampWhole(pour.rejectedEdges, maxTicks),
        shout: null,
        recovered: pour.recovered,
        flowWhileShut: pour.flowWhileShut ?? false,
        source,
        cleaningId: cleaning?.id ?? null,
      };
    }).drink;
  };

  const reportInFull = (pour: ReportedPour, now: Moment): DrinkView => {
    const report = validateReport(pour);
    const { picture, actor, isTokenResolved: isPresented = false } = pour;
    const { tapId, meter } = resolveTap(store, pour.tap);
    const placed = { ...report, tapId, meter, source: pour.source, isSpill: false };
    const identity = identifyReport(store, placed, now);
    if (identity.first !== null) return toDrinkView(store, findReportedDrink(store, identity.first)!);
    const remember = (drinkId: number) => rememberReport(store, identity, { drinkId }, now);
    return recordOnce({ picture, actor, isPresented, remember }, now, () => {
      const isCredible = hasCredibleAge(pour, report);
      const measured = measuredPart(report, pour, meter);
      const volumeMl = reportedVolume(measured, meter);
      if (meter !== null) store.meters.count(meter.id, report.ticks, toCountedTime(now, report.agoMs));
      const size = checkReportedVolume({
        volumeMl,
        ...omitUndefined({ maxVolumeMl: settings.maxReportedMl }),
      });
      const repeat = identity.isPossibleRepeat ? 'possible_repeat' : null;
      const end = {
        pourTimeMs: Math.max(0, Math.round(now.wallMs - report.agoMs)),
        bootId: isCredible ? now.bootId : '',
        endMonoMs: now.monoMs - report.agoMs,
      };
      // What a person adds by hand is a drink, whatever is done to the line.
      const cleaning =
        pour.source === 'manual'
          ? null
          : findCleaning(store, tapId, { ...end, durationMs: report.durationMs });
      const recordedMl = Math.min(volumeMl, maxVolumeMl);
      const { ticks, durationMs, series } = report;
      const poured = { tapId, ticks, volumeMl: recordedMl, durationMs, series, gasTicks: 0, foamTicks: 0 };
      const doubt =
        cleaning === null
          ? (repeat ??
            size ??
            findPlacementDoubt(tapId, volumeMl) ??
            checkKegOf(store, tapId, toInstant(end), volumeMl))
          : 'cleaning';
      // Of a time that cannot be right, only the receipt is known.
      const flowEnd = isCredible
        ? end
        : { pourTimeMs: now.wallMs, bootId: now.bootId, endMonoMs: now.monoMs };
      const placement = toPlacement(store, poured, flowEnd, doubt);
      const user = resolveUser(store, pour.isTokenResolved ? { ...report, authToken: null } : report, now);
      // Each field by its name: V8 takes 30 µs longer to put an object of this size together from others.
      return {
        tapId,
        kegId: placement.kegId,
        parts: placement.parts,
        isKegAssigned: placement.isKegAssigned || !isCredible,
        heldReason: placement.heldReason,
        userId: user.userId,
        claimedUsername: user.claimedUsername,
        authToken: report.authToken,
        ticks,
        volumeMl: recordedMl,
        volumeGiven: measured.volumeMl !== null,
        pourTimeMs: end.pourTimeMs,
        timeCertain: now.synced && isCredible,
        bootId: end.bootId,
        endMonoMs: end.endMonoMs,
        durationMs,
        series,
        gasTicks: 0,
        foamTicks: 0,
        gasOnsetMs: null,
        pourId: null,
        meter: meter?.name ?? null,
        ticksLost: null,
        rejectedEdges: 0,
        rateDefault: null,
        shout: report.shout,
        recovered: false,
        flowWhileShut: false,
        source: pour.source,
        cleaningId: cleaning?.id ?? null,
      };
    });
  };

  return {
    /**
     * A pour from our own GPIO pins or a serial board; checked for its flow, held when doubtful, never refused.
     */
    record,

    /**
     * A reported pour. Throws `not_found` for an unknown tap or meter, `invalid_request` when the volume is
     * unknown.
     */
    report: (pour: ReportedPour, now: Moment): Drink => reportInFull(pour, now).drink,

    /** Like `report`, and returns the drink with related objects. */
    reportInFull,

    /** Records a spill: no drink, the keg's spilled total grows. */
    spill: (spill: ReportedSpill, now: Moment): RecordedSpill => recordSpill(parts, spill, now),

    /** Whether this pour of our own meters has been processed: recorded, cancelled or discarded. */
    knows: (pourId: string): boolean => findRecordedPour(store, pourId) !== null,

    /** The last totals of the serial boards' meters up to which every tick is recorded. */
    keptCounters: (): readonly KeptCounter[] => store.boardCounters.all(),

    /** What a pour on this meter is judged by; null for an unknown one. */
    meterFacts: (meter: string): MeterFacts | null =>
      store.meters.byName(meter) && findMeterFacts(store, store.meters.byName(meter), settings),

    /** Adds drips to the meters' lifetime totals and to the taps' days. */
    countDrips: (drips: CountedDrips, now: Moment): void => countDrips(parts, drips, now),
  };
}

/** The end of a flow by both clocks. */
interface FlowEnd {
  readonly pourTimeMs: number;
  readonly bootId: string;
  readonly endMonoMs: number;
}

const toInstant = ({ pourTimeMs: wallMs, bootId, endMonoMs: monoMs }: FlowEnd): Instant => ({
  wallMs,
  bootId,
  monoMs,
});

/** The keg that was on the tap while it flowed. A held pour has its tap, if any, but no keg. */
const toPlacement = (
  store: Store,
  poured: Parameters<typeof findPlacement>[1],
  end: FlowEnd,
  heldReason: HeldReason | null,
) => ({
  ...(heldReason === null
    ? findPlacement(store, poured, toInstant(end))
    : { kegId: null, parts: null, isKegAssigned: false }),
  heldReason,
});

/** The kegs that a flow came from first and last. */
function findFlowKegs(
  store: Store,
  tapId: number | null,
  { durationMs, ...end }: FlowEnd & { readonly durationMs: number },
): FlowKegs | null {
  if (tapId === null) return null;
  const kegs = findKegs(store, tapId, { end: toInstant(end), durationMs, pairs: null });
  return { first: kegs[0]!.kegId, last: kegs.at(-1)!.kegId };
}

function findPlacementDoubt(tapId: number | null, volumeMl: number): HeldReason | null {
  if (tapId === null) return 'unbound_meter';
  return volumeMl > maxVolumeMl ? 'too_large' : null;
}

function clampWhole(value: number, max: number): number {
  return Number.isFinite(value) ? Math.min(Math.max(Math.round(value), 0), max) : 0;
}
