import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { requestWithoutPin } from '../api/request-with-pin.ts';
import type { DisplayText } from '../app/error-text.ts';
import { dataVersion } from './toast.tsx';

interface Resource<R> {
  /** The last successful reply; null before the first. */
  readonly result: R | null;
  /** Why the last request failed. */
  readonly error: DisplayText | null;
  reload(): void;
}

/**
 * Loads `path` and loads it again when the path changes, after each action on this page and every `intervalMs`. Never
 * prompts for a PIN.
 */
export function useResource<R>(path: string | null, intervalMs: number | null = null): Resource<R> {
  const result = useSignal<R | null>(null);
  const error = useSignal<DisplayText | null>(null);
  const reloads = useSignal(0);
  useEffect(() => {
    if (path === null) return;
    let isCancelled = false;
    async function load() {
      if (path === null || document.hidden) return;
      const answer = await requestWithoutPin<R>(path);
      if (isCancelled) return;
      if (answer.ok) result.value = answer.result;
      error.value = answer.ok ? null : answer.sentence;
    }
    void load();
    const timer = intervalMs === null ? undefined : setInterval(load, intervalMs);
    document.addEventListener('visibilitychange', load);
    return () => {
      isCancelled = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', load);
    };
  }, [path, intervalMs, dataVersion.value, reloads.value]);
  return {
    result: result.value,
    error: error.value,
    reload() {
      reloads.value += 1;
    },
  };
}
