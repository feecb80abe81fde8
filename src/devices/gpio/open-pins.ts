import type { PulseInput, ToggleOutput } from '../ports.ts';
import type { Roots } from './host-info.ts';
import type { PinPlan } from './pin-plan.ts';

/** What every driver is given. */
export interface PinRequest {
  readonly plan: PinPlan;
  /** `gpio.chip` of the configuration. */
  readonly chip?: string;
  readonly roots: Roots;
  /** Told one sentence when something goes wrong after opening; `relay` names one that could not be switched. */
  readonly report: (problem: string, relay?: string) => void;
}

/** What every driver gives back. Closing the input ends the driver; the toggles are shut with it. */
export interface OpenPins {
  readonly input: PulseInput;
  readonly toggles: ToggleOutput;
}
