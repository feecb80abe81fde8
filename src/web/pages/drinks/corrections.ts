import { type Answer, request } from '../../api/client.ts';
import type { DisplayText } from '../../app/error-text.ts';
import { showToast } from '../../components/toast.tsx';
import { invalidate } from '../../components/use-resource.ts';
import { t } from '../../locales/locale.ts';
import type { SentClaim } from './sent-claim.tsx';

/** Corrections of one drink. Each resolves to null when done, else to the error text. */
interface Corrections {
  cancel(spilled: boolean): Promise<DisplayText | null>;
  /** null removes the user. */
  reassign(username: string | null): Promise<DisplayText | null>;
  setVolume(ml: number): Promise<DisplayText | null>;
  moveTo(kegId: number | null): Promise<DisplayText | null>;
  split(ml: number): Promise<DisplayText | null>;
  joinWith(otherId: number): Promise<DisplayText | null>;
}

/** Creates the corrections of drink `id`. Each shows a toast with undo when done. */
export function createCorrections(id: number): Corrections {
  const path = { id };
  async function run(pending: Promise<Answer<unknown>>, sentence: string) {
    const settled = await pending;
    if (!settled.ok) return settled.sentence;
    invalidate();
    showToast(sentence, () => void undo(request('POST /drinks/{id}/undo', { path })));
    return null;
  }
  return {
    cancel: (spilled) =>
      run(
        request('DELETE /drinks/{id}', { path, query: { spilled } }),
        spilled ? t('drinks.spilledDone') : t('drinks.cancelled'),
      ),
    reassign: (username) =>
      run(
        request('POST /drinks/{id}/reassign', { path, body: { username } }),
        username === null ? t('drinks.unassigned') : t('drinks.reassigned', { username: username }),
      ),
    setVolume: (ml) =>
      run(request('PATCH /drinks/{id}', { path, body: { volume_ml: ml } }), t('drinks.volumeSet')),
    moveTo: (kegId) =>
      run(request('POST /drinks/{id}/move', { path, body: { keg_id: kegId } }), t('drinks.moved')),
    split: (ml) =>
      run(request('POST /drinks/{id}/split', { path, body: { volume_ml: ml } }), t('drinks.splitDone')),
    joinWith: (otherId) =>
      run(request('POST /drinks/{id}/join', { path, body: { drink_id: otherId } }), t('drinks.merged')),
  };
}

/**
 * Assigns the drinks without a user of a claim, at most 1 000 at once, and binds a token to the user. Resolves to null when
 * done, else to the error text; shows a toast with undo.
 */
export async function assignAll(claim: SentClaim, username: string): Promise<DisplayText | null> {
  const bind_token = 'auth_token' in claim;
  const answer = await request('POST /drinks/assign', { body: { ...claim, username, bind_token } });
  if (!answer.ok) return answer.sentence;
  invalidate();
  const { assigned, remaining, correction_id: id } = answer.result;
  const sentence =
    remaining === 0
      ? t('drinks.assigned', { count: assigned, username })
      : t('drinks.assignedSome', { count: assigned, username, remaining });
  if (id === null) showToast(sentence);
  else showToast(sentence, () => void undo(request('POST /corrections/{id}/undo', { path: { id } })));
  return null;
}

/** Shows the outcome of an undo request. */
export async function undo(pending: Promise<Answer<unknown>>) {
  const answer = await pending;
  if (answer.ok) invalidate();
  showToast(answer.ok ? t('drinks.undone') : answer.sentence);
}
