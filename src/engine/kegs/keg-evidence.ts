import { daySpan, localDay } from '../../core/clock/local-days.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { KegWeighing } from '../../core/kegs/keg-weighing.ts';
import { firstReason, measureKeg, toKegUse } from '../../core/measurement/counted-keg.ts';
import { type LineFill, lineDifference } from '../../core/measurement/line-content.ts';
import { beerTicksOf, pourVolume } from '../../core/measurement/pour-volume.ts';
import type { Keg, MeterConfig } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import type { CountedTimes } from '../../store/taps/keg-measure-table.ts';
import type { EvidenceMeasure } from '../../store/taps/meter-evidence-table.ts';
import { findKegDensity, findKegSize, toKegWeighing } from './keg-weight.ts';

/** Each reads all drinks of its keg. */
const maxUpdated = 100;

/**
 * Stores what a keg that just ended says about the factor of its tap's meter. It is fit only if it was full or weighed, on one tap
 * and one meter the whole time, alone there, and all its ticks are known. Call it in the transaction that ends the keg.
 */
export function addKegEvidence(store: Store, kegId: number, now: Moment): void {
  storeEvidence(store, kegId, now, () => true);
}

/** Measures the evidence of a keg again after it was weighed, or a weighing was changed or undone. */
export function weighKegEvidence(store: Store, kegId: number, now: Moment): void {
  // A keg that is not finished is no evidence before two weighings, or one far from the start.
  storeEvidence(store, kegId, now, ({ isFit }) => isFit);
  removeUnfounded(store, kegId);
}

/** Measures the evidence of a keg again after its drinks, spills or volume were corrected. */
export function updateKegEvidence(store: Store, kegId: number): void {
  const evidence = store.taps.meterEvidence.byKeg(kegId);
  if (evidence === null) return;
  const found = measure(store, store.kegs.byId(kegId)!);
  const isSameMeter = found?.meterId === evidence.meterId;
  store.taps.meterEvidence.setMeasure(
    evidence.id,
    found !== null && isSameMeter ? found : { ...evidence, isFit: false, incompleteReason: 'meter_changed' },
  );
}

/** Measures the evidence of a keg again when a drink of the time before it comes late. */
export function updateEvidenceWith(store: Store, kegId: number, pourTimeMs: number): void {
  const evidence = store.taps.meterEvidence.byKeg(kegId);
  if (evidence !== null && pourTimeMs <= evidence.timeMs) updateKegEvidence(store, kegId);
}

/** Measures the kegs again that were on the tap of a held pour, after it was kept or discarded, or is held again. */
export function updateEvidenceAt(
  store: Store,
  { meter, pourTimeMs }: { readonly meter: string | null; readonly pourTimeMs: number },
): void {
  const counted = meter === null ? null : store.taps.meters.byName(meter);
  if (counted === null) return;
  for (const kegId of store.taps.meterEvidence.kegsAt(counted.id, pourTimeMs))
    updateKegEvidence(store, kegId);
}

/** Measures the kegs again that were on tap on a day whose drips have changed, since drips are counted by day. */
export function updateEvidenceOfDay(store: Store, meter: string, localDay: number): void {
  const counted = store.taps.meters.byName(meter);
  if (counted === null) return;
  const span = daySpan(localDay, store.site.read().timeZone);
  for (const kegId of store.taps.meterEvidence.kegsDuring(counted.id, span)) updateKegEvidence(store, kegId);
}

/** Measures a meter's kegs again that ran empty after that piece of evidence. */
export function updateEvidenceAfter(store: Store, meterId: number, evidenceId: number): void {
  for (const { id, kegId } of store.taps.meterEvidence.newest(meterId, maxUpdated))
    if (id > evidenceId && kegId !== null) updateKegEvidence(store, kegId);
}

/** Makes a keg evidence again whose reactivation was undone. Call it in the transaction of the undo. */
export function restoreKegEvidence(store: Store, kegId: number, now: Moment): void {
  // A later end took its place, and was undone.
  if (store.taps.meterEvidence.byKeg(kegId) === null) addKegEvidence(store, kegId, now);
  else updateKegEvidence(store, kegId);
}

/** Removes what the end of a keg said that is not empty after all; what its weighings say stays. */
export function removeEndEvidence(store: Store, kegId: number): void {
  updateKegEvidence(store, kegId);
  removeUnfounded(store, kegId);
}

