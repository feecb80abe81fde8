import { type Answer, request } from '../api/client.ts';
import { t } from '../locales/locale.ts';
import { showToast } from './toast.tsx';
import { invalidate } from './use-resource.ts';

/** Sends an undo request and shows its outcome; true when it is undone. */
export async function undo(send: () => Promise<Answer<unknown>>): Promise<boolean> {
  const answer = await send();
  if (answer.ok) invalidate();
  showToast(answer.ok ? t('drinks.undone') : answer.sentence);
  return answer.ok;
}

/** The reply to a change; the id by which it is undone is null when nothing was changed. */
export interface Undoable {
  readonly correction_id: number | null;
}

/** Shows what was done, with an undo of all given changes, the latest first, unless nothing was changed. */
export function showUndoable(text: string, changes: Undoable | readonly Undoable[], onUndone?: () => void) {
  const ids = [changes].flat().flatMap(({ correction_id: id }) => (id === null ? [] : [id]));
  const undoThem = () => undo(() => undoAll(ids.toReversed())).then((isUndone) => isUndone && onUndone?.());
  showToast(text, ids.length === 0 ? null : () => void undoThem());
}

async function undoAll([id, ...others]: readonly number[]): Promise<Answer<unknown>> {
  const answer = await request('POST /corrections/{id}/undo', { path: { id: id! } });
  return answer.ok && others.length > 0 ? undoAll(others) : answer;
}

/** Undoes a change by the id of its entry in the audit log; true when it is undone. */
export const undoCorrection = (id: number): Promise<boolean> =>
  undo(() => request('POST /corrections/{id}/undo', { path: { id } }));
