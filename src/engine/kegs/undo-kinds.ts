import type { CorrectionRow } from '../../store/drinks/corrections-table.ts';
import type { Store } from '../../store/store.ts';
import type { AuditEntry } from '../shared/audit.ts';
import { restoring, type UndoKind } from '../shared/corrections/undo-kinds.ts';
import { undoKegChange } from './keg-corrections.ts';
import { undoMerge } from './merges.ts';
import { undoRecordChange } from './record-corrections.ts';
import { undoSpill } from './spills.ts';

export const kegsUndoKinds: readonly UndoKind[] = [
  // A keg gets its state and tap back.
  { name: 'keg', isByPin: true, news: 'all', undo: restoring({ restore: undoKegChange, read: readKeg }) },
  // A spill is cancelled.
  { name: 'spill', isByPin: true, news: 'all', undo: restoring({ restore: undoSpill, read: readKeg }) },
  // Records of kegs, beverages, producers, prices and what belongs to them get their rows back.
  { name: 'record', isByPin: false, undo: restoring({ restore: undoRecordChange, read: readRecord }) },
  {
    name: 'merge',
    isByPin: false,
    news: 'all',
    undo: (parts, { id }, context) => undoMerge(parts, id, context),
  },
];

/** The keg of a change of its state, or of a spill. */
function readKeg(store: Store, { after }: CorrectionRow) {
  const { kegId } = JSON.parse(after) as { readonly kegId: number | null };
  return kegId === null ? null : store.kegs.byId(kegId);
}

/** The record that a change was about. */
function readRecord(store: Store, _correction: CorrectionRow, { kind, id }: AuditEntry['subject']) {
  if (kind === 'keg') return store.kegs.byId(Number(id));
  if (kind === 'beverage') return store.kegs.beverages.byId(Number(id));
  return kind === 'producer' ? store.kegs.producers.byId(Number(id)) : null;
}
