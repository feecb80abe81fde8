import type { PresentedToken } from '../../core/access/live-grants.ts';

/** The same token reported again within this time is still held at the reader, not a new presentment. */
const sameTokenMs = 2_000;

/** Presentments per reader and window; more mean a broken reader or somebody playing with it. */
const maxPresentments = 5;
const windowMs = 1_000;

/** Bound of the readers in memory. */
const maxReaders = 256;

interface ReaderState {
  value: string | null;
  lastSeenMonoMs: number;
  windowStartMonoMs: number;
  presentments: number;
}

/** The last token of each reader: a token held there counts once, however often the reader reports it. */
export class PresentedTokens {
  readonly #readers = new Map<string, ReaderState>();

  /** True when the token was newly presented and its reader is below the rate limit. */
  isNew(token: PresentedToken, nowMonoMs: number): boolean {
    const state = this.#findState(token, nowMonoMs);
    const isStillHeld = state.value === token.value && nowMonoMs - state.lastSeenMonoMs < sameTokenMs;
    state.value = token.value;
    state.lastSeenMonoMs = nowMonoMs;
    if (isStillHeld) return false;
    if (nowMonoMs - state.windowStartMonoMs >= windowMs) {
      state.windowStartMonoMs = nowMonoMs;
      state.presentments = 0;
    }
    state.presentments++;
    return state.presentments <= maxPresentments;
  }

  /** Clears a removed token, so that presenting it again counts as new. */
  remove(token: PresentedToken): void {
    const state = this.#readers.get(toKey(token));
    if (state?.value === token.value) state.value = null;
  }

  #findState(token: PresentedToken, nowMonoMs: number): ReaderState {
    const key = toKey(token);
    const existing = this.#readers.get(key);
    if (existing !== undefined) return existing;
    if (this.#readers.size >= maxReaders) this.#readers.clear();
    const created = { value: null, lastSeenMonoMs: nowMonoMs, windowStartMonoMs: nowMonoMs, presentments: 0 };
    this.#readers.set(key, created);
    return created;
  }
}

const toKey = ({ controller, reader, device }: PresentedToken): string =>
  [controller, reader ?? '', device].join('|');
