import { request } from '../api/client.ts';
import type { Answer } from '../api/request-with-pin.ts';
import type { DisplayText } from '../error-text.ts';
import { showToast } from '../toast.tsx';
import { say } from '../words/say.ts';

/** What can be put right about one drink. */
export interface Corrections {
  cancel(spilled: boolean): Promise<DisplayText | null>;
  /** null: nobody's. */
  reassign(username: string | null): Promise<DisplayText | null>;
  setVolume(ml: number): Promise<DisplayText | null>;
  moveTo(kegId: number | null): Promise<DisplayText | null>;
  split(ml: number): Promise<DisplayText | null>;
  joinWith(otherId: number): Promise<DisplayText | null>;
}

/** Corrections of drink `id`; each gives null when it was made, else a sentence. What was made can be undone. */
export function createCorrections(id: number): Corrections {
  const path = { id };
  async function run(pending: Promise<Answer<unknown>>, sentence: string) {
    const settled = await pending;
    if (!settled.ok) return settled.sentence;
    showToast(sentence, () => void undo(request('POST /drinks/{id}/undo', { path })));
    return null;
  }
  return {
    cancel: (spilled) =>
      run(
        request('DELETE /drinks/{id}', { path, query: { spilled } }),
        spilled ? say.spilledDone : say.cancelled,
      ),
    reassign: (username) =>
      run(request('POST /drinks/{id}/reassign', { path, body: { username } }), say.reassigned(username)),
    setVolume: (ml) => run(request('PATCH /drinks/{id}', { path, body: { volume_ml: ml } }), say.volumeSet),
    moveTo: (kegId) => run(request('POST /drinks/{id}/move', { path, body: { keg_id: kegId } }), say.moved),
    split: (ml) => run(request('POST /drinks/{id}/split', { path, body: { volume_ml: ml } }), say.splitDone),
    joinWith: (otherId) =>
      run(request('POST /drinks/{id}/join', { path, body: { drink_id: otherId } }), say.merged),
  };
}

/** Says what came of taking something back. */
export async function undo(pending: Promise<Answer<unknown>>) {
  const answer = await pending;
  showToast(answer.ok ? say.undone : answer.sentence);
}
