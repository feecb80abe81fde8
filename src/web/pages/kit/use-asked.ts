import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { glance } from '../../ask.ts';
import type { Saying } from '../../saying.ts';
import { doings } from '../../toast.tsx';

interface Asked<R> {
  /** The last good answer; null before the first. */
  readonly result: R | null;
  /** Why there is none newer. */
  readonly refusal: Saying | null;
  lookAgain(): void;
}

/**
 * What the daemon says at `path`: asked again when the path changes, when something was done here, and every `everyMs`;
 * never for a PIN.
 */
export function useAsked<R>(path: string | null, everyMs: number | null = null): Asked<R> {
  const result = useSignal<R | null>(null);
  const refusal = useSignal<Saying | null>(null);
  const turn = useSignal(0);
  useEffect(() => {
    if (path === null) return;
    let isOver = false;
    async function look() {
      if (path === null || document.hidden) return;
      const answer = await glance<R>(path);
      if (isOver) return;
      if (answer.ok) result.value = answer.result;
      refusal.value = answer.ok ? null : answer.sentence;
    }
    void look();
    const timer = everyMs === null ? undefined : setInterval(look, everyMs);
    document.addEventListener('visibilitychange', look);
    return () => {
      isOver = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [path, everyMs, doings.value, turn.value]);
  return {
    result: result.value,
    refusal: refusal.value,
    lookAgain() {
      turn.value += 1;
    },
  };
}
