/** Longest token: an EM4100 card has 10 digits, the longest tag ids have 20. */
const maxDigits = 32;
const minDigits = 4;

/** Longest line or frame in characters, blanks included; a longer one is invalid. */
const maxCharacters = 64;

const frameStart = 0x02;
const frameEnd = 0x03;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/** Digits in a frame of an ID-12, ID-20 or RDM6300: ten of the card and two of the checksum. */
const framedDigits = 12;

/**
 * Parses tokens from a card reader's bytes: lines of digits, or frames between STX and ETX with a valid
 * checksum. Anything else is dropped up to the next line or frame. Memory is bounded; never throws.
 */
export class TokenText {
  #text = '';
  #isFrame = false;
  #isInvalid = false;

  /** Takes bytes and returns the completed tokens in lower case, oldest first. */
  push(bytes: Uint8Array): string[] {
    const tokens: string[] = [];
    for (const byte of bytes) {
      const token = this.#take(byte);
      if (token !== null) tokens.push(token);
    }
    return tokens;
  }

  /** Discards the current line or frame after lost input. */
  drop(): void {
    this.#begin(false);
    this.#isInvalid = true;
  }

  #take(byte: number): string | null {
    if (byte === frameStart) {
      this.#begin(true);
      return null;
    }
    const isLineEnd = byte === carriageReturn || byte === lineFeed;
    // Some readers end the line inside the frame as well.
    if (isLineEnd && this.#isFrame) return null;
    if (isLineEnd || byte === frameEnd) return this.#end();
    if (this.#text.length >= maxCharacters) this.#isInvalid = true;
    else this.#text += String.fromCharCode(byte);
    return null;
  }

  #begin(isFrame: boolean): void {
    this.#text = '';
    this.#isFrame = isFrame;
    this.#isInvalid = false;
  }

  #end(): string | null {
    const digits = this.#text.trim().toLowerCase();
    const [isFrame, isInvalid] = [this.#isFrame, this.#isInvalid];
    this.#begin(false);
    if (isInvalid || digits.length < minDigits || digits.length > maxDigits) return null;
    if (!/^[0-9a-f]+$/.test(digits)) return null;
    if (!isFrame || digits.length !== framedDigits) return digits;
    return xorChecksum(digits.slice(0, -2)) === Number.parseInt(digits.slice(-2), 16)
      ? digits.slice(0, -2)
      : null;
  }
}

/** Exclusive or of all bytes of the card. */
function xorChecksum(digits: string): number {
  return Buffer.from(digits, 'hex').reduce((sum, byte) => sum ^ byte, 0);
}
