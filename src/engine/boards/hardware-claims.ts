import { AppError } from '../../core/app-error.ts';
import type { HardwareDeclaration } from './provision.ts';

/** A board as it introduced itself. */
export interface SerialController {
  readonly name: string;
  readonly modelName: string;
  readonly serialNumber: string | null;
  /** Port names. */
  readonly meters: readonly string[];
  readonly toggles: readonly string[];
}

type Claim = 'configuration' | 'plugged in';

/**
 * Names that pulses and orders of this very run go by. Whoever renamed or deleted such a thing on a page would leave
 * its ticks without a meter, and find it made anew at the next start.
 */
export class HardwareClaims {
  readonly #names = new Map<string, Claim>();

  /** The configuration file has these, and no others any more. */
  claimDeclared({ controller, meters, toggles }: HardwareDeclaration): void {
    for (const [name, claim] of this.#names) if (claim === 'configuration') this.#names.delete(name);
    this.#claim(
      controller.name,
      [...meters, ...toggles].map(({ portName }) => portName),
      'configuration',
    );
  }

  /** A board on a serial port has these. */
  claimSerial({ name, meters, toggles }: SerialController): void {
    this.#claim(name, [...meters, ...toggles], 'plugged in');
  }

  /** Throws `conflict`, saying what to do, when `name` (a controller's or a whole meter's) is claimed. */
  requireUnclaimed(name: string): void {
    const claim = this.#names.get(name);
    if (claim === 'configuration') {
      const problem = `${name} is declared in the configuration file: take it out there and restart Tapster.`;
      throw new AppError('conflict', problem, { reason: { name: 'in_configuration', what: name } });
    }
    if (claim === 'plugged in') {
      const problem = `${name} belongs to a board on a serial port: unplug the board and restart Tapster first.`;
      throw new AppError('conflict', problem, { reason: { name: 'on_serial_port', what: name } });
    }
  }

  #claim(controller: string, ports: readonly string[], claim: Claim): void {
    for (const name of [controller, ...ports.map((port) => `${controller}.${port}`)]) {
      if (!this.#names.has(name)) this.#names.set(name, claim);
    }
  }
}
