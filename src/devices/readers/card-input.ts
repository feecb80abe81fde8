import { CardPresentments } from './card-presentments.ts';
import { Silence } from './silence.ts';
import type { ReaderStep, Unreadable } from './token-reader.ts';
import { type ReadCard, type ReadText, TokenText } from './token-text.ts';

/** What a reader's bytes mean: cards that are presented and removed, and texts that are no card. */
export class CardInput {
  readonly #presentments: CardPresentments;
  readonly #silence: Silence;
  readonly #readCard: ReadCard;
  #text: TokenText;
  #unreadable: Unreadable = { count: 0, text: null };

  /** `silenceMs`: longer than the pauses of the reader within a card. */
  constructor(options: {
    readonly isCaptive: boolean;
    readonly silenceMs: number;
    readonly readCard: ReadCard;
  }) {
    this.#readCard = options.readCard;
    this.#text = new TokenText(options.readCard);
    this.#presentments = new CardPresentments(options.isCaptive);
    this.#silence = new Silence(options.silenceMs);
  }

  get unreadable(): Unreadable {
    return this.#unreadable;
  }

  /** Takes the bytes since the last poll, none or many; null: input was lost here. */
  poll(pieces: readonly (Uint8Array | null)[], nowMonoMs: number): ReaderStep[] {
    const texts = pieces.flatMap((bytes) => {
      if (bytes !== null) return this.#text.push(bytes);
      this.#text.drop();
      return [];
    });
    if (this.#silence.isOver(pieces.length > 0, nowMonoMs)) texts.push(...this.#text.endBySilence());
    return [
      ...texts.flatMap((text) => this.#toSteps(text, nowMonoMs)),
      ...this.#presentments.step(nowMonoMs),
    ];
  }

  /** The reader was opened: what it sent before is over. */
  restart(): void {
    this.#text = new TokenText(this.#readCard);
  }

  /** The reader was unplugged. */
  readerGone(): ReaderStep[] {
    return this.#presentments.readerGone();
  }

  #toSteps(read: ReadText, nowMonoMs: number): ReaderStep[] {
    if (read.kind === 'card') return this.#presentments.tokenRead(read.value, nowMonoMs, read.text);
    this.#unreadable = { count: this.#unreadable.count + 1, text: read.text };
    return [];
  }
}
