import type { Moment } from '../core/moment.ts';
import { type Actor, writeAudit } from './audit.ts';
import { change, type EngineParts } from './parts.ts';

/** Somebody who has a change made, and when: it then stands in the book. */
export interface ByHand {
  readonly by: Actor;
  readonly now: Moment;
}

/** How a change is written into the book. */
export interface Entry<T> {
  /** Subject and past tense, `tap.deleted`. */
  readonly action: string;
  readonly kind: string;
  /** Of what is changed, or found in what was made. */
  readonly id: number | ((made: T) => number);
  /** What there is under that id now; null when there is nothing. Never secrets. */
  readonly look: (id: number) => unknown;
}

/** Does one thing wholly or not at all, as `change` does, and writes down who did it when somebody's hand did. */
export function changeByHand<T>(
  parts: EngineParts,
  hand: ByHand | undefined,
  { action, kind, id, look }: Entry<T>,
  work: () => T,
): T {
  if (hand === undefined) return change(parts, work);
  return change(parts, () => {
    const before = typeof id === 'number' ? look(id) : null;
    const result = work();
    const subjectId = typeof id === 'number' ? id : id(result);
    const subject = { kind, id: subjectId };
    writeAudit(parts.store, { by: hand.by, action, subject, before, after: look(subjectId) }, hand.now);
    return result;
  });
}

/** The same where the time of the change is known anyway. */
export const handOf = (by: Actor | undefined, now: Moment): ByHand | undefined => by && { by, now };
