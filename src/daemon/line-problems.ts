import type { LineFault } from '../devices/device-interfaces.ts';

/** The problems of the local GPIO lines as sentences for the health report; null when there is none. */
export interface LineProblems {
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