/** Removes the evidence of a keg that is neither finished nor weighed twice, unless it is fit. */
function removeUnfounded(store: Store, kegId: number): void {
  const evidence = store.taps.meterEvidence.byKeg(kegId);
  const isFounded =
    evidence?.isFit ||
    store.kegs.byId(kegId)?.state === 'finished' ||
    store.kegs.weighings.byKeg(kegId).length > 1;
  if (evidence === null || isFounded) return;
  store.provisionalTimes.clear('meter_evidence', evidence.id);
  store.taps.meterEvidence.removeByKeg(kegId);
}

type FoundEvidence = EvidenceMeasure & { readonly meterId: number };

/**
 * What an ended keg would say if nobody had deleted one of its drinks and no pour of its time were held: those ticks are in its uncertainty.
 * Null where more of it is not known. A few doubtful pours do not explain half of a keg.
 */
export function measureDespiteDoubts(store: Store, kegId: number): EvidenceMeasure | null {
  const found = measure(store, store.kegs.byId(kegId)!, true);
  return found?.isFit ? found : null;
}

function storeEvidence(
  store: Store,
  kegId: number,
  now: Moment,
  isAdded: (found: FoundEvidence) => boolean,
): void {
  const evidence = store.taps.meterEvidence.byKeg(kegId);
  const found = measure(store, store.kegs.byId(kegId)!);
  if (evidence !== null && (found === null || found.meterId === evidence.meterId)) {
    store.taps.meterEvidence.setMeasure(
      evidence.id,
      found ?? { ...evidence, isFit: false, incompleteReason: 'end_unknown' },
    );
    return;
  }
  if (found === null || !isAdded(found)) return;
  if (evidence !== null) store.taps.meterEvidence.removeByKeg(kegId);
  const id = store.taps.meterEvidence.add({ ...found, kegId, calibrationId: null });
  store.provisionalTimes.note('meter_evidence', id, now);
}

/** A time at which the content of a keg was known. */
interface KnownContent {
  readonly timeMs: number;
  /** Null: full as stated at the start, empty at the end. */
  readonly weighing: KegWeighing | null;
}

/** The best evidence that the keg gives; null where no meter counted anything of it, or its content was known once only. */
function measure(store: Store, keg: Keg, allowsDoubts = false): FoundEvidence | null {
  const main = store.taps.kegMeasures.mainTap(keg.id);
  const meter = main === null ? null : store.taps.meters.byName(main.meter);
  if (main === null || meter === null) return null;
  const weighings = store.kegs.weighings
    .byKeg(keg.id)
    .flatMap((one) => toKegWeighing(store, keg, one) ?? [])
    .map(({ timeMs, weighing }) => ({ timeMs, weighing }));
  const starts: readonly KnownContent[] = [
    { timeMs: Number.NEGATIVE_INFINITY, weighing: null },
    ...weighings.slice(0, 1),
  ];
  const ends: readonly KnownContent[] = [
    ...(keg.finishedTimeMs === null ? [] : [{ timeMs: Number.POSITIVE_INFINITY, weighing: null }]),
    ...weighings.slice(-1),
  ];
  const found = starts.flatMap((start) =>
    ends.flatMap((end) =>
      start.timeMs < end.timeMs
        ? (measureBetween(store, keg, meter, { start, end, allowsDoubts }) ?? [])
        : [],
    ),
  );
  return found.toSorted((a, b) => Number(b.isFit) - Number(a.isFit) || (a.isFit ? a.u - b.u : 0))[0] ?? null;
}

