import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** Draws the component again at this interval, for texts that depend on the present time. */
export function useInterval(intervalMs: number) {
  const count = useSignal(0);
  useEffect(() => {
    const timer = setInterval(() => {
      count.value += 1;
    }, intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return count.value;
}
