import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Answer } from '../../../api/client.ts';
import type { DisplayText } from '../../../app/error-text.ts';

/** Longer than the pause between two typed digits. */
const debounceMs = 250;

interface DebouncedResult<R> {
  readonly result: R | null;
  readonly error: DisplayText | null;
  /** False while the reply for the current body is pending. */
  readonly isCurrent: boolean;
}

/** Sends `body` a moment after its last change and returns the latest reply. Null sends nothing. */
export function useDebouncedRequest<Q, R>(
  body: Q | null,
  send: (body: Q) => Promise<Answer<R>>,
): DebouncedResult<R> {
  const key = JSON.stringify(body);
  const latest = useSignal<Omit<DebouncedResult<R>, 'isCurrent'> & { readonly key: string }>({
    key,
    result: null,
    error: null,
  });
  useEffect(() => {
    if (body === null) {
      latest.value = { key, result: null, error: null };
      return;
    }
    let isCancelled = false;
    const timer = setTimeout(async () => {
      const answer = await send(body);
      if (isCancelled) return;
      latest.value = answer.ok
        ? { key, result: answer.result, error: null }
        : { key, result: null, error: answer.sentence };
    }, debounceMs);
    return () => {
      isCancelled = true;
      clearTimeout(timer);
    };
  }, [key]);
  const { key: latestKey, result, error } = latest.value;
  return { result, error, isCurrent: latestKey === key };
}
