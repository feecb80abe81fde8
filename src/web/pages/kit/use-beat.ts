import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** Counts on every `everyMs` while the page is looked at, for lists whose items change by themselves. */
export function useBeat(everyMs: number): number {
  const beat = useSignal(0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) beat.value += 1;
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return beat.value;
}
