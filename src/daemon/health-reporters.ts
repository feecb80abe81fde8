import type { HealthPart, HealthRegistry } from '../system/health.ts';
import type { Logger } from '../system/log.ts';

/** Where faults are told in a sentence; null when the part is well again. The cause goes to the log only. */
export type ReportProblem = (problem: string | null, cause?: unknown) => void;

/** A way to tell for a part; each asked for is a voice of its own, and one that is well silences no other. */
export type HealthReporters = (part: HealthPart) => ReportProblem;

/** Makes the ways by which each part says how it is: on the health board for people, with its cause in the log. */
export function createHealthReporters(health: HealthRegistry, log: Logger): HealthReporters {
  const problemsByPart = new Map<HealthPart, Map<symbol, string>>();
  return (part) => {
    const reporter = Symbol(part);
    const problems = problemsByPart.get(part) ?? new Map<symbol, string>();
    problemsByPart.set(part, problems);
    return (problem, cause) => {
      const last = problems.get(reporter) ?? null;
      if (problem === null) problems.delete(reporter);
      else problems.set(reporter, problem);
      health.set(part, ...new Set(problems.values()));
      if (problem === last) return;
      if (problem === null) log.info({ part }, 'works again');
      else log.warn({ part, ...(cause === undefined ? {} : { err: cause }) }, problem);
    };
  };
}
