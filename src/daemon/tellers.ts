import type { HealthBoard, HealthPart } from '../system/health.ts';
import type { Logger } from '../system/log.ts';

/** Where faults are told in a sentence; null when the part is well again. The cause goes to the log only. */
export type Tell = (problem: string | null, cause?: unknown) => void;

/** One way to tell for each part. */
export type Tellers = (part: HealthPart) => Tell;

/** Makes the ways by which each part says how it is: on the health board for people, with its cause in the log. */
export function createTellers(health: HealthBoard, log: Logger): Tellers {
  return (part) => {
    let last: string | null = null;
    return (problem, cause) => {
      health.set(part, ...(problem === null ? [] : [problem]));
      if (problem === last) return;
      last = problem;
      if (problem === null) log.info({ part }, 'well again');
      else log.warn({ part, ...(cause === undefined ? {} : { err: cause }) }, problem);
    };
  };
}
