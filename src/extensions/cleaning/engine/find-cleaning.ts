import type { Instant } from '../../../core/clock/instant.ts';
import { cleaningExpiresMs, stepLifeMs } from '../core/cleaning-mode.ts';
import type { CleaningDatabase } from '../store/cleaning-store.ts';
import type { Cleaning } from '../store/cleanings-table.ts';

/** When a pour ended, by the best clocks available. */
export interface PourEnd {
  readonly pourTimeMs: number;
  readonly bootId: string;
  readonly endMonoMs: number;
  readonly durationMs: number;
}

/**
 * The cleaning during which a pour flowed at that tap; null for a drink. A pour that waited on this machine or on a kegboard is
 * compared with the cleanings that are over, too. Reads memory only unless a cleaning runs at the tap.
 */
export function findCleaning(store: CleaningDatabase, tapId: number | null, pour: PourEnd): Cleaning | null {
  if (tapId === null) return null;
  return store.cleanings.recent().find((one) => one.tapId === tapId && includes(store, one, pour)) ?? null;
}

/** The cleaning that runs at the tap; null without one. Reads memory only. */
export const runningCleaning = (store: CleaningDatabase, tapId: number): Cleaning | null =>
  store.cleanings.recent().find((one) => one.tapId === tapId && one.endedMs === null) ?? null;

/**
 * Whether cleaner may stand in the line of the tap: while a cleaning runs; after one that ended by itself before the line was filled
 * with beer, until staff complete or dismiss it; and after one whose check failed, until a later one or a correction of its entry.
 */
export function mayHoldCleaner(store: CleaningDatabase, tapId: number): boolean {
  const cleaning = store.cleanings.newest(tapId);
  if (cleaning?.endedMs === null) return true;
  const isUnfinished =
    cleaning?.endReason === 'expired' && store.cleanings.steps(cleaning.id).at(-1)?.step !== 'refill';
  return isUnfinished || store.cleaningEntries.lastResult(tapId) === 'failed';
}

/** When the cleaning ends by itself. */
export function findExpiry(store: CleaningDatabase, { id, contactMinutes }: Cleaning): Instant {
  const last = store.cleanings.steps(id).at(-1)!;
  const monoMs = last.sinceMonoMs + stepLifeMs(last, contactMinutes);
  return { wallMs: cleaningExpiresMs(last, contactMinutes), bootId: last.bootId, monoMs };
}

/** Within one boot the wall clock does not matter: it may be set meanwhile. */
export const isReached = (instant: Instant, now: Instant): boolean =>
  instant.bootId === now.bootId ? now.monoMs >= instant.monoMs : now.wallMs >= instant.wallMs;

function includes(store: CleaningDatabase, cleaning: Cleaning, pour: PourEnd): boolean {
  const { startedMs, startMonoMs, endedMs, endBootId, endMonoMs, endReason } = cleaning;
  const isSameBoot = pour.bootId === cleaning.bootId;
  if (isSameBoot ? pour.endMonoMs <= startMonoMs : pour.pourTimeMs <= startedMs) return false;
  // Due, but not ended yet: the machine was off, and the pours of that time are reported first.
  const end =
    endedMs === null
      ? findExpiry(store, cleaning)
      : { wallMs: endedMs, bootId: endBootId, monoMs: endMonoMs ?? 0 };
  // What flowed when it ended by itself belongs to it as a whole; nobody was there to end that pour.
  const earlierMs = endedMs === null || endReason === 'expired' ? pour.durationMs : 0;
  if (pour.bootId === end.bootId) return pour.endMonoMs - earlierMs <= end.monoMs;
  // It ended in a later boot than it began.
  return isSameBoot || pour.pourTimeMs - earlierMs <= end.wallMs;
}
