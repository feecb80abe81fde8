/** How a reader's tokens behave. */
interface ReaderRule {
  /** The token stays where it is read, so taking it away means something. */
  readonly isCaptive: boolean;
  /** Without a drop for this long the token is taken for gone. */
  readonly idleMs: number;
}

/** An iButton sits in its holder; a card is only swiped, and says that it is gone in the same breath. */
const rules: Readonly<Record<string, ReaderRule>> = {
  'core.onewire': { isCaptive: true, idleMs: 120_000 },
  'core.rfid': { isCaptive: false, idleMs: 20_000 },
};
const otherReaders: ReaderRule = { isCaptive: true, idleMs: 10_000 };

/** A board tells of at most eight iButtons; more readers than this is a board that talks nonsense. */
const maxReaders = 16;

/** A reader that sees the same token over and over need not tell it more often than this. */
const repeatMs = 500;

/** What became of a token at one board. */
export type TokenStep =
  | {
      readonly kind: 'presented';
      readonly device: string;
      readonly value: string;
      readonly isCaptive: boolean;
    }
  | { readonly kind: 'removed'; readonly device: string; readonly value: string };

interface Present {
  readonly value: string;
  readonly presentedMonoMs: number;
  activeMonoMs: number;
}

/** The name the house knows a reader by. */
export function readerName(device: string): string {
  return device === 'onewire' ? 'core.onewire' : device;
}

/** A token's text: bytes come lowest first, and are written highest first in lower-case hex. */
export function tokenText(
  bytes: Uint8Array,
  board: { readonly device: string; readonly firmware: number },
): string {
  // Version 9 alone sent a card's number as it is printed.
  const isPrintedOrder = board.firmware === 9 && board.device === 'core.rfid';
  const inOrder = isPrintedOrder ? [...bytes] : [...bytes].reverse();
  return inOrder.map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Remembers which token each reader of one board holds, and for how long. Owns no timer: it is stepped. */
export class BoardTokens {
  readonly #present = new Map<string, Present>();

  /** A token was shown. One of another number at the same reader takes the place of the first. */
  attached(device: string, value: string, nowMonoMs: number): TokenStep[] {
    const before = this.#present.get(device);
    if (before === undefined && this.#present.size >= maxReaders) return [];
    if (before?.value === value && nowMonoMs - before.presentedMonoMs < repeatMs) return [];
    const steps: TokenStep[] = [];
    if (before !== undefined && before.value !== value)
      steps.push({ kind: 'removed', device, value: before.value });
    this.#present.set(device, { value, presentedMonoMs: nowMonoMs, activeMonoMs: nowMonoMs });
    steps.push({ kind: 'presented', device, value, isCaptive: readerRule(device).isCaptive });
    return steps;
  }

  /** A token was taken away. Means nothing at a reader that cards are only swiped at, nor for a token that is not there. */
  detached(device: string, value: string): TokenStep[] {
    if (!readerRule(device).isCaptive || this.#present.get(device)?.value !== value) return [];
    return this.#remove(device);
  }

  /** Beer runs at this board: the wait of every token begins anew. */
  noteFlow(nowMonoMs: number): void {
    for (const token of this.#present.values()) token.activeMonoMs = nowMonoMs;
  }

  /** Tokens whose wait is over. */
  step(nowMonoMs: number): TokenStep[] {
    return [...this.#present]
      .filter(([device, { activeMonoMs }]) => nowMonoMs - activeMonoMs > readerRule(device).idleMs)
      .flatMap(([device]) => this.#remove(device));
  }

  /** The board is gone, or began again and will tell anew what it holds. */
  removeAll(): TokenStep[] {
    return [...this.#present.keys()].flatMap((device) => this.#remove(device));
  }

  #remove(device: string): TokenStep[] {
    const { value } = this.#present.get(device)!;
    this.#present.delete(device);
    return [{ kind: 'removed', device, value }];
  }
}

function readerRule(device: string): ReaderRule {
  return Object.hasOwn(rules, device) ? rules[device]! : otherReaders;
}
