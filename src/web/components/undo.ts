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

/** Shows what was done, with an undo unless nothing was changed. */
export function showUndoable(
  text: string,
  { correction_id: id }: { readonly correction_id: number | null },
  onUndone?: () => void,
) {
  showToast(
    text,
    id === null ? null : () => void undoCorrection(id).then((isUndone) => isUndone && onUndone?.()),
  );
}

/** Undoes a change by the id of its entry in the audit log; true when it is undone. */
export const undoCorrection = (id: number): Promise<boolean> =>
  undo(() => request('POST /corrections/{id}/undo', { path: { id } }));
