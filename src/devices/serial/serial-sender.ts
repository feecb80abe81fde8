import { boardBufferBytes } from './kbsp-commands.ts';

/** A board is deaf for up to this long while it plays a tune, and then keeps no more than its buffer holds. */
const blockedMs = 500;

/** Gathers what is written to one board, and never more than it can take in. */
export class SerialSender {
  #sent: { readonly monoMs: number; readonly bytes: number }[] = [];
  #queue: Uint8Array[] = [];

  /** Whether a command of so many bytes would be heard whole, if the board has been deaf all the while. */
  canSend(bytes: number, nowMonoMs: number): boolean {
    this.#sent = this.#sent.filter(({ monoMs }) => nowMonoMs - monoMs < blockedMs);
    return this.#sent.reduce((sum, one) => sum + one.bytes, bytes) <= boardBufferBytes;
  }

  send(command: Uint8Array, nowMonoMs: number): void {
    this.#sent.push({ monoMs: nowMonoMs, bytes: command.length });
    this.#queue.push(command);
  }

  /** What is to be written now, once. */
  take(): Uint8Array[] {
    return this.#queue.splice(0);
  }
}