function measureBetween(
  store: Store,
  keg: Keg,
  meter: MeterConfig,
  {
    start,
    end,
    allowsDoubts,
  }: { readonly start: KnownContent; readonly end: KnownContent; readonly allowsDoubts: boolean },
): FoundEvidence | null {
  const { tapId } = store.taps.kegMeasures.mainTap(keg.id)!;
  // All drinks of the keg, also those whose time was wrong.
  const drinks = { meter: meter.name, sinceMs: toSqlTime(start.timeMs), untilMs: toSqlTime(end.timeMs) };
  const span = {
    sinceMs: Math.max(keg.startedTimeMs, drinks.sinceMs),
    untilMs: Math.min(keg.finishedTimeMs ?? drinks.untilMs, drinks.untilMs),
  };
  const onMeter = { meter: meter.name, ...span };
  const counted = store.taps.kegMeasures.counted(keg.id, tapId, drinks);
  const { timeZone } = store.site.read();
  const days = { firstDay: localDay(span.sinceMs, timeZone), lastDay: localDay(span.untilMs, timeZone) };
  const gasMs = store.taps.kegMeasures.drinkTimes(keg.id).gas;
  const cancelledTicks = store.taps.kegMeasures.cancelledTicks(onMeter);
  const held = store.taps.kegMeasures.held(onMeter);
  const measured = measureKeg({
    use: toKegUse(
      { fullVolumeMl: keg.fullVolumeMl, density: findKegDensity(store, keg) },
      start.weighing,
      end.weighing,
    ),
    isEndKnown: end.weighing !== null || (keg.ranDry ?? gasMs !== null),
    line: readLine(store, keg, tapId, start, end),
    fullVolumeMl: keg.fullVolumeMl,
    sizeMl: findKegSize(store, keg)?.volumeMl ?? 0,
    ticks: counted.ticks + toUsualRate(store, keg.id, meter, drinks),
    foamTicks: counted.foamTicks,
    spilledTicks: counted.spilledTicks,
    dripTicks: store.taps.kegMeasures.dripTicks(tapId, days),
    spilledMl: counted.spilledMl,
    uncountedSpillMl: counted.uncountedSpillMl,
    cancelledTicks: allowsDoubts ? 0 : cancelledTicks,
  });
  if (measured === null) return null;
  const incompleteReason =
    measured.incompleteReason ??
    firstReason({
      given: counted.given > 0,
      doubtful: counted.doubtful > 0,
      held: !allowsDoubts && held.count > 0,
      series: keg.inSeries,
      // Else another meter took its place.
      meter_changed: meter.tapId !== tapId || store.taps.kegMeasures.factorChanges(meter.id, span) > 0,
    });
  const isStated = start.weighing === null;
  const { producer } = store.kegs.beverages.byId(keg.beverageId)!;
  const doubtfulTicks = allowsDoubts ? cancelledTicks + held.ticks : 0;
  return {
    ...measured,
    u: Math.min(1, Math.hypot(measured.u, doubtfulTicks / measured.ticks)),
    isFit: incompleteReason === null,
    incompleteReason,
    meterId: meter.id,
    kind: isStated && end.weighing === null ? 'emptied_keg' : 'weighed_keg',
    fillGroup: isStated ? `${keg.sizeId}/${producer.id}` : null,
    timeMs: end.weighing === null ? keg.finishedTimeMs! : end.timeMs,
  };
}

/** Beer in the line to the meter, by how this keg and the one before it ended. */
function readLine(store: Store, keg: Keg, tapId: number, start: KnownContent, end: KnownContent) {
  const tap = store.taps.byId(tapId);
  const { first, gas } = store.taps.kegMeasures.drinkTimes(keg.id);
  const before = store.taps.kegMeasures.kegBefore(tapId, keg.id, first ?? 0);
  const hasFob = tap?.hasFob ?? false;
  const toFill = (gasMs: number | null, ranDry: boolean | null): LineFill => {
    if (hasFob) return 'beer';
    if (gasMs !== null && ranDry !== false) return 'gas';
    // It stopped for another reason than gas, or was full of the beer of a keg that was changed early.
    return ranDry === true ? 'unknown' : 'beer';
  };
  const toFillAfter = (id: number): LineFill =>
    toFill(store.taps.kegMeasures.drinkTimes(id).gas, store.kegs.byId(id)?.ranDry ?? null);
  const isFromFirst = first === null || start.timeMs < first;
  const isToLast = end.weighing === null || (gas !== null && end.timeMs >= gas);
  const atStart = !isFromFirst ? 'beer' : before === null ? 'unknown' : toFillAfter(before);
  return lineDifference(
    tap ?? { lineVolumeMl: null, lineToMeterMl: null },
    // A keg on tap has its beer in the line.
    { atStart: hasFob ? 'beer' : atStart, atEnd: isToLast ? toFill(gas, keg.ranDry) : 'beer' },
  );
}

/** SQLite stores no infinite integers. */
const toSqlTime = (ms: number): number =>
  Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, ms));

/**
 * Ticks of beer more, or less, than the meter would have counted at its usual rate, by its curve: the factor is that of the usual
 * rate. 0 without a curve.
 */
function toUsualRate(
  store: Store,
  kegId: number,
  meter: MeterConfig,
  { sinceMs, untilMs }: CountedTimes,
): number {
  if (meter.curve === null) return 0;
  return store.drinks
    .computedVolumes(kegId, meter.name)
    .filter(({ pourTimeMs }) => pourTimeMs > sinceMs && pourTimeMs <= untilMs)
    .map((drink) => meter.ticksPerMl * pourVolume(meter, drink) - beerTicksOf(drink))
    .reduce((sum, difference) => sum + difference, 0);
}
