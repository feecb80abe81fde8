import type { Hardware, PluggedInBoard } from '../../../engine/engine.ts';

/**
 * Registers serial boards in the database when they first report; a board that cannot be stored now waits.
 */
export class ControllerService {
  readonly #hardware: () => Hardware;
  readonly #onFault: (fault: unknown) => void;
  #waiting: PluggedInBoard[] = [];
  #lastFault = '';

  /**
   * `hardware` may throw while the database is closed. `onFault` gets the reason why a board waits, once per
   * reason.
   */
  constructor(hardware: () => Hardware, onFault: (fault: unknown) => void) {
    this.#hardware = hardware;
    this.#onFault = onFault;
  }

  /** Registers a board; existing meters and relays keep the settings that people gave them. */
  register(board: PluggedInBoard): void {
    this.#waiting.push(board);
    this.retry();
  }

  /** Retries the waiting boards; called about once a second. */
  retry(): void {
    this.#waiting = this.#waiting.filter((board) => !this.#tryRegister(board));
  }

  #tryRegister(board: PluggedInBoard): boolean {
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
