import { useSignal } from '@preact/signals';
import { type Answer, ask, type Method } from '../../ask.ts';
import type { Saying } from '../../saying.ts';
import { tell } from '../../toast.tsx';

/** One thing that can be done, and the word about it afterwards. */
export interface Deed {
  readonly method: Method;
  readonly path: string;
  readonly body?: object;
  readonly done: string;
  /** How long the daemon may take when it asks others first, milliseconds. */
  readonly patienceMs?: number;
}

/** Does things one at a time; `refusal` says why the last one was not done. */
export function useDeeds() {
  const busy = useSignal(false);
  const refusal = useSignal<Saying | null>(null);
  async function act({ method, path, body, done, patienceMs }: Deed): Promise<Answer<unknown> | null> {
    if (busy.value) return null;
    busy.value = true;
    const answer = await ask(method, path, body, patienceMs);
    busy.value = false;
    refusal.value = answer.ok ? null : answer.sentence;
    if (answer.ok) tell(done);
    return answer;
  }
  return { act, refusal: refusal.value };
}

/** Where a refusal is said, and heard. */
export function Refusal({ children }: { readonly children: Saying | null }) {
  return (
    <p class="refusal" role="alert">
      {children}
    </p>
  );
}
