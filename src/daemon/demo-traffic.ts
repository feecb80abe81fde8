import { createTraffic } from '../devices/traffic.ts';
import type { Hardware } from '../engine/engine.ts';
import type { Simulator } from '../http/ports.ts';

/** Simulated guests at the simulated taps; step it about once a second. */
export function demoTraffic(hardware: Hardware, simulator: Simulator): (monoMs: number) => void {
  const meters = hardware.meters().filter(({ name }) => simulator.meters.includes(name));
  const traffic = createTraffic({ meters, random: Math.random });
  return (monoMs) => {
    const guest = traffic.step(monoMs);
    if (guest !== null) simulator.pulse(guest);
  };
}
