import { type Answer, request } from '../api/client.ts';
import { t } from '../locales/locale.ts';
import { showToast } from './toast.tsx';
import { invalidate } from './use-resource.ts';

/** Sends an undo request and shows its outcome. */
export async function undo(send: () => Promise<Answer<unknown>>) {
  const answer = await send();
  if (answer.ok) invalidate();
  showToast(answer.ok ? t('drinks.undone') : answer.sentence);
}

/** Undoes a change by the id of its entry in the audit log. */
export const undoCorrection = (id: number): Promise<void> =>
  undo(() => request('POST /corrections/{id}/undo', { path: { id } }));
