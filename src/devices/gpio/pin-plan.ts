import type { MeterConfig, ToggleConfig } from '../../config/hardware-settings.ts';
import { createProblem } from '../../core/health/problems.ts';
import type { LineFault } from '../device-interfaces.ts';

/** One flow meter's line, ready to be requested. */
export interface MeterLine {
  /** Full name, `<controller>.<port>`. */
  readonly name: string;
  /** Line offset on the chip: the BCM number on a Raspberry Pi. */
  readonly pin: number;
  readonly bias: MeterConfig['bias'];
  readonly edge: MeterConfig['edge'];
}

/** One relay's line, ready to be requested. */
export interface RelayLine {
  /** Full name, `<controller>.<port>`. */
  readonly name: string;
  /** Line offset on the chip: the BCM number on a Raspberry Pi. */
  readonly pin: number;
  readonly activeLow: boolean;
}

/** The lines to open. */
export interface PinPlan {
  readonly meters: readonly MeterLine[];
  readonly relays: readonly RelayLine[];
  /** Uses of a pin that is configured more than once; the first use keeps the pin. */
  readonly faults: readonly LineFault[];
}

/** Gives every pin its full name and rejects the second use of a pin. */
export function planPins(config: {
  readonly controller: string;
  readonly meters: readonly MeterConfig[];
  readonly toggles: readonly ToggleConfig[];
}): PinPlan {
  const owners = new Map<number, string>();
  const faults: LineFault[] = [];
  const isFree = (name: string, pin: number): boolean => {
    const owner = owners.get(pin);
    if (owner === undefined) {
      owners.set(pin, name);
      return true;
    }
    faults.push({ name, problem: createProblem('pin_used_twice', { pin, owner, part: name }) });
    return false;
  };
  const fullName = (port: string): string => `${config.controller}.${port}`;

  const meters = config.meters
    .map((meter) => ({
      name: fullName(meter.port),
      pin: meter.pin,
      bias: meter.bias,
      edge: meter.edge,
    }))
    .filter((line) => isFree(line.name, line.pin));
  const relays = config.toggles
    .map((toggle) => ({ name: fullName(toggle.port), pin: toggle.pin, activeLow: toggle.active_low }))
    .filter((line) => isFree(line.name, line.pin));
  return { meters, relays, faults };
}

/** The numbers of lines for a text; `none` without one. */
export const formatPins = (lines: readonly { readonly pin: number }[]): string =>
  lines.length === 0 ? 'none' : lines.map(({ pin }) => pin).join(', ');
