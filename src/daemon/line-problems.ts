import type { LineFault } from '../devices/ports.ts';

/** What is wrong with our own lines, in the words of the health board; null when all is well. */
export interface LineProblems {
  /** Beer flows uncounted on these. */
  readonly counting: string | null;
  /** Relays that stay shut: a nuisance, but no beer is lost. */
  readonly toggles: string | null;
}

/** Parts the faults of meters from those of `relays`, named in full; one reason that strikes many lines is told once. */
export function lineProblems(faults: readonly LineFault[], relays: ReadonlySet<string>): LineProblems {
  const sentences = (isRelay: boolean) => {
    const problems = faults.filter(({ name }) => relays.has(name) === isRelay).map(({ problem }) => problem);
    return problems.length === 0 ? null : [...new Set(problems)].join(' ');
  };
  return { counting: sentences(false), toggles: sentences(true) };
}
