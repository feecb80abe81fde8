import { AppError } from '../../core/app-error.ts';
import { daySpan } from '../../core/clock/local-days.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { Keg, Spill, Tap } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import type { TapLoss } from '../../store/taps/tap-losses-table.ts';
import { updateEvidenceOfDay, updateKegEvidence } from '../kegs/keg-evidence.ts';
import { findKegAt, wallInstant } from '../kegs/placement/keg-spans.ts';
import { followCount } from '../kegs/placement/series.ts';
import { addSpill, addSpillCorrection } from '../kegs/spills.ts';
import type { ActorContext } from '../shared/actor-context.ts';
import { writeAudit } from '../shared/audit.ts';
import { maxVolumeMl, validateDate } from '../shared/bounds.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { findLossMeter } from '../taps/meter-facts.ts';
import { lossDay } from './tap-losses.ts';

const dayMs = 86_400_000;

/** What a tap's meter counted as no drink and staff know to be beer. */
export type LossKind = 'drips' | 'back_flow';

/** A spill, and its keg afterwards; null where the tap had none. */
export interface RecordedLoss {
  readonly spill: Spill;
  readonly keg: Keg | null;
  readonly correctionId: number;
}

/** Losses of taps that staff count as spilled beer. */
export function createSpilledLosses(parts: EngineParts) {
  const { store } = parts;
  return {
    /**
     * Makes the drips or the back-flow of a day one spill of the tap; its undo puts them back. The date is `YYYY-MM-DD`. Throws
     * `conflict` when that day has none, or no more.
     */
    spill(
      tap: Pick<Tap, 'id' | 'kegId' | 'meter'>,
      date: string,
      kind: LossKind,
      { actor, now }: ActorContext,
    ): RecordedLoss {
      const localDay = Date.parse(validateDate('date', date)) / dayMs;
      return change(parts, () => {
        const tapId = tap.id;
        const meter = findLossMeter(store, tap, localDay);
        const loss = findLoss(store, tapId, localDay, kind);
        if (meter === null || loss === null) throw nothingLeftError(date);
        const ticks = loss.dripTicks + loss.backFlowTicks;
        const volumeMl = Math.min(ticks / meter.ticksPerMl, maxVolumeMl);
        const { kegId, timeMs } = findSource(store, tap, localDay, now);
        store.taps.losses.subtract(tapId, loss);
        if (kegId !== null) store.kegs.addSpilled(kegId, volumeMl);
        const added = { tapId, kegId, ticks, volumeMl, meter: meter.name, pourId: null };
        const spill = addSpill(store, added, now, timeMs);
        updateEvidenceOfDay(store, meter.name, localDay);
        if (kegId !== null) {
          updateKegEvidence(store, kegId);
          followCount(store, kegId, now);
        }
        const entry = {
          actor,
          action: 'spill.recorded',
          subject: { kind: 'spill', id: spill.id },
          after: { id: spill.id, tap_id: tapId, keg_id: kegId, volume_ml: volumeMl, ticks, date },
        };
        const correctionId = writeAudit(store, entry, now);
        addSpillCorrection(parts, correctionId, spill, { ...loss, tapId, meter: meter.name });
        return { spill, keg: kegId === null ? null : store.kegs.byId(kegId), correctionId };
      });
    },
  };
}

/** The drips or the back-flow of the day; null without ticks. */
function findLoss(store: Store, tapId: number, localDay: number, kind: LossKind): TapLoss | null {
  const day = store.taps.losses.byDay(tapId, localDay);
  if (day === null) return null;
  const { drips, dripTicks, backFlowTicks } = day;
  if (kind === 'drips') return dripTicks === 0 ? null : { localDay, drips, dripTicks, backFlowTicks: 0 };
  return backFlowTicks === 0 ? null : { localDay, drips: 0, dripTicks: 0, backFlowTicks };
}

/** The keg that the beer came from, and the time of its spill; without a time it is now. */
function findSource(
  store: Store,
  { id, kegId }: Pick<Tap, 'id' | 'kegId'>,
  localDay: number,
  now: Moment,
): { readonly kegId: number | null; readonly timeMs?: number } {
  const { sinceMs, untilMs } = daySpan(localDay, store.site.read().timeZone);
  const isOver = localDay < lossDay(store, now);
  const atEnd = isOver ? findKegAt(store, id, wallInstant(untilMs)) : kegId;
  if (atEnd === null) {
    // Of the keg that ended on that day, while it was still on the tap.
    const last = store.taps.kegSpans
      .ofTap(id)
      .find(({ ended }) => ended !== null && ended.wallMs >= sinceMs && ended.wallMs <= untilMs);
    if (last !== undefined) return { kegId: last.kegId, timeMs: last.ended!.wallMs };
  }
  return isOver ? { kegId: atEnd, timeMs: Math.max(0, untilMs) } : { kegId: atEnd };
}

const nothingLeftError = (date: string): AppError =>
  new AppError('conflict', `Nothing of ${date} is left to count as spilled.`, {
    reason: { name: 'no_loss_left' },
  });
