import { omitUndefined } from '../../core/omit-undefined.ts';
import type { HealthPart, HealthRegistry } from '../../system/health.ts';
import type { Logger } from '../../system/log.ts';

/** Reports a problem as one sentence, null when the part works again. The cause goes to the log only. */
export type ReportProblem = (problem: string | null, cause?: unknown) => void;

/**
 * Creates a reporter for a part. Several reporters of one part are independent: one that works hides no
 * other's problem.
 */
type HealthReporters = (part: HealthPart) => ReportProblem;

/** Creates the reporters: problems go to the health registry, with their cause to the log. */
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
      else log.warn({ part, ...omitUndefined({ err: cause }) }, problem);
    };
  };
}
