import { useSignal } from '@preact/signals';
import { type Answer, type Method, requestWithPin } from '../api/request-with-pin.ts';
import type { DisplayText } from '../app/error-text.ts';
import { showToast } from './toast.tsx';

/** A request that changes something, and the message shown when it succeeded. */
export interface Action {
  readonly method: Method;
  readonly path: string;
  readonly body?: object;
  readonly successMessage: string;
  /** Time-out in milliseconds, for requests during which the daemon contacts another server. */
  readonly timeoutMs?: number;
}

/** Runs one action at a time; `error` is the reason why the last one failed. */
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
  return { runAction, error: error.value };
}

/** Shows an error and announces it to screen readers. */
export function ErrorMessage({ children }: { readonly children: DisplayText | null }) {
  return (
    <p class="refusal" role="alert">
      {children}
    </p>
  );
}
