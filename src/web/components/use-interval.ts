import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** Counts on every `everyMs` while the page is looked at, for lists whose items change by themselves. */
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
