import type { PresentedToken } from '../core/live-grants.ts';

/** A reader that tells the same token again within this has not seen it leave: holding a card there asks nothing new. */
const sameTokenMs = 2_000;

/** A reader that asks more often than this is broken, or somebody plays with it. */
const maxPresentments = 5;
const windowMs = 1_000;

/** Readers kept in mind. */
const maxReaders = 256;

interface ReaderState {
  value: string | null;
  lastSeenMonoMs: number;
  windowStartMonoMs: number;
  presentments: number;
}

/** What each reader saw last: one token held there is one question, however often it is told. */
export class PresentedTokens {
  readonly #readers = new Map<string, ReaderState>();

  /** True when the token has just come, and its reader has not asked too much lately. */
  isNew(token: PresentedToken, nowMonoMs: number): boolean {
    const state = this.#findState(token, nowMonoMs);
    const isHeld = state.value === token.value && nowMonoMs - state.lastSeenMonoMs < sameTokenMs;
    state.value = token.value;
    state.lastSeenMonoMs = nowMonoMs;
    if (isHeld) return false;
    if (nowMonoMs - state.windowStartMonoMs >= windowMs) {
      state.windowStartMonoMs = nowMonoMs;
      state.presentments = 0;
    }
    state.presentments++;
    return state.presentments <= maxPresentments;
  }

  /** It left: shown again it is news. */
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
