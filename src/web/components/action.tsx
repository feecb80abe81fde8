import { useSignal } from '@preact/signals';
import { type Answer, type Method, requestWithPin } from '../api/request-with-pin.ts';
import type { DisplayText } from '../error-text.ts';
import { showToast } from '../toast.tsx';

/** One thing that can be done, and the word about it afterwards. */
export interface Action {
  readonly method: Method;
  readonly path: string;
  readonly body?: object;
  readonly successMessage: string;
  /** How long the daemon may take when it asks others first, milliseconds. */
  readonly timeoutMs?: number;
}

/** Does things one at a time; `refusal` says why the last one was not done. */
export function useAction() {
  const isBusy = useSignal(false);
  const error = useSignal<DisplayText | null>(null);
  async function runAction({
    method,
    path,
    body,
    successMessage,
    timeoutMs,
  }: Action): Promise<Answer<unknown> | null> {
    if (isBusy.value) return null;
    isBusy.value = true;
    const answer = await requestWithPin(method, path, body, timeoutMs);
    isBusy.value = false;
    error.value = answer.ok ? null : answer.sentence;
    if (answer.ok) showToast(successMessage);
    return answer;
  }
  return { runAction: runAction, error: error.value };
}

/** Where a refusal is said, and heard. */
export function ErrorMessage({ children }: { readonly children: DisplayText | null }) {
  return (
    <p class="refusal" role="alert">
      {children}
    </p>
  );
}
