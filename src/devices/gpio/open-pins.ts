import type { Problem } from '../../core/health/problems.ts';
import type { PulseInput, ToggleOutput } from '../device-interfaces.ts';
import type { Roots } from './host-info.ts';
import type { PinPlan } from './pin-plan.ts';

/** Parameters of every pin driver. */
export interface PinRequest {
  readonly plan: PinPlan;
  /** `gpio.chip` of the configuration. */
  readonly chip?: string;
  readonly roots: Roots;
  /** Called when something fails after opening; `relay` names one that could not be switched. */
  readonly report: (problem: Problem, relay?: string) => void;
}

/** Result of every pin driver. Closing the input ends the driver and shuts the toggles. */
export interface OpenPins {
  readonly input: PulseInput;
  readonly toggles: ToggleOutput;
  /** True once no line counts any more: close and open them again. Absent for a driver that cannot end. */
  readonly hasEnded?: () => boolean;
}
