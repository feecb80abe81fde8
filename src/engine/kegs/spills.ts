import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { Keg, Spill } from '../../core/records.ts';
import type { CorrectionRow } from '../../store/drinks/corrections-table.ts';
import type { Store } from '../../store/store.ts';
import { updateKegEvidence } from './keg-evidence.ts';

/** Records a spill at `now`. */
export function addSpill(
  store: Store,
  spill: Omit<Spill, 'id' | 'timeMs'> & { ticks: number; meter: string | null; pourId: string | null },
  now: Moment,
): Spill {
  if (now.synced) store.site.raiseNewestSynced(now.wallMs);
  const stored = store.spills.add({ ...spill, timeMs: Math.round(now.wallMs) });
  store.provisionalTimes.note('spill', stored.id, now);
  return stored;
}

/** Makes a recorded spill undoable by its entry in the audit log. */
export function addSpillCorrection(store: Store, entryId: number, { id, kegId }: Spill): void {
  const after = JSON.stringify({ spillId: id, kegId });
  store.corrections.add({ id: entryId, kind: 'spill', before: '{}', after });
}

/** Removes a recorded spill; call it in a transaction. Returns its keg afterwards, null without one. */
export function undoSpill(store: Store, { after }: CorrectionRow): Keg | null {
  const { spillId, kegId } = JSON.parse(after) as { readonly spillId: number; readonly kegId: number | null };
  if (!store.spills.remove(spillId)) {
    throw new AppError('conflict', 'This cannot be undone: the spill is gone.', {
      reason: { name: 'spill_gone' },
    });
  }
  store.provisionalTimes.clear('spill', spillId);
  if (kegId === null) return null;
  store.kegs.recomputeSpilled(kegId);
  updateKegEvidence(store, kegId);
  return store.kegs.byId(kegId);
}
