import type { DisplayText } from '../app/error-text.ts';

/** Returns the query of a page from its address, as in `paging.next`. */
export const pageQuery = (address: string): Readonly<Record<string, string>> =>
  Object.fromEntries(new URLSearchParams(address.slice(address.indexOf('?') + 1)));

/** The pages of a list that are loaded. */
export interface PagesState<T> {
  /** Null until the first reply. */
  readonly items: readonly T[] | null;
  /** Address of the next page; null at the end. */
  readonly next: string | null;
  readonly error: DisplayText | null;
}

/**
 * The newest items as they are now, and below them those that were shown and are older. Without an item in common there may
 * be others between them: then only the newest.
 */
export function withOlder<T>(
  newest: PagesState<T>,
  shown: PagesState<T>,
  keyOf: (item: T) => unknown,
): PagesState<T> {
  const last = newest.items?.at(-1);
  const key = last && keyOf(last);
  const place = key === undefined ? -1 : (shown.items ?? []).findIndex((item) => keyOf(item) === key);
  if (place === -1) return newest;
  const keys = new Set(newest.items?.map(keyOf));
  const older = shown.items!.slice(place + 1).filter((item) => !keys.has(keyOf(item)));
  return { items: [...newest.items!, ...older], next: shown.next, error: null };
}
