import { type Answer, ask } from './ask.ts';
import { tell } from './toast.tsx';
import { say } from './words/say.ts';

/** What can be put right about one drink. */
export interface Corrections {
  cancel(spilled: boolean): Promise<string | null>;
  /** null: nobody's. */
  give(username: string | null): Promise<string | null>;
  setVolume(ml: number): Promise<string | null>;
  moveTo(kegId: number | null): Promise<string | null>;
  split(ml: number): Promise<string | null>;
  joinWith(otherId: number): Promise<string | null>;
}

/** Corrections of drink `id`; each gives null when it was made, else a sentence. What was made can be undone. */
export function correctionsOf(id: number): Corrections {
  const at = `/drinks/${id}`;
  async function made(answer: Promise<Answer<unknown>>, sentence: string) {
    const said = await answer;
    if (!said.ok) return said.sentence;
    tell(sentence, () => void undo(at));
    return null;
  }
  return {
    cancel: (spilled) =>
      made(
        ask('DELETE', `${at}${spilled ? '?spilled=true' : ''}`),
        spilled ? say.spilledDone : say.cancelled,
      ),
    give: (username) => made(ask('POST', `${at}/reassign`, { username }), say.given(username)),
    setVolume: (ml) => made(ask('PATCH', at, { volume_ml: ml }), say.volumeSet),
    moveTo: (kegId) => made(ask('POST', `${at}/move`, { keg_id: kegId }), say.moved),
    split: (ml) => made(ask('POST', `${at}/split`, { volume_ml: ml }), say.splitDone),
    joinWith: (otherId) => made(ask('POST', `${at}/join`, { drink_id: otherId }), say.joined),
  };
}

/** Takes back the latest correction of what is at `path`. */
export async function undo(path: string) {
  const answer = await ask('POST', `${path}/undo`);
  tell(answer.ok ? say.undone : answer.sentence);
}
