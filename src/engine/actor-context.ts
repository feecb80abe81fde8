import type { Moment } from '../core/moment.ts';
import { type Actor, writeAudit } from './audit.ts';
import { change, type EngineParts } from './parts.ts';

/** Somebody who has a change made, and when: it then stands in the book. */
export interface ActorContext {
  readonly actor: Actor;
  readonly now: Moment;
}

/** How a change is written into the book. */
export interface AuditedSubject<T> {
  /** Subject and past tense, `tap.deleted`. */
  readonly action: string;
  readonly kind: string;
  /** Of what is changed, or found in what was made. */
  readonly id: number | ((created: T) => number);
  /** What there is under that id now; null when there is nothing. Never secrets. */
  readonly snapshot: (id: number) => unknown;
}

/** Does one thing wholly or not at all, as `change` does, and writes down who did it when somebody's hand did. */
export function auditedChange<T>(
  parts: EngineParts,
  context: ActorContext | undefined,
  { action, kind, id, snapshot }: AuditedSubject<T>,
  work: () => T,
): T {
  if (context === undefined) return change(parts, work);
  return change(parts, () => {
    const before = typeof id === 'number' ? snapshot(id) : null;
    const result = work();
    const subjectId = typeof id === 'number' ? id : id(result);
    const subject = { kind, id: subjectId };
    writeAudit(
      parts.store,
      { actor: context.actor, action, subject, before, after: snapshot(subjectId) },
      context.now,
    );
    return result;
  });
}

/** The same where the time of the change is known anyway. */
export const toActorContext = (actor: Actor | undefined, now: Moment): ActorContext | undefined =>
  actor && { actor, now };
