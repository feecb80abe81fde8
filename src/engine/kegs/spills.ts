import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { Keg, Spill } from '../../core/records.ts';
import type { CorrectionRow } from '../../store/drinks/corrections-table.ts';
import type { NewSpill as StoredSpill } from '../../store/drinks/spills-table.ts';
import type { Store } from '../../store/store.ts';
import type { TapLoss } from '../../store/taps/tap-losses-table.ts';
import { addCorrection } from '../shared/corrections/add-correction.ts';
import type { EngineParts } from '../shared/parts.ts';
import { queueSpill } from '../shared/queue-news.ts';
import { updateEvidenceOfDay, updateKegEvidence } from './keg-evidence.ts';
import { followCount } from './placement/series.ts';

/** Drips or back-flow that became a spill: what left the losses of the tap. */
export interface SpilledLoss extends TapLoss {
  readonly tapId: number;
  /** Full name of the meter that counted them. */
  readonly meter: string;
}

type NewSpill = Omit<StoredSpill, 'timeMs'>;

/** Records a spill at `now`, or at an earlier time that is known, Unix milliseconds. */
export function addSpill(store: Store, spill: NewSpill, now: Moment, timeMs?: number): Spill {
  if (now.synced) store.site.raiseNewestSynced(now.wallMs);
  const stored = store.drinks.spills.add({ ...spill, timeMs: timeMs ?? Math.round(now.wallMs) });
  if (timeMs === undefined) store.provisionalTimes.note('spill', stored.id, now);
  for (const { kegId, volumeMl } of spill.parts ?? [stored])
    queueSpill(store, { ...stored, kegId, volumeMl });
  return stored;
}

/** Makes a recorded spill undoable by its entry in the audit log; `loss` is put back then. */
export function addSpillCorrection(
  parts: EngineParts,
  entryId: number,
  { id, kegId }: Spill,
  loss?: SpilledLoss,
): void {
  const after = JSON.stringify({ spillId: id, kegId, loss });
  addCorrection(parts, { id: entryId, kind: 'spill', before: '{}', after });
}

/** Removes a recorded spill; call it in a transaction. Returns its keg afterwards, null without one. */
export function undoSpill(store: Store, { after }: CorrectionRow, now: Moment): Keg | null {
  const {
    spillId,
    kegId: assignedId,
    loss,
  } = JSON.parse(after) as {
    readonly spillId: number;
    readonly kegId: number | null;
    readonly loss?: SpilledLoss;
  };
  // It may have moved to another keg, with what was on the tap.
  const kegIds = store.drinks.spills.kegIds(spillId);
  if (!store.drinks.spills.remove(spillId)) {
    throw new AppError('conflict', 'This cannot be undone: the spill is gone.', {
      reason: { name: 'spill_gone' },
    });
  }
  store.provisionalTimes.clear('spill', spillId);
  if (loss !== undefined) restoreLoss(store, loss);
  for (const kegId of kegIds) {
    store.kegs.recomputeSpilled(kegId);
    updateKegEvidence(store, kegId);
    followCount(store, kegId, now);
  }
  const kegId = kegIds[0] ?? assignedId;
  return kegId === null ? null : store.kegs.byId(kegId);
}

function restoreLoss(store: Store, { tapId, meter, ...loss }: SpilledLoss): void {
  store.taps.losses.restore(tapId, loss);
  updateEvidenceOfDay(store, meter, loss.localDay);
}
