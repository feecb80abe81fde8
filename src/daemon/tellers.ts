import type { HealthBoard, HealthPart } from '../system/health.ts';
import type { Logger } from '../system/log.ts';

/** Where faults are told in a sentence; null when the part is well again. The cause goes to the log only. */
export type Tell = (problem: string | null, cause?: unknown) => void;

/** A way to tell for a part; each asked for is a voice of its own, and one that is well silences no other. */
export type Tellers = (part: HealthPart) => Tell;

/** Makes the ways by which each part says how it is: on the health board for people, with its cause in the log. */
export function createTellers(health: HealthBoard, log: Logger): Tellers {
  const voices = new Map<HealthPart, Map<symbol, string>>();
  return (part) => {
    const voice = Symbol(part);
    const said = voices.get(part) ?? new Map<symbol, string>();
    voices.set(part, said);
    return (problem, cause) => {
      const last = said.get(voice) ?? null;
      if (problem === null) said.delete(voice);
      else said.set(voice, problem);
      health.set(part, ...new Set(said.values()));
      if (problem === last) return;
      if (problem === null) log.info({ part }, 'well again');
      else log.warn({ part, ...(cause === undefined ? {} : { err: cause }) }, problem);
    };
  };
}
