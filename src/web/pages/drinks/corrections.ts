import { type Answer, request } from '../../api/client.ts';
import type { Action } from '../../components/action.tsx';
import { showToast } from '../../components/toast.tsx';
import { undo, undoCorrection } from '../../components/undo.ts';
import { t } from '../../locales/locale.ts';
import type { SentClaim } from './sent-claim.tsx';

type RunAction = Action['runAction'];
type Outcome = ReturnType<RunAction>;

/** Corrections of one drink. */
interface Corrections {
  cancel(spilled: boolean): Outcome;
  /** null removes the user. */
  reassign(username: string | null): Outcome;
  setVolume(ml: number): Outcome;
  /** Also what was taken for gas or foam. */
  countAsBeer(): Outcome;
  moveTo(kegId: number | null): Outcome;
  split(ml: number): Outcome;
  joinWith(otherId: number): Outcome;
}

/** Creates the corrections of drink `id`. Each shows a toast with undo when done. */
export function createCorrections(id: number, runAction: RunAction): Corrections {
  const path = { id };
  const run = (send: () => Promise<Answer<unknown>>, sentence: string) =>
    runAction(send, () =>
      showToast(sentence, () => void undo(() => request('POST /drinks/{id}/undo', { path }))),
    );
  return {
    cancel: (spilled) =>
      run(
        () => request('DELETE /drinks/{id}', { path, query: { spilled } }),
        spilled ? t('drinks.spilledDone') : t('drinks.cancelled'),
      ),
    reassign: (username) =>
      run(
        () => request('POST /drinks/{id}/reassign', { path, body: { username } }),
        username === null ? t('drinks.unassigned') : t('drinks.reassigned', { username: username }),
      ),
    setVolume: (ml) =>
      run(() => request('PATCH /drinks/{id}', { path, body: { volume_ml: ml } }), t('drinks.volumeSet')),
    countAsBeer: () =>
      run(() => request('POST /drinks/{id}/count-as-beer', { path }), t('drinks.allBeerDone')),
    moveTo: (kegId) =>
      run(() => request('POST /drinks/{id}/move', { path, body: { keg_id: kegId } }), t('drinks.moved')),
    split: (ml) =>
      run(() => request('POST /drinks/{id}/split', { path, body: { volume_ml: ml } }), t('drinks.splitDone')),
    joinWith: (otherId) =>
      run(() => request('POST /drinks/{id}/join', { path, body: { drink_id: otherId } }), t('drinks.merged')),
  };
}

/**
 * Assigns the drinks without a user of a claim, at most 1 000 at once, and binds a token to the user; shows a toast with
 * undo.
 */
export function assignAll(claim: SentClaim, username: string, runAction: RunAction): Outcome {
  const bind_token = 'auth_token' in claim;
  const send = () => request('POST /drinks/assign', { body: { ...claim, username, bind_token } });
  return runAction(send, ({ assigned, remaining, correction_id: id }) =>
    showToast(
      remaining === 0
        ? t('drinks.assigned', { count: assigned, username })
        : t('drinks.assignedSome', { count: assigned, username, remaining }),
      id === null ? null : () => void undoCorrection(id),
    ),
  );
}
