import type { Config } from '../../config/schema.ts';
import { defaultTicksPerMl } from '../../core/pours/calibration.ts';
import { createTraffic } from '../../devices/simulated/traffic.ts';
import type { Simulator } from '../../http/ports.ts';

/** Creates the simulated guests of the demo; call the returned function about once a second. */
export function createDemoTraffic(
  { controller, meters }: Config,
  simulator: Simulator,
): (monoMs: number) => void {
  const traffic = createTraffic({
    meters: meters.map(({ port, ticks_per_ml }) => ({
      name: `${controller.name}.${port}`,
      ticksPerMl: ticks_per_ml ?? defaultTicksPerMl,
    })),
    random: Math.random,
  });
  return (monoMs) => {
    const guest = traffic.step(monoMs);
    if (guest !== null) simulator.pulse(guest);
  };
}
