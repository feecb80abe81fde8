import { boardBufferBytes } from './kbsp/kbsp-commands.ts';

/**
 * While a board plays a tune it reads nothing for up to this long and keeps only what fits into its buffer.
 */
const blockedMs = 500;

/** Queues commands for one board, limited to what its buffer can take. */
export class SerialSender {
  #sent: { readonly monoMs: number; readonly bytes: number }[] = [];
  #queue: Uint8Array[] = [];

  /** True when a command of `bytes` bytes fits, even if the board has read nothing for 500 ms. */
  canSend(bytes: number, nowMonoMs: number): boolean {
    this.#sent = this.#sent.filter(({ monoMs }) => nowMonoMs - monoMs < blockedMs);
    return this.#sent.reduce((sum, one) => sum + one.bytes, bytes) <= boardBufferBytes;
  }

  send(command: Uint8Array, nowMonoMs: number): void {
    this.#sent.push({ monoMs: nowMonoMs, bytes: command.length });
    this.#queue.push(command);
  }

  /** Removes and returns the queued commands. */
  take(): Uint8Array[] {
    return this.#queue.splice(0);
  }
}
