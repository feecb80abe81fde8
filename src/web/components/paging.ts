/** Returns the query of a page from its address, as in `paging.next`. */
export const pageQuery = (address: string): Readonly<Record<string, string>> =>
  Object.fromEntries(new URLSearchParams(address.slice(address.indexOf('?') + 1)));
