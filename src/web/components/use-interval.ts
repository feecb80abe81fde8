import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** A counter that increments every `intervalMs` while the page is visible; reloads lists that change on the server. */
export function useInterval(intervalMs: number): number {
  const count = useSignal(0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) count.value += 1;
    }, intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return count.value;
}
