import { localDay } from '../../core/clock/local-days.ts';
import type { Moment } from '../../core/clock/moment.ts';
import { measureEmptiedKeg } from '../../core/measurement/emptied-keg.ts';
import { pourVolume } from '../../core/measurement/pour-volume.ts';
import type { Keg, MeterConfig } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';

/** Each reads all drinks of its keg. */
const maxUpdated = 100;

/**
 * Stores what a keg that just ended says about the factor of its tap's meter. It is fit only if it was full, on one tap and one
 * meter the whole time, and all its ticks are known. Call it in the transaction that ends the keg.
 */
export function addKegEvidence(store: Store, kegId: number, now: Moment): void {
  removeKegEvidence(store, kegId);
  const keg = store.kegs.byId(kegId)!;
  const found = measureKeg(store, keg);
  if (found === null) return;
  const { producer } = store.beverages.byId(keg.beverageId)!;
  const id = store.meterEvidence.add({
    ...found,
    kind: 'emptied_keg',
    fillGroup: `${keg.sizeId}/${producer.id}`,
    timeMs: keg.finishedTimeMs!,
    kegId,
    calibrationId: null,
  });
  store.provisionalTimes.note('meter_evidence', id, now);
}

/** Measures the evidence of a keg again after its drinks, spills or volume were corrected. */
export function updateKegEvidence(store: Store, kegId: number): void {
  const evidence = store.meterEvidence.byKeg(kegId);
  if (evidence === null) return;
  const found = measureKeg(store, store.kegs.byId(kegId)!);
  const isSameMeter = found?.meterId === evidence.meterId;
  const measure = found !== null && isSameMeter ? found : { ...evidence, isFit: false };
  store.meterEvidence.setMeasure(evidence.id, measure);
}

/** Measures the kegs again that were on the tap of a held pour, after it was kept or discarded, or is held again. */
export function updateEvidenceAt(
  store: Store,
  { meter, pourTimeMs }: { readonly meter: string | null; readonly pourTimeMs: number },
): void {
  const counted = meter === null ? null : store.meters.byName(meter);
  if (counted === null) return;
  for (const kegId of store.meterEvidence.kegsAt(counted.id, pourTimeMs)) updateKegEvidence(store, kegId);
}

/** Measures a meter's kegs again that ran empty after that piece of evidence. */
export function updateEvidenceAfter(store: Store, meterId: number, evidenceId: number): void {
  for (const { id, kegId } of store.meterEvidence.newest(meterId, maxUpdated))
    if (id > evidenceId && kegId !== null) updateKegEvidence(store, kegId);
}

/** Makes a keg evidence again whose reactivation was undone. Call it in the transaction of the undo. */
export function restoreKegEvidence(store: Store, kegId: number, now: Moment): void {
  // A later end took its place, and was undone.
  if (store.meterEvidence.byKeg(kegId) === null) addKegEvidence(store, kegId, now);
  else updateKegEvidence(store, kegId);
}

/** Removes the evidence of a keg that is not empty after all. */
export function removeKegEvidence(store: Store, kegId: number): void {
  const evidence = store.meterEvidence.byKeg(kegId);
  if (evidence === null) return;
  store.provisionalTimes.clear('meter_evidence', evidence.id);
  store.meterEvidence.removeByKeg(kegId);
}

/** Null where no meter counted anything of the keg. */
function measureKeg(store: Store, keg: Keg) {
  const counted = store.kegMeasures.ofKeg(keg.id);
  const meter = counted === null ? null : store.meters.byName(counted.meter);
  if (counted === null || meter === null || keg.finishedTimeMs === null) return null;
  const span = { sinceMs: keg.startedTimeMs, untilMs: keg.finishedTimeMs };
  const { timeZone } = store.site.read();
  const days = { firstDay: localDay(span.sinceMs, timeZone), lastDay: localDay(span.untilMs, timeZone) };
  const measured = measureEmptiedKeg({
    fullVolumeMl: keg.fullVolumeMl,
    sizeMl: store.kegs.sizes().find(({ id }) => id === keg.sizeId)?.volumeMl ?? 0,
    ticks: counted.ticks + toUsualRate(store, keg.id, meter),
    spilledTicks: counted.spilledTicks,
    dripTicks: store.kegMeasures.dripTicks(counted.tapId, days),
    spilledMl: counted.spilledMl,
    uncountedSpillMl: counted.uncountedSpillMl,
    cancelledTicks: store.kegMeasures.cancelledTicks({ meter: meter.name, ...span }),
    isKnownEmpty: keg.ranDry ?? counted.hasGas,
  });
  if (measured === null) return null;
  const isFit =
    measured.isFit &&
    counted.doubtful === 0 &&
    // Else another meter took its place.
    meter.tapId === counted.tapId &&
    store.kegMeasures.held({ meter: meter.name, ...span }) === 0 &&
    store.kegMeasures.factorChanges(meter.id, span) === 0;
  return { ...measured, isFit, meterId: meter.id };
}

/**
 * Ticks of beer more, or less, than the meter would have counted at its usual rate, by its curve: the factor is that of the usual
 * rate. 0 without a curve.
 */
function toUsualRate(store: Store, kegId: number, meter: MeterConfig): number {
  if (meter.curve === null) return 0;
  return store.drinks
    .computedVolumes(kegId, meter.name)
    .map((drink) => meter.ticksPerMl * pourVolume(meter, drink).volumeMl - (drink.ticks - drink.gasTicks))
    .reduce((sum, difference) => sum + difference, 0);
}
