import type { Store } from '../../store/store.ts';

/** Results kept at once, so that reading many old ones in a row does not fill the memory. */
const maxCached = 200;

/** Returns a function that computes a result once per key until anything is written to the database. */
export function cachedResults<T>(store: Store) {
  const cached = store.cachedUntilWrite(() => new Map<string, T>());
  return (key: string, compute: () => T): T => {
    const results = cached();
    const known = results.get(key);
    if (known !== undefined) return known;
    const computed = compute();
    if (results.size >= maxCached) results.clear();
    results.set(key, computed);
    return computed;
  };
}
