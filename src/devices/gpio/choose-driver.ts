import type { MeterConfig, ToggleConfig } from '../../config/hardware-settings.ts';
import { createProblem, joinMessages, type Problem } from '../../core/health/problems.ts';
import { toProblems } from '../../core/health/to-problems.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { type DriverName, findDriver, pinDrivers } from './drivers/list.ts';
import { type Roots, systemRoots } from './host-info.ts';
import { openNoPins } from './no-pins.ts';
import type { OpenPins, PinRequest } from './open-pins.ts';
import { planPins } from './pin-plan.ts';

/** The parts of the configuration that concern this machine's own pins. */
export interface OpenPinsOptions {
  readonly gpio: { readonly driver: 'auto' | DriverName; readonly chip?: string };
  /** Name of this machine's controller, the first half of every meter's name. */
  readonly controller: string;
  readonly meters: readonly MeterConfig[];
  readonly toggles: readonly ToggleConfig[];
  /** Where the kernel's file systems are mounted; a test passes folders. */
  readonly roots?: Roots;
  /** Called when something fails after opening. */
  readonly report?: (problem: Problem, relay?: string) => void;
}

/** The pins, the chosen driver (`none` when none works), and one sentence for each driver tried. */
export interface OpenedPins extends OpenPins {
  readonly driver: DriverName | 'none';
  readonly attempts: readonly string[];
}

/**
 * Opens the configured pins with the configured driver; `auto` takes the first that works, never a simulated
 * one. Never rejects: when no driver works, every line is a fault, and the web page and other controllers
 * keep working.
 */
export async function openPins(options: OpenPinsOptions): Promise<OpenedPins> {
  const plan = planPins(options);
  if (plan.meters.length === 0 && plan.relays.length === 0) {
    return { ...openNoPins(plan, createProblem('no_pins')), driver: 'none', attempts: [] };
  }
  const request: PinRequest = {
    plan,
    roots: options.roots ?? systemRoots,
    report: options.report ?? (() => undefined),
    ...omitUndefined({ chip: options.gpio.chip }),
  };
  const chosen = findDriver(options.gpio.driver);
  const candidates = chosen === null ? pinDrivers.filter(({ autoReason }) => autoReason !== null) : [chosen];

  const attempts: string[] = [];
  const problems: Problem[] = [];
  for (const driver of candidates) {
    try {
      const pins = await driver.open(request);
      const reason = chosen === null ? driver.autoReason : 'the configuration asks for it';
      const { name } = driver;
      return { ...pins, driver: name, attempts: [...attempts, `${name} is used, for ${reason}.`] };
    } catch (error) {
      const found = toProblems(error, createProblem('pin_driver_failed', { error: formatError(error) }));
      problems.push(...found);
      attempts.push(`${driver.name} cannot be used: ${joinMessages(found)}`);
    }
  }
  // The first problem is the one to fix: the other drivers are fallbacks.
  return { ...openNoPins(plan, problems[0] ?? createProblem('no_pins')), driver: 'none', attempts };
}

const formatError = (error: unknown): string => (error instanceof Error ? error.message : String(error));
