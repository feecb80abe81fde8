import type { Hardware, SerialController } from '../engine/engine.ts';

export type { SerialController } from '../engine/engine.ts';

/** Enters boards into the ledger when they are first heard; what the ledger cannot take now waits. */
export class ControllerService {
  readonly #hardware: () => Hardware;
  readonly #onFault: (fault: unknown) => void;
  #waiting: SerialController[] = [];
  #lastFault = '';

  /** `hardware` may throw while the ledger is closed. `onFault` is told why a board has to wait, once for each reason. */
  constructor(hardware: () => Hardware, onFault: (fault: unknown) => void) {
    this.#hardware = hardware;
    this.#onFault = onFault;
  }

  /** Takes note of a board; what of it is known already is left as people made it. */
  register(board: SerialController): void {
    this.#waiting.push(board);
    this.retry();
  }

  /** Tries again what waits; called about once a second. */
  retry(): void {
    this.#waiting = this.#waiting.filter((board) => !this.#tryRegister(board));
  }

  #tryRegister(board: SerialController): boolean {
    try {
      this.#hardware().registerBoard(board);
      return true;
    } catch (fault) {
      if (String(fault) !== this.#lastFault) this.#onFault(fault);
      this.#lastFault = String(fault);
      return false;
    }
  }
}
