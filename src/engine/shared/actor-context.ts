import type { Moment } from '../../core/clock/moment.ts';
import type { WriteKind } from '../../core/health/disk-reserve.ts';
import { type Actor, writeAudit } from './audit.ts';
import { change, type EngineParts } from './parts.ts';

/** The person who makes a change, and when, for the audit log. */
export interface ActorContext {
  readonly actor: Actor;
  readonly now: Moment;
}

/** The result of a change, and the id by which it is undone; null when nothing was changed. */
export interface Corrected<T> {
  readonly result: T;
  readonly correctionId: number | null;
}

/** How a change is written to the audit log. */
export interface AuditedSubject<T> {
  /** Subject and past tense, `tap.deleted`. */
  readonly action: string;
  readonly kind: string;
  /** Id of the changed object, or a function that gets it from the created one. */
  readonly id: number | ((created: T) => number);
  /** Default: `removal` for an action that ends in `deleted` or `removed`, else `change`. */
  readonly writes?: WriteKind;
  /** Reads the object's current values for the log; null when there is none. Never secrets. */
  readonly snapshot: (id: number) => unknown;
  /** Called in the transaction with the id of the entry. */
  readonly logged?: (entryId: number) => void;
}

/** Runs `work` in one transaction like `change`; with a context, also writes the change to the audit log. */
export function auditedChange<T>(
  parts: EngineParts,
  context: ActorContext | undefined,
  { action, kind, id, snapshot, writes = defaultWrites(action), logged }: AuditedSubject<T>,
  work: () => T,
): T {
  if (context === undefined) return change(parts, work, writes);
  const audited = () => {
    const before = typeof id === 'number' ? snapshot(id) : null;
    const result = work();
    const subjectId = typeof id === 'number' ? id : id(result);
    const subject = { kind, id: subjectId };
    const entryId = writeAudit(
      parts.store,
      { actor: context.actor, action, subject, before, after: snapshot(subjectId) },
      context.now,
    );
    logged?.(entryId);
    return result;
  };
  return change(parts, audited, writes);
}

const defaultWrites = (action: string): WriteKind =>
  /(?:deleted|removed)$/.test(action) ? 'removal' : 'change';

/** Combines actor and time into a context; undefined without an actor. */
export const toActorContext = (actor: Actor | undefined, now: Moment): ActorContext | undefined =>
  actor && { actor, now };
