import type { CorrectionRow } from '../../../store/drinks/corrections-table.ts';
import type { CorrectionKind, EngineParts } from '../parts.ts';
import { queueNews } from '../queue-news.ts';

type Parts = Pick<EngineParts, 'store' | 'correctionKinds'>;

/**
 * Makes an entry of the audit log undoable, with the JSON text that its undoing needs. Call it in the transaction of the
 * change. Throws for a kind that no subject declares.
 */
export function addCorrection(
  { store, correctionKinds }: Parts,
  correction: Pick<CorrectionRow, 'id' | 'kind' | 'before' | 'after'>,
): void {
  const kind = requireKind(correctionKinds, correction.kind);
  store.drinks.corrections.add(correction);
  if (kind.news === 'all') tellOthers({ store, correctionKinds }, 'corrected', correction.id, correction.id);
}

/** Marks a correction as undone by a later entry of the audit log, once. Call it in the transaction that undoes it. */
export function setUndone(
  { store, correctionKinds }: Parts,
  correction: CorrectionRow,
  entryId: number,
): void {
  const { id, kind } = correction;
  store.drinks.corrections.setUndone(id, entryId);
  if (requireKind(correctionKinds, kind).news !== undefined)
    tellOthers({ store, correctionKinds }, 'correction_undone', id, entryId);
}

/** Tells other programs what was corrected, and when by the second entry. */
function tellOthers({ store }: Parts, topic: string, id: number, entryId: number): void {
  if (store.notifications.eventReceivers.ofNews().length === 0) return;
  const { action, subject } = store.reports.audit.byId(id)!;
  const payload = { correction_id: id, action, subject_kind: subject.kind, subject_id: subject.id };
  queueNews(store, topic, payload, store.reports.audit.byId(entryId)!.timeMs);
}

function requireKind(kinds: Parts['correctionKinds'], name: string): CorrectionKind {
  const kind = kinds.get(name);
  if (kind === undefined)
    throw new Error(`No subject declares how corrections of the kind “${name}” are undone.`);
  return kind;
}
