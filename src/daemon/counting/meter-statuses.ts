import type { PulseInput } from '../../devices/device-interfaces.ts';
import type { MeterStatus } from '../../http/ports.ts';

/** The state of each local meter, as the page shows it. */
export function toMeterStatuses(input: PulseInput): readonly MeterStatus[] {
  const faults = input.faults.map(
    ({ name, problem }): MeterStatus => ({ meter: name, state: 'fault', problem }),
  );
  const faulty = new Set(faults.map(({ meter }) => meter));
  const others = input.lines().filter(({ name }) => !faulty.has(name));
  return [...faults, ...others.map(({ name, lost }) => toMeterStatus(name, lost, input.driver))];
}

function toMeterStatus(meter: string, lost: number | null, driver: string): MeterStatus {
  if (driver === 'simulated') return { meter, state: 'simulated', problem: null };
  if (lost === 0) return { meter, state: 'counting', problem: null };
  if (lost === null) {
    return {
      meter,
      state: 'losing',
      problem: `The pin driver "${driver}" cannot prove that it counts every tick.`,
    };
  }
  return { meter, state: 'losing', problem: `${lost} ticks were missed on ${meter} since the start.` };
}
