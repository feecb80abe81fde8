import { useEffect, useState } from 'preact/hooks';

/** Time without a key before a search is sent, milliseconds. */
const defaultDelayMs = 150;

/** Returns the value as it was when it last stayed the same for a moment, so that a search is not sent for each key. */
export function useDebounced<T>(value: T, delayMs = defaultDelayMs): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
}
