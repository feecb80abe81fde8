import type { LineFault, PulseInput } from '../../devices/device-interfaces.ts';
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

/** The problems of the local GPIO lines as sentences for the health report; null when there is none. */
interface LineProblems {
  /** Problems of meters: beer flows uncounted. */
  readonly counting: string | null;
  /** Problems of relays: they stay shut, but no beer is lost. */
  readonly toggles: string | null;
}

/**
 * Separates the faults of meters from those of `relays` (full names); a reason shared by several lines
 * appears once.
 */
export function lineProblems(faults: readonly LineFault[], relays: ReadonlySet<string>): LineProblems {
  const sentences = (isRelay: boolean) => {
    const problems = faults.filter(({ name }) => relays.has(name) === isRelay).map(({ problem }) => problem);
    return problems.length === 0 ? null : [...new Set(problems)].join(' ');
  };
  return { counting: sentences(false), toggles: sentences(true) };
}
