/** How many holders there may be, in total and of one address. */
export interface SlotLimits {
  readonly total: number;
  readonly perAddress?: number;
}

/** What happens when no slot is free. Without it nothing is evicted, and a newcomer is refused. */
interface Eviction<H> {
  isEvictable(holder: H): boolean;
  /** True for a holder that a newcomer of the same address does not replace: that address would only take its own place. */
  isKept?(holder: H): boolean;
  /** Ends the holder's use; its slot has already been released. */
  evict(holder: H): void;
}

/**
 * A limited number of slots. When none is free, the newcomer evicts the oldest holder of its own address if that has
 * reached its limit or its equal share, else the oldest of the address with the most. Many clients of one address
 * therefore evict each other, not those of other addresses.
 */
export function createSlots<H>({ total, perAddress = total }: SlotLimits, eviction?: Eviction<H>) {
  /** Addresses by holder, the oldest first. */
  const holders = new Map<H, string>();
  const counts = new Map<string, number>();

  const countOf = (address: string): number => counts.get(address) ?? 0;

  function remove(holder: H): void {
    const address = holders.get(holder);
    if (address === undefined) return;
    holders.delete(holder);
    const count = countOf(address) - 1;
    if (count === 0) counts.delete(address);
    else counts.set(address, count);
  }

  /** Returns the oldest evictable holder of `address`, or of the address with the most evictable ones. */
  function findEvictable(address: string | null): H | undefined {
    if (eviction === undefined) return undefined;
    const evictable = new Map<string, { readonly oldest: H; count: number }>();
    let largest: { readonly oldest: H; count: number } | undefined;
    for (const [holder, owner] of holders) {
      if (address !== null && (owner !== address || eviction.isKept?.(holder))) continue;
      if (!eviction.isEvictable(holder)) continue;
      const group = evictable.get(owner);
      if (group) group.count += 1;
      else evictable.set(owner, { oldest: holder, count: 1 });
    }
    for (const group of evictable.values())
      if (largest === undefined || group.count > largest.count) largest = group;
    return largest?.oldest;
  }

  return {
    /** Gives `holder` a slot; false if none is free and none can be evicted. */
    acquire(holder: H, address: string): boolean {
      if (holders.has(holder)) return true;
      const isFull = holders.size >= total;
      const hasShare = countOf(address) >= perAddress || (isFull && countOf(address) * counts.size >= total);
      if (hasShare || isFull) {
        const evicted = findEvictable(hasShare ? address : null);
        if (evicted === undefined) return false;
        remove(evicted);
        eviction!.evict(evicted);
      }
      holders.set(holder, address);
      counts.set(address, countOf(address) + 1);
      return true;
    },
    /** Makes `holder` the newest. */
    renew(holder: H): void {
      const address = holders.get(holder);
      if (address === undefined) return;
      holders.delete(holder);
      holders.set(holder, address);
    },
    release: remove,
    /** All holders, the oldest first. */
    holders: (): H[] => [...holders.keys()],
    get size() {
      return holders.size;
    },
  };
}
