import type { Moment } from '../../core/clock/moment.ts';
import type { KeptCounter } from '../../core/pours/counter-position.ts';
import type { EndedPour } from '../../core/pours/pour.ts';
import type { Drink } from '../../core/records.ts';
import { recordPouredToken } from '../access/presentment.ts';
import { followLowMark } from '../kegs/placement/low-mark.ts';
import { followCount, mayEndByCount } from '../kegs/placement/series.ts';
import { type Actor, writeAudit } from '../shared/audit.ts';
import { validatePourId } from '../shared/bounds.ts';
import { addCorrection } from '../shared/corrections/add-correction.ts';
import type { EngineParts } from '../shared/parts.ts';
import type { PreparedPicture } from '../shared/pictures.ts';
import type { DrinkView } from '../shared/views.ts';
import { findMeterFacts, type MeterFacts } from '../taps/meter-facts.ts';
import { resolveTap } from '../taps/taps.ts';
import { insertDrink } from './apply-drink.ts';
import { toAuditDrinks } from './corrections/correct.ts';
import { toDrinkView } from './corrections/corrected-drink.ts';
import { toCountedDrink } from './recording/counted-drink.ts';
import { toPourCounter } from './recording/pour-time.ts';
import type { PreparedDrink } from './recording/prepared-drink.ts';
import { identifyReport, rememberReport } from './reported/identify-report.ts';
import { type RecordedSpill, type ReportedSpill, recordSpill } from './reported/record-spill.ts';
import { findRecordedPour, findReportedDrink } from './reported/recorded-pours.ts';
import { toReportedDrink } from './reported/reported-drink.ts';
import { type ReportedPour, validateReport } from './reported/reported-pour.ts';
import { suspectEmptyKeg } from './suspected-kegs.ts';
import { type CountedDrips, countDrips } from './tap-losses.ts';

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
  const { store, bus, hooks } = parts;

  /**
   * Records the pour that `prepare` returns, unless it was recorded earlier, and publishes the event after the commit.
   */
  const recordOnce = (
    { picture, actor, counter, remember, isPresented = false }: RecordInput,
    now: Moment,
    prepare: () => PreparedDrink | RecordedPour,
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
      const { setAside } = prepared;
      const { tapId } = created.drink;
      const kegOnTap = () => (tapId === null ? null : store.taps.byId(tapId)?.kegId);
      const kegBefore = setAside === null ? null : kegOnTap();
      // It may change a keg, which no other recording of a held pour does.
      if (setAside !== null) store.transaction(() => setAside.recorded(created.drink.id, now));
      const { keg } = created;
      // Gas shows that the kegs behind it are empty, too: staff are asked about all of them.
      const mayEnd = keg !== null && created.drink.gasTicks === 0 && mayEndByCount(store, keg);
      if (mayEnd) store.transaction(() => followCount(store, keg.id, now));
      const isKegEnded = mayEnd || (setAside !== null && kegOnTap() !== kegBefore);
      if (keg !== null && now.wallMs - created.drink.pourTimeMs > lateMs) followLowMark(store, keg.id);
      if (created.drink.isValid) {
        const { pourTimeMs: atMs, timeCertain, bootId: clockBoot, endMonoMs: monoMs } = prepared;
        hooks.drinkRecorded(created.drink, { atMs, timeCertain, clockBoot, monoMs });
      }
      const { authToken, username, meter } = created.drink;
      if (authToken !== null && username === null) {
        const device = meter?.slice(0, meter.lastIndexOf('.')) ?? '';
        recordPouredToken(store, { authToken, device, isPresented }, now);
      }
      if (counter) store.controllers.boardCounters.advance(counter, now.bootId);
      if (picture) store.pictures.addToDrink(picture.name, created.drink.id);
      if (actor) {
        const { id } = created.drink;
        const subject = { kind: 'drink', id };
        const after = toAuditDrinks(store, [id]);
        const entryId = writeAudit(store, { actor, action: 'drink.recorded', subject, after }, now);
        addCorrection(parts, { id: entryId, kind: 'recording', before: '{}', after: '{}' });
      }
      return { view: created, isNew: true, isKegEnded };
    });
    if (!isNew) return view;
    store.taps.rates.add(view.drink);
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
      return toCountedDrink(parts, pour, source, now);
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
    return recordOnce({ picture, actor, isPresented, remember }, now, () =>
      toReportedDrink(parts, { pour, report, tapId, meter }, identity, now),
    );
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
    keptCounters: (): readonly KeptCounter[] => store.controllers.boardCounters.all(),

    /** What a pour on this meter is judged by; null for an unknown one. */
    meterFacts: (meter: string): MeterFacts | null =>
      store.taps.meters.byName(meter) && findMeterFacts(parts, store.taps.meters.byName(meter)),

    /** Adds drips to the meters' lifetime totals and to the taps' days. */
    countDrips: (drips: CountedDrips, now: Moment): void => countDrips(parts, drips, now),
  };
}
