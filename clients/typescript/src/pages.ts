import type { Operations } from '../../../src/web/api/generated.ts';

type Result<O extends keyof Operations> = Operations[O]['result'];

/** An operation whose result is a page of a list. */
export type ListOperation = {
  [O in keyof Operations]: Result<O> extends { readonly paging: unknown } ? O : never;
}[keyof Operations];

/** A row of a list: the element type of the array that stands beside `paging`. */
export type Row<O extends ListOperation> = {
  [P in keyof Result<O>]: P extends 'paging'
    ? never
    : Result<O>[P] extends readonly (infer Element)[]
      ? Element
      : never;
}[keyof Result<O>];

/** Returns the rows of a page. Throws if the result has no list. */
export function rowsOf<O extends ListOperation>(page: Result<O>): readonly Row<O>[] {
  const rows = Object.entries(page).find(([name, value]) => name !== 'paging' && Array.isArray(value))?.[1];
  if (rows === undefined) throw new TypeError('The result of this operation is not a list.');
  return rows as readonly Row<O>[];
}

/**
 * Returns the URL of the page after this one; null at the end. Throws if the answer leads to another server, which would
 * get the key.
 */
export function nextPage(page: unknown, current: URL): URL | null {
  const next = (page as { readonly paging: { readonly next: string | null } }).paging.next;
  if (next === null) return null;
  const url = new URL(next, current);
  if (url.origin !== current.origin) throw new Error(`The next page is on another server, ${url.origin}.`);
  return url;
}
