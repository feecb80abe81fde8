import type { Config, MeterConfig, ToggleConfig } from '../../config/schema.ts';
import { defaultTicksPerMl } from '../../core/pours/calibration.ts';
import type { PulseInput, ToggleOutput } from '../../devices/device-interfaces.ts';
import { createTraffic } from '../../devices/simulated/traffic.ts';
import type { Simulator } from '../../http/ports.ts';
import { monotonicMs } from '../../system/clock-readings.ts';
import type { BaseServices } from '../base-services.ts';

/** The daemon's pins, real or simulated. */
export interface Pins {
  readonly input: PulseInput;
  readonly toggles: ToggleOutput;
  /** Makes simulated pins pulse; null for real pins. */
  readonly simulator: Simulator | null;
  /** One sentence for each driver that was tried: why it is used or not. */
  readonly attempts: readonly string[];
  /** Call it about once a second: opens again what could not be opened or has failed. */
  everySecond(): void;
  /** False when this driver cannot change its lines before the next start. */
  canChange(): boolean;
  /** Full names of the open lines that a change to this hardware releases, also those that are opened again at once. */
  released(next: PinHardware): ReadonlySet<string>;
  /** Opens and releases lines; the faults of those that could not be opened are in `input.faults`. Never rejects. */
  change(next: PinHardware): Promise<void>;
}

/** Meters and relays on pins. */
export interface PinHardware {
  readonly meters: readonly MeterConfig[];
  readonly toggles: readonly ToggleConfig[];
}

/**
 * Opens the configured pins; never rejects: a GPIO line that cannot be opened becomes a fault of that line, until a later
 * attempt opens it.
 */
export async function openPins({
  config,
  hardware,
  bus,
  log,
}: Pick<BaseServices, 'config' | 'hardware' | 'bus' | 'log'>): Promise<Pins> {
  const { controller, gpio } = config;
  let lines: PinHardware = { meters: hardware.meters(), toggles: hardware.toggles() };
  if (gpio.driver === 'simulated') {
    const { createPinSimulator } = await import('./simulated-pins.ts');
    return createPinSimulator(config, lines);
  }
  const { openPins } = await import('../../devices/gpio/choose-driver.ts');
  const { planPins } = await import('../../devices/gpio/pin-plan.ts');
  const { createReopenedPins } = await import('../../devices/gpio/reopen/reopened-pins.ts');
  const { driver, chip } = gpio;
  const openSome = (isWanted: (line: { readonly port: string }) => boolean) =>
    openPins({
      gpio: chip === undefined ? { driver } : { driver, chip },
      controller: controller.name,
      meters: lines.meters.filter(isWanted),
      toggles: lines.toggles.filter(isWanted),
      report(problem, relay) {
        log.warn({ part: 'pins' }, problem.message);
        if (relay !== undefined) bus.publish({ type: 'relay.failed', relay, problem });
      },
    });
  const plan = (next: PinHardware) => planPins({ controller: controller.name, ...next });
  const first = await openSome(() => true);
  const pins = createReopenedPins({
    plan: plan(lines),
    first,
    open: (names) => openSome(({ port }) => names.has(`${controller.name}.${port}`)),
    nowMonoMs: monotonicMs,
    onReopened: (names) => log.info({ part: 'pins', lines: names }, 'GPIO lines were opened'),
    onFault: (err) => log.warn({ part: 'pins', err }, 'GPIO lines could not be released'),
  });
  return {
    ...pins,
    attempts: first.attempts,
    simulator: null,
    released: (next) => pins.released(plan(next)),
    change(next) {
      lines = next;
      return pins.change(plan(next));
    },
  };
}

/** A finer meter than any real one would make more pulses than a pour may have. */
const maxDemoTicksPerMl = 100;

/**
 * Creates the simulated guests of the demo, who have no tokens and pour at taps without a valve only; call the
 * returned function about once a second.
 */
export function createDemoTraffic(
  { controller, meters, taps }: Config,
  simulator: Simulator,
): (monoMs: number) => void {
  const hasValve = (port: string) => taps.some(({ meter, toggle }) => meter === port && toggle !== undefined);
  const traffic = createTraffic({
    meters: meters
      .filter(({ port }) => !hasValve(port))
      .map(({ port, ticks_per_ml }) => ({
        name: `${controller.name}.${port}`,
        ticksPerMl: Math.min(ticks_per_ml ?? defaultTicksPerMl, maxDemoTicksPerMl),
      })),
    random: Math.random,
  });
  return (monoMs) => {
    const guest = traffic.step(monoMs);
    if (guest !== null) simulator.pour(guest);
  };
}
