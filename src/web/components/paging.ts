/** The paging of a reply. */
export interface Paging {
  readonly limit: number;
  readonly next?: number | null;
}

/** `start` of the next page: `paging.next` where the reply has it, else one below the last id, as lists descend by id. */
export function nextStart(
  { paging }: { readonly paging?: Paging },
  items: readonly object[],
  limit: number,
): number | null {
  if (paging?.next !== undefined) return paging.next;
  const last = Number(Reflect.get(items.at(-1) ?? {}, 'id'));
  return items.length < limit || !(last > 1) ? null : last - 1;
}

/** Sorts by time; items of the same time keep their order. */
export const latestFirst = <T>(items: readonly T[], time: (item: T) => string): readonly T[] =>
  [...items].sort((one, other) => Date.parse(time(other)) - Date.parse(time(one)));
