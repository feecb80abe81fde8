import { effect, type ReadonlySignal, signal } from '@preact/signals';
import type { SnapshotMessage } from '../../http/live/shapes.ts';

/** Least time between two stored states, milliseconds: storing is synchronous. */
const storeGapMs = 2_000;

const storageKey = `last-state ${new URL(document.baseURI).pathname}`;

interface StoredState {
  readonly timeMs: number;
  readonly snapshot: SnapshotMessage;
}

let timer: ReturnType<typeof setTimeout> | undefined;

const shownTime = signal<number | null>(null);

/** Time of the stored state that is shown because the daemon has not been reached yet; null for a live or no state. */
export const lastStateTime: ReadonlySignal<number | null> = shownTime;

/**
 * Stores each live state for a start without a connection, while `isPublic` says that everybody may see the bar; it is
 * null before that is known. The stored state of another bar is removed.
 */
export function storeStates(
  snapshot: ReadonlySignal<SnapshotMessage | null>,
  isPublic: ReadonlySignal<boolean | null>,
) {
  effect(() => {
    if (isPublic.value === false) removeState();
    if (!isPublic.value || snapshot.value === null || shownTime.value !== null) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      if (isPublic.value && snapshot.value !== null && shownTime.value === null) storeState(snapshot.value);
    }, storeGapMs);
  });
}

function storeState(snapshot: SnapshotMessage) {
  // What only staff read is left out.
  const publicSnapshot = { ...snapshot, problems: [], held: 0 };
  try {
    localStorage.setItem(storageKey, JSON.stringify({ timeMs: Date.now(), snapshot: publicSnapshot }));
  } catch {
    // A browser that stores nothing shows nothing without a connection.
  }
}

/** Returns the stored state, to be shown with its time; null without one. A pour that ran then has ended. */
export function readState(): SnapshotMessage | null {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as StoredState | null;
    if (stored === null || !Array.isArray(stored.snapshot.taps)) return null;
    shownTime.value = stored.timeMs;
    return { ...stored.snapshot, taps: stored.snapshot.taps.map((tap) => ({ ...tap, pouring: null })) };
  } catch {
    return null;
  }
}

/** Called when a live state takes the place of the stored one. */
export function endStoredState() {
  shownTime.value = null;
}

/** Removes the stored state, and the one about to be stored, at log-out and when the bar is not public. */
export function removeState() {
  clearTimeout(timer);
  timer = undefined;
  try {
    localStorage.removeItem(storageKey);
  } catch {
    // Nothing is stored then.
  }
}
