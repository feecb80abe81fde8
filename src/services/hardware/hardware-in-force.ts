import type { MergedHardware } from '../../config/merged-hardware.ts';
import type { Config, MeterConfig, ToggleConfig } from '../../config/schema.ts';

/** The meters and relays on pins of this machine now: those of the settings file, then those of the database. */
export interface HardwareInForce {
  meters(): readonly MeterConfig[];
  toggles(): readonly ToggleConfig[];
}

/** The hardware of the settings file alone. */
export const fixedHardware = ({ meters, toggles }: Pick<Config, 'meters' | 'toggles'>): HardwareInForce => ({
  meters: () => meters,
  toggles: () => toggles,
});

/** Hardware that changes while the daemon runs. */
export class ChangingHardware implements HardwareInForce {
  #merged: MergedHardware;
  /** Ports whose change takes effect at the next start only. */
  readonly #waiting = new Set<string>();

  constructor(merged: MergedHardware) {
    this.#merged = merged;
  }

  meters = (): readonly MeterConfig[] => this.#merged.meters;
  toggles = (): readonly ToggleConfig[] => this.#merged.toggles;
  get merged(): MergedHardware {
    return this.#merged;
  }

  /** True while the pin driver goes on with what this part was at the start. */
  isWaiting = (port: string): boolean => this.#waiting.has(port);
  get isRestartNeeded(): boolean {
    return this.#waiting.size > 0;
  }

  replace(merged: MergedHardware): void {
    this.#merged = merged;
  }

  waitForRestart(port: string): void {
    this.#waiting.add(port);
  }
}
