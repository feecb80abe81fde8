import { useSignal } from '@preact/signals';
import type { Answer } from '../api/client.ts';
import type { DisplayText } from '../app/error-text.ts';
import { showToast } from './toast.tsx';
import { invalidate } from './use-resource.ts';

/** Runs one action at a time; `error` is the reason why the last one failed. */
export function useAction() {
  const isBusy = useSignal(false);
  const error = useSignal<DisplayText | null>(null);
  /**
   * Sends a request that changes something, and shows `successMessage` when it succeeded. Returns null while another
   * action is running.
   */
  async function runAction<R>(
    send: () => Promise<Answer<R>>,
    successMessage: string,
  ): Promise<Answer<R> | null> {
    if (isBusy.value) return null;
    isBusy.value = true;
    const answer = await send();
    isBusy.value = false;
    error.value = answer.ok ? null : answer.sentence;
    if (answer.ok) {
      invalidate();
      showToast(successMessage);
    }
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
