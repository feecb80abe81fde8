import { AppError } from '../../core/app-error.ts';
import type { HardwareDeclaration } from './provision.ts';

/** A board at this machine that counts by itself, with its ports. */
export interface PluggedInBoard {
  readonly name: string;
  readonly modelName: string;
  readonly serialNumber: string | null;
  /** Port names. */
  readonly meters: readonly string[];
  readonly toggles: readonly string[];
}

type Claim = 'configuration' | 'chosen' | 'plugged in';

/**
 * Names that are in use by configured or connected hardware. Renaming or deleting such a controller or meter
 * on the web page would leave its ticks without a meter, and it would be created again at the next start.
 */
export class HardwareClaims {
  readonly #names = new Map<string, Claim>();

  /** Replaces the names claimed by the configuration file and by the pins that were chosen on the page. */
  claimDeclared({ controller, meters, toggles, chosenPorts = [] }: HardwareDeclaration): void {
    for (const [name, claim] of this.#names) if (claim !== 'plugged in') this.#names.delete(name);
    const ports = [...meters, ...toggles].map(({ portName }) => portName);
    const declared = ports.filter((port) => !chosenPorts.includes(port));
    this.#claim(controller.name, declared, 'configuration');
    this.#claim(controller.name, chosenPorts, 'chosen');
  }

  /** Claims the names of a board that is plugged in. */
  claimBoard({ name, meters, toggles }: PluggedInBoard): void {
    this.#claim(name, [...meters, ...toggles], 'plugged in');
  }

  /** Throws `conflict` with advice when `name` (a controller or a full meter name) is claimed. */
  requireUnclaimed(name: string): void {
    const claim = this.#names.get(name);
    if (claim === 'configuration') {
      const problem = `${name} is declared in the configuration file: take it out there and restart Tapster.`;
      throw new AppError('conflict', problem, { reason: { name: 'in_configuration', what: name } });
    }
    if (claim === 'chosen') {
      const problem = `${name} is on a pin of this machine: take it away on the page Hardware first.`;
      throw new AppError('conflict', problem, { reason: { name: 'on_pin', what: name } });
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
