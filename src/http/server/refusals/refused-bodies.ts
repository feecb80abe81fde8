import type { Request, Response } from 'express';
import type { Clock } from '../../../core/clock/moment.ts';
import type { Scheduler } from '../../ports.ts';
import { HitCounter } from '../hit-counter.ts';
import { toAddressGroup } from '../overload.ts';
import { overloadLimits } from '../overload-limits.ts';
import { holdAnswer } from './held-answers.ts';

/** Slows down addresses whose long bodies are refused again and again. */
export interface RefusedBodies {
  /** To be called before a sender who is not known is refused; resolves when the answer is due, undefined: at once. */
  beforeAnswer(refused: { request: Request; response: Response }): Promise<void> | undefined;
}

/**
 * The first refusals of an address are answered at once, so that a person who mistypes sees the error. Further ones are held
 * back: a long body costs as much as several requests, however early it is refused, and its client sends the next at once.
 */
export function createRefusedBodies({
  clock,
  scheduler,
  limits = overloadLimits.refusedBodies,
}: {
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly limits?: Readonly<Record<keyof typeof overloadLimits.refusedBodies, number>>;
}): RefusedBodies {
  const { minBytes, perWindow, windowMs, refusalMs } = limits;
  const refusals = new HitCounter({ now: () => clock.now().monoMs });
  refusals.init({ windowMs });
  return {
    beforeAnswer({ request, response }) {
      if (bodyBytes(request) < minBytes) return undefined;
      const { totalHits } = refusals.increment(toAddressGroup(request.ip));
      return totalHits > perWindow ? holdAnswer(response, refusalMs, scheduler) : undefined;
    },
  };
}

/** Bytes of the body as announced; of one in chunks they are unknown. */
const bodyBytes = ({ headers }: Request): number =>
  headers['transfer-encoding'] === undefined
    ? Number(headers['content-length'] ?? 0)
    : Number.POSITIVE_INFINITY;
