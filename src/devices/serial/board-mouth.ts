import { boardBufferBytes } from './kbsp-commands.ts';

/** A board is deaf for up to this long while it plays a tune, and then keeps no more than its buffer holds. */
const deafMs = 500;

/** Gathers what is written to one board, and never more than it can take in. */
export class BoardMouth {
  #sent: { readonly monoMs: number; readonly bytes: number }[] = [];
  #waiting: Uint8Array[] = [];

  /** Whether a command of so many bytes would be heard whole, if the board has been deaf all the while. */
  hasRoom(bytes: number, nowMonoMs: number): boolean {
    this.#sent = this.#sent.filter(({ monoMs }) => nowMonoMs - monoMs < deafMs);
    return this.#sent.reduce((sum, one) => sum + one.bytes, bytes) <= boardBufferBytes;
  }

  say(command: Uint8Array, nowMonoMs: number): void {
    this.#sent.push({ monoMs: nowMonoMs, bytes: command.length });
    this.#waiting.push(command);
  }

  /** What is to be written now, once. */
  take(): Uint8Array[] {
    return this.#waiting.splice(0);
  }
}
