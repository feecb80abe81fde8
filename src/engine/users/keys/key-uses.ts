import type { Moment } from '../../../core/clock/moment.ts';
import type { Store } from '../../../store/store.ts';
import type { KeyRecord } from '../../../store/users/keys-table.ts';

const hourMs = 3_600_000;

/** Time from one write of a use to the next one from another address: two places may use one key in turn. */
const addressWriteMs = 60_000;

/** The last use of a key. */
interface KeyUse {
  readonly timeMs: number;
  readonly address: string | null;
  /** What of it is stored, and when that was written. */
  readonly stored: { readonly monoMs: number; readonly address: string | null };
}

export type KeyUses = ReturnType<typeof createKeyUses>;

/**
 * When and from where each key was last used: exact in memory, stored at most once an hour, or a minute after another
 * address. Twenty controllers send their keys many times per second, and each write wears the card.
 */
export function createKeyUses(store: Store) {
  const uses = new Map<number, KeyUse>();

  return {
    /** Records a use; none while the clock is not set, since its time is unknown. */
    record(keyId: number, address: string | null, { synced, monoMs, wallMs }: Moment): void {
      if (!synced) return;
      const last = uses.get(keyId)?.stored;
      const ageMs = last === undefined ? hourMs : monoMs - last.monoMs;
      const isDue = ageMs >= hourMs || (last?.address !== address && ageMs >= addressWriteMs);
      const use = { timeMs: Math.round(wallMs), address };
      uses.set(keyId, { ...use, stored: isDue || last === undefined ? { monoMs, address } : last });
      if (!isDue) return;
      try {
        store.transaction(() => store.users.keys.used(keyId, use));
      } catch {
        // A full disk must not lock out the person who comes to free space; the next use in an hour is recorded
        // instead.
      }
    },

    /** The key with its last use, which may not be stored yet. */
    withUse(key: KeyRecord): KeyRecord {
      const use = uses.get(key.id);
      return use === undefined ? key : { ...key, lastUsedTimeMs: use.timeMs, lastUsedAddress: use.address };
    },
  };
}
