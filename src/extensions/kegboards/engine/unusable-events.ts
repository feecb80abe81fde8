import { AppError } from '../../../core/app-error.ts';
import { createProblem, type Problem } from '../../../core/health/problems.ts';
import type { BatchContext } from './batch-context.ts';
import { wallMs } from './kegboard-pairing.ts';

/** A pour that cannot be recorded. */
interface UnusablePour {
  readonly eventId: number;
  /** For programmers. */
  readonly reason: string;
  /** Names of the wrong fields. */
  readonly fields?: string;
  /** The event as received. */
  readonly raw: string;
  readonly problems?: readonly Problem[];
}

/** Keeps a pour for staff in place of a drink. */
export function setAside(
  context: BatchContext,
  { eventId, reason, fields = '', raw, ...pour }: UnusablePour,
): void {
  const { tables, board, bootId, now, problems } = context;
  const timeMs = wallMs(now);
  tables.refusedPours.add({
    device: board.device,
    bootId,
    eventId,
    reason: shorten(reason),
    event: raw,
    timeMs,
  });
  problems.push(
    ...(pour.problems ?? [createProblem('kegboard_pour_set_aside', { fields: fields || 'unknown' })]),
  );
}

/** Tells staff of an event that was left out. */
export function noteUnusable({ problems }: BatchContext, type: string, fields: string): void {
  problems.push(createProblem('kegboard_event_unusable', { type, fields: fields || 'unknown' }));
}

export const describeFault = ({ message, fields = {} }: AppError) => ({
  reason: message,
  fields: Object.keys(fields).join(', '),
});

export const shorten = (text: string): string => [...text].slice(0, 300).join('');

/** Returns a permanent error of one event; rethrows a temporary one, so that the event is delivered again. */
export function requirePermanent(fault: unknown): AppError {
  if (fault instanceof AppError && fault.code !== 'unavailable' && fault.code !== 'internal') return fault;
  throw fault;
}
