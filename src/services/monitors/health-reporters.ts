import { joinMessages, type Problem } from '../../core/health/problems.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { HealthPart, HealthRegistry } from '../../system/health/health.ts';
import type { Logger } from '../../system/log/log.ts';

/** Reports problems, none when the part works again. The cause goes to the log only. */
export type ReportProblem = (problems: readonly Problem[], cause?: unknown) => void;

/**
 * Creates a reporter for a part. Several reporters of one part are independent: one that works hides no
 * other's problem.
 */
export type HealthReporters = (part: HealthPart) => ReportProblem;

/** Creates the reporters: problems go to the health registry, with their cause to the log. */
export function createHealthReporters(health: HealthRegistry, log: Logger): HealthReporters {
  const problemsByPart = new Map<HealthPart, Map<symbol, readonly Problem[]>>();
  return (part) => {
    const reporter = Symbol(part);
    const current = problemsByPart.get(part) ?? new Map<symbol, readonly Problem[]>();
    problemsByPart.set(part, current);
    let lastText: string | null = null;
    return (problems, cause) => {
      current.set(reporter, problems);
      const byText = new Map([...current.values()].flat().map((problem) => [problem.message, problem]));
      health.set(part, ...byText.values());
      const text = joinMessages(problems);
      if (text === lastText) return;
      lastText = text;
      if (text === null) log.info({ part }, 'works again');
      else log.warn({ part, ...omitUndefined({ err: cause }) }, text);
    };
  };
}
