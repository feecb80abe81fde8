import type { Hardware } from '../engine/engine.ts';

/** A board as it introduced itself. */
export interface HeardController {
  readonly name: string;
  readonly modelName: string;
  readonly serialNumber: string | null;
  /** Port names. */
  readonly meters: readonly string[];
  readonly toggles: readonly string[];
}

/** Enters boards into the ledger when they are first heard; what the ledger cannot take now waits. */
export class ControllerDesk {
  readonly #hardware: () => Hardware;
  readonly #onFault: (fault: unknown) => void;
  #waiting: HeardController[] = [];
  #lastFault = '';

  /** `hardware` may throw while the ledger is closed. `onFault` is told why a board has to wait, once for each reason. */
  constructor(hardware: () => Hardware, onFault: (fault: unknown) => void) {
    this.#hardware = hardware;
    this.#onFault = onFault;
  }

  /** Takes note of a board; what of it is known already is left as people made it. */
  heard(board: HeardController): void {
    this.#waiting.push(board);
    this.settle();
  }

  /** Tries again what waits; called about once a second. */
  settle(): void {
    this.#waiting = this.#waiting.filter((board) => !this.#enters(board));
  }

  #enters(board: HeardController): boolean {
    try {
      enter(this.#hardware(), board);
      return true;
    } catch (fault) {
      if (String(fault) !== this.#lastFault) this.#onFault(fault);
      this.#lastFault = String(fault);
      return false;
    }
  }
}

function enter(
  hardware: Hardware,
  { name, modelName, serialNumber, meters, toggles }: HeardController,
): void {
  const known = hardware.controllers().find((one) => one.name === name);
  const { id } =
    known ?? hardware.createController({ name, modelName, ...(serialNumber && { serialNumber }) });
  for (const portName of meters) {
    const isKnown = hardware
      .meters()
      .some((meter) => meter.controllerId === id && meter.portName === portName);
    if (!isKnown) hardware.createMeter({ controllerId: id, portName });
  }
  for (const portName of toggles) {
    const isKnown = hardware.toggles().some((one) => one.controllerId === id && one.portName === portName);
    if (!isKnown) hardware.createToggle({ controllerId: id, portName });
  }
}
