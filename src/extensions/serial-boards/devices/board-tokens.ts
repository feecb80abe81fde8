/** Behaviour of a reader's tokens. */
interface ReaderRule {
  /** The token stays in the reader, so its removal is an event. */
  readonly isCaptive: boolean;
  /** The token counts as removed after this time without flow. */
  readonly idleMs: number;
}

/** An iButton stays in its holder; a card is only swiped, and its removal is reported at once. */
const rules: Readonly<Record<string, ReaderRule>> = {
  'core.onewire': { isCaptive: true, idleMs: 120_000 },
  'core.rfid': { isCaptive: false, idleMs: 20_000 },
};
const otherReaders: ReaderRule = { isCaptive: true, idleMs: 10_000 };

/** Upper bound of tokens per board: a board reports at most eight iButtons; the others are cards. */
const maxTokens = 16;

/** A repeated report of the same token is ignored for this long. */
const repeatMs = 500;

/** A token change at one board. */
export type TokenStep =
  | {
      readonly kind: 'presented';
      readonly device: string;
      readonly value: string;
      readonly isCaptive: boolean;
    }
  | { readonly kind: 'removed'; readonly device: string; readonly value: string };

interface Present {
  readonly device: string;
  readonly value: string;
  readonly presentedMonoMs: number;
  activeMonoMs: number;
}

/** The auth device name of a board's reader. */
export function readerName(device: string): string {
  return device === 'onewire' ? 'core.onewire' : device;
}

/** A token's text: bytes arrive lowest first and are written highest first in lower-case hex. */
export function tokenText(
  bytes: Uint8Array,
  board: { readonly device: string; readonly firmware: number },
): string {
  // Only version 9 sends a card's number in printed order.
  const isPrintedOrder = board.firmware === 9 && board.device === 'core.rfid';
  const inOrder = isPrintedOrder ? [...bytes] : [...bytes].reverse();
  return inOrder.map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Tracks which tokens are at the readers of one board, and for how long. Has no timer: the caller steps it. */
export class BoardTokens {
  readonly #present = new Map<string, Present>();

  /**
   * A token was presented. In a holder a different token replaces the first. Swiped cards are independent: a
   * second card does not remove the first, since only a grant for the second may take the tap over.
   */
  attached(device: string, value: string, nowMonoMs: number): TokenStep[] {
    const { isCaptive } = readerRule(device);
    const key = toKey(device, value);
    const before = this.#present.get(key);
    if (before?.value === value && nowMonoMs - before.presentedMonoMs < repeatMs) return [];
    if (before === undefined && !this.#makeSpace()) return [];
    const steps: TokenStep[] = [];
    if (before !== undefined && before.value !== value)
      steps.push({ kind: 'removed', device, value: before.value });
    this.#present.set(key, { device, value, presentedMonoMs: nowMonoMs, activeMonoMs: nowMonoMs });
    steps.push({ kind: 'presented', device, value, isCaptive });
    return steps;
  }

  /** A token was removed. Ignored at a reader for swiped cards, and for a token that is not present. */
  detached(device: string, value: string): TokenStep[] {
    if (!readerRule(device).isCaptive || this.#present.get(toKey(device, value))?.value !== value) return [];
    return this.#remove(toKey(device, value));
  }

  /** Beer flows at this board: restarts the idle time of every token. */
  noteFlow(nowMonoMs: number): void {
    for (const token of this.#present.values()) token.activeMonoMs = nowMonoMs;
  }

  /** Removes the tokens whose idle time is over. */
  step(nowMonoMs: number): TokenStep[] {
    return [...this.#present]
      .filter(([, { device, activeMonoMs }]) => nowMonoMs - activeMonoMs > readerRule(device).idleMs)
      .flatMap(([key]) => this.#remove(key));
  }

  /** Removes all tokens: the board is gone, or has restarted and will report its tokens again. */
  removeAll(): TokenStep[] {
    return [...this.#present.keys()].flatMap((key) => this.#remove(key));
  }

  /**
   * Forgets the card that was presented first when the bound is reached. Its grant, if any, goes on: somebody
   * who swipes many cards must not end it. False when every token is in a holder.
   */
  #makeSpace(): boolean {
    if (this.#present.size < maxTokens) return true;
    const oldest = [...this.#present]
      .filter(([, { device }]) => !readerRule(device).isCaptive)
      .toSorted(([, a], [, b]) => a.presentedMonoMs - b.presentedMonoMs)[0];
    return oldest !== undefined && this.#present.delete(oldest[0]);
  }

  #remove(key: string): TokenStep[] {
    const { device, value } = this.#present.get(key)!;
    this.#present.delete(key);
    return [{ kind: 'removed', device, value }];
  }
}

/** A holder has one token, a reader for swiped cards any number. */
function toKey(device: string, value: string): string {
  return readerRule(device).isCaptive ? device : `${device}|${value}`;
}

function readerRule(device: string): ReaderRule {
  return Object.hasOwn(rules, device) ? rules[device]! : otherReaders;
}
