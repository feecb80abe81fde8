import { request } from '../api/client.ts';
import type { Answer } from '../api/request-with-pin.ts';
import type { DisplayText } from '../error-text.ts';
import { showToast } from '../toast.tsx';
import { say } from '../words/say.ts';

/** What can be put right about one drink. */
export interface Corrections {
  cancel(spilled: boolean): Promise<DisplayText | null>;
  /** null: nobody's. */
  give(username: string | null): Promise<DisplayText | null>;
  setVolume(ml: number): Promise<DisplayText | null>;
  moveTo(kegId: number | null): Promise<DisplayText | null>;
  split(ml: number): Promise<DisplayText | null>;
  joinWith(otherId: number): Promise<DisplayText | null>;
}

/** Corrections of drink `id`; each gives null when it was made, else a sentence. What was made can be undone. */
export function correctionsOf(id: number): Corrections {
  const path = { id };
  async function made(answer: Promise<Answer<unknown>>, sentence: string) {
    const said = await answer;
    if (!said.ok) return said.sentence;
    showToast(sentence, () => void undo(request('POST /drinks/{id}/undo', { path })));
    return null;
  }
  return {
    cancel: (spilled) =>
      made(
        request('DELETE /drinks/{id}', { path, query: { spilled } }),
        spilled ? say.spilledDone : say.cancelled,
      ),
    give: (username) =>
      made(request('POST /drinks/{id}/reassign', { path, body: { username } }), say.given(username)),
    setVolume: (ml) => made(request('PATCH /drinks/{id}', { path, body: { volume_ml: ml } }), say.volumeSet),
    moveTo: (kegId) => made(request('POST /drinks/{id}/move', { path, body: { keg_id: kegId } }), say.moved),
    split: (ml) => made(request('POST /drinks/{id}/split', { path, body: { volume_ml: ml } }), say.splitDone),
    joinWith: (otherId) =>
      made(request('POST /drinks/{id}/join', { path, body: { drink_id: otherId } }), say.joined),
  };
}

/** Says what came of taking something back. */
export async function undo(asked: Promise<Answer<unknown>>) {
  const answer = await asked;
  showToast(answer.ok ? say.undone : answer.sentence);
}
