import { useSignal } from '@preact/signals';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import { createChangeKeys, withChangeKeys } from '../api/change-keys.ts';
import type { Answer } from '../api/client.ts';
import type { DisplayText } from '../app/error-text.ts';
import { showToast } from './toast.tsx';
import { invalidate } from './use-resource.ts';

/** Runs the actions of a dialog or a list row, one at a time. */
export interface Action {
  /**
   * Sends a request that changes something; then shows `success`, or calls it with the result. `send` is not called while
   * another action is running, and null is returned.
   */
  runAction<R>(
    send: () => Promise<Answer<R>>,
    success: string | ((result: R) => void),
  ): Promise<Answer<R> | null>;
  /** Why the last action failed. */
  readonly error: DisplayText | null;
  /** True while an action is running. */
  readonly isBusy: boolean;
}

/** Runs one action at a time; `error` is the reason why the last one failed. */
export function useAction(): Action {
  const isBusy = useSignal(false);
  const error = useSignal<DisplayText | null>(null);
  const keys = useMemo(createChangeKeys, []);
  async function runAction<R>(
    send: () => Promise<Answer<R>>,
    success: string | ((result: R) => void),
  ): Promise<Answer<R> | null> {
    if (isBusy.value) return null;
    isBusy.value = true;
    error.value = null;
    const answer = await withChangeKeys(keys, send).finally(() => {
      isBusy.value = false;
    });
    error.value = answer.ok ? null : answer.sentence;
    if (answer.ok) {
      invalidate();
      if (typeof success === 'string') showToast(success);
      else success(answer.result);
    }
    return answer;
  }
  return { runAction, error: error.value, isBusy: isBusy.value };
}

const BusyContext = createContext(false);

/** True inside an `ActionGroup` whose action is running. */
export const useIsBusy = (): boolean => useContext(BusyContext);

interface ActionGroupProps {
  readonly action: Pick<Action, 'error' | 'isBusy'>;
  readonly class: string;
  readonly children: ComponentChildren;
}

/** The controls of some actions: disabled while one is running, below the reason why the last one failed. */
export function ActionGroup({ action: { error, isBusy }, class: className, children }: ActionGroupProps) {
  return (
    <BusyContext.Provider value={isBusy}>
      <div class={className} aria-busy={isBusy}>
        <ErrorMessage>{error}</ErrorMessage>
        {children}
      </div>
    </BusyContext.Provider>
  );
}

/** Shows an error and announces it to screen readers. */
export function ErrorMessage({ children }: { readonly children: DisplayText | null }) {
  return (
    <p class="refusal" role="alert">
      {children}
    </p>
  );
}
