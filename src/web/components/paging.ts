/** Returns the query of a page from its address, as in `paging.next`. */
export const pageQuery = (address: string): Readonly<Record<string, string>> =>
  Object.fromEntries(new URLSearchParams(address.slice(address.indexOf('?') + 1)));

/** Sorts by time; items of the same time keep their order. */
export const latestFirst = <T>(items: readonly T[], time: (item: T) => string): readonly T[] =>
  [...items].sort((one, other) => Date.parse(time(other)) - Date.parse(time(one)));
