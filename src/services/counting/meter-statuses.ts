import { createProblem, type Problem } from '../../core/health/problems.ts';
import type { LineFault, PulseInput } from '../../devices/device-interfaces.ts';
import type { MeterStatus } from '../../http/ports.ts';

/** The state of each local meter, as the page shows it; `relays` are the full names of what is no meter. */
export function toMeterStatuses(input: PulseInput, relays: ReadonlySet<string>): readonly MeterStatus[] {
  const faults = input.faults
    .filter(({ name }) => !relays.has(name))
    .map(({ name, problem }): MeterStatus => ({ meter: name, state: 'fault', problem }));
  const faulty = new Set(faults.map(({ meter }) => meter));
  const others = input.lines().filter(({ name }) => !faulty.has(name));
  return [...faults, ...others.map(({ name, lost }) => toMeterStatus(name, lost, input.driver))];
}

function toMeterStatus(meter: string, lost: number | null, driver: string): MeterStatus {
  if (driver === 'simulated') return { meter, state: 'simulated', problem: null };
  if (lost === 0) return { meter, state: 'counting', problem: null };
  if (lost === null) return { meter, state: 'losing', problem: createProblem('losses_unknown', { driver }) };
  return { meter, state: 'losing', problem: createProblem('ticks_missed', { ticks: lost, meter }) };
}

/** The problems of the local GPIO lines for the health report. */
interface LineProblems {
  /** Problems of meters: beer flows uncounted. */
  readonly counting: readonly Problem[];
  /** Problems of relays: they stay shut, but no beer is lost. */
  readonly toggles: readonly Problem[];
}

/** Separates the faults of meters from those of `relays` (full names). */
export function lineProblems(faults: readonly LineFault[], relays: ReadonlySet<string>): LineProblems {
  const listProblems = (isRelay: boolean) =>
    faults.filter(({ name }) => relays.has(name) === isRelay).map(({ problem }) => problem);
  return { counting: listProblems(false), toggles: listProblems(true) };
}
