/** Moves an id to an index of the list; the same list when that changes nothing. */
export function moveTo(ids: readonly string[], id: string, index: number): readonly string[] {
  const from = ids.indexOf(id);
  const to = Math.min(Math.max(index, 0), ids.length - 1);
  if (from === -1 || from === to) return ids;
  const others = ids.filter((one) => one !== id);
  return [...others.slice(0, to), id, ...others.slice(to)];
}

/** Sorts items by a list of ids; items that are not in it come last, in their own order. */
export function sortByIds<T extends { readonly id: string }>(
  items: readonly T[],
  ids: readonly string[] | null,
): readonly T[] {
  if (ids === null) return items;
  const places = new Map(ids.map((id, index) => [id, index]));
  const placeOf = ({ id }: T) => places.get(id) ?? ids.length;
  return items.toSorted((one, other) => placeOf(one) - placeOf(other));
}
