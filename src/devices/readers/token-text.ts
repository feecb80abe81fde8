/** Longest line or frame in characters, blanks included; a longer one is unreadable. */
const maxCharacters = 64;

const frameStart = 0x02;
const frameEnd = 0x03;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/** Digits in a frame of an ID-12, ID-20 or RDM6300: ten of the card and two of the checksum. */
const framedDigits = 12;

/** One line or frame: a card with its text, or a text that is none. */
export type ReadText =
  | { readonly kind: 'card'; readonly value: string; readonly text: string }
  | { readonly kind: 'unreadable'; readonly text: string };

/** The value of a card from the text that a reader sent; null when it is no card. */
export type ReadCard = (text: string) => string | null;

/**
 * Parses cards from a reader's bytes: lines, or frames between STX and ETX with a valid checksum. A frame also ends with its
 * longest length, with the first byte after a line end in it, and with silence, so that a stray STX costs at most the card that
 * it touches. Everything else is returned as unreadable. Memory is bounded; never throws.
 */
export class TokenText {
  readonly #readCard: ReadCard;
  #text = '';
  #isFrame = false;
  /** A line end was received in a frame: some readers end the line inside the frame as well. */
  #isLineEnded = false;
  #isInvalid = false;

  constructor(readCard: ReadCard) {
    this.#readCard = readCard;
  }

  /** Takes bytes and returns the texts that they complete, oldest first. */
  push(bytes: Uint8Array): ReadText[] {
    const texts: ReadText[] = [];
    for (const byte of bytes) this.#take(byte, texts);
    return texts;
  }

  /** Discards the current line or frame after lost input. */
  drop(): void {
    this.#begin(false);
    this.#isInvalid = true;
  }

  /** Ends what was begun: the reader has sent nothing for longer than it pauses within a card. */
  endBySilence(): ReadText[] {
    const texts: ReadText[] = [];
    this.#endUnfinished(texts);
    this.#begin(false);
    return texts;
  }

  #take(byte: number, texts: ReadText[]): void {
    const isLineEnd = byte === carriageReturn || byte === lineFeed;
    if (byte === frameStart) {
      this.#endUnfinished(texts);
      this.#begin(true);
      return;
    }
    if (this.#isLineEnded && !isLineEnd && byte !== frameEnd) {
      this.#endUnfinished(texts);
      this.#begin(false);
    }
    if (this.#isFrame && isLineEnd) {
      if (this.#text === '') this.#begin(false);
      else this.#isLineEnded = true;
    } else if (isLineEnd || (this.#isFrame && byte === frameEnd)) {
      this.#end(texts);
    } else {
      this.#append(byte);
    }
  }

  #append(byte: number): void {
    if (this.#text.length < maxCharacters) {
      this.#text += String.fromCharCode(byte);
      return;
    }
    this.#isFrame = false;
    this.#isInvalid = true;
  }

  #begin(isFrame: boolean): void {
    this.#text = '';
    this.#isFrame = isFrame;
    this.#isLineEnded = false;
    this.#isInvalid = false;
  }

  /** The line or frame has its end. */
  #end(texts: ReadText[]): void {
    const isEmptyLine = !this.#isFrame && !this.#isInvalid && this.#text.trim() === '';
    if (!isEmptyLine)
      texts.push(this.#result(this.#isFrame ? this.#readFrame() : this.#readCard(this.#text)));
    this.#begin(false);
  }

  /** A frame without ETX is read with a valid checksum only, a line within it like any line; the rest is incomplete. */
  #endUnfinished(texts: ReadText[]): void {
    if (this.#text.trim() === '' && !this.#isInvalid) return;
    const isChecked = this.#isFrame && isFramed(this.#text);
    if (isChecked) texts.push(this.#result(this.#readFrame()));
    else texts.push(this.#result(this.#isLineEnded ? this.#readCard(this.#text) : null));
  }

  /** The card of a frame's content. With one digit more or less than usual, the frame is damaged. */
  #readFrame(): string | null {
    const digits = this.#text.trim().toLowerCase();
    if (Math.abs(digits.length - framedDigits) === 1) return null;
    if (!isFramed(digits)) return this.#readCard(digits);
    if (xorChecksum(digits.slice(0, -2)) !== Number.parseInt(digits.slice(-2), 16)) return null;
    // Without a mark, ten decimal digits would be a printed number.
    return this.#readCard(`0x${digits.slice(0, -2)}`);
  }

  #result(value: string | null): ReadText {
    const text = visibleText(this.#text);
    return value === null || this.#isInvalid ? { kind: 'unreadable', text } : { kind: 'card', value, text };
  }
}

const isFramed = (text: string): boolean => {
  const digits = text.trim();
  return digits.length === framedDigits && /^[0-9a-f]+$/i.test(digits);
};

/** Exclusive or of all bytes of the card. */
function xorChecksum(digits: string): number {
  return Buffer.from(digits, 'hex').reduce((sum, byte) => sum ^ byte, 0);
}

const visibleText = (text: string): string => text.trim().replaceAll(/[^ -~]/g, '?');
