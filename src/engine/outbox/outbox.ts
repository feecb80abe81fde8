import { AppError } from '../../core/app-error.ts';
import { backOffMs, maxAttempts, maxBackOffMs } from '../../core/back-off.ts';
import type { Moment } from '../../core/moment.ts';
import type { Store } from '../../store/store.ts';
import type { OutboxRow, OutboxState } from '../../store/tables/outbox-table.ts';
import { type ActorContext, auditedChange } from '../actor-context.ts';
import { writeAudit } from '../audit.ts';
import { readPage, requireFound } from '../bounds.ts';
import { change, type EngineParts } from '../parts.ts';
import type { Page, PageRequest } from '../views.ts';

export type { OutboxState } from '../../store/tables/outbox-table.ts';

/** A message whose time has come. */
export type OutboxMessage = OutboxRow;

/** Who did not do their part: this message alone, its receiver, or the one who carries all of its kind. */
export type Blame = 'message' | 'receiver' | 'transport';

/** What became of one try. */
export type DeliveryOutcome =
  | { readonly kind: 'sent' }
  /** Nobody is there to read it any more. */
  | { readonly kind: 'skipped'; readonly reason: string }
  | {
      readonly kind: 'failed';
      /** One sentence without secrets. */
      readonly error: string;
      /** True when trying again would be in vain. */
      readonly isFinal: boolean;
      readonly blame: Blame;
      /** How long the blamed one is left alone, milliseconds; cut to an hour. */
      readonly retryDelayMs: number;
    };

export interface Delivery {
  readonly message: OutboxMessage;
  readonly outcome: DeliveryOutcome;
}

/** A message as staff see it: never what it says. */
export interface OutboxView {
  readonly id: number;
  readonly kind: string;
  readonly topic: string;
  /** A web address, a mail address, or a username. */
  readonly recipient: string;
  readonly state: OutboxState;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly createdTimeMs: number;
}

/** What leaves the house after the commit. Rows are written in the transaction that causes them. */
export interface Outbox {
  /** Receivers of that kind for whom something is due, the longest waiting first. */
  receivers(kind: string, now: Moment, limit: number): readonly string[];
  /** What is due for one of them, oldest first. It leaves at least once: after a crash it is due again. */
  due(
    receiver: { readonly kind: string; readonly target: string },
    now: Moment,
    limit: number,
  ): readonly OutboxMessage[];
  hasWaiting(): boolean;
  /**
   * Writes down what became of them, in one transaction. What failed is put off or given up; an unreachable receiver
   * that is given up takes all its messages with it.
   */
  recordOutcomes(deliveries: readonly Delivery[], now: Moment): void;
  /** Puts nothing of that kind off any longer: what stood in its way is mended. */
  retryNow(kind: string): void;
  /** Where a mail goes now: addresses change, and people leave, while it waits. Null: nobody is to get it. */
  mailAddress(target: string): string | null;
  list(page: PageRequest & { readonly state?: OutboxState; readonly kind?: string }): Page<OutboxView>;
  /** A message given up is tried anew, at once. Throws `conflict` for any other, `not_found`. */
  sendAgain(id: number, context?: ActorContext): OutboxView;
  /** Everything of that kind that was given up is tried anew; gives how many there were. */
  sendAllAgain(kind: string, context: ActorContext): number;
  /** Throws `not_found`. */
  remove(id: number, context?: ActorContext): void;
}

export function createOutbox(parts: EngineParts): Outbox {
  const { store } = parts;
  const entry = (action: string, id: number) => ({
    action,
    kind: 'message',
    id,
    // Receivers' addresses are personal, and web addresses may hold a password.
    snapshot(messageId: number) {
      const row = store.outbox.byId(messageId);
      return row && { kind: row.kind, topic: row.topic, state: row.state };
    },
  });
  const view = (row: OutboxRow): OutboxView => ({
    id: row.id,
    kind: row.kind,
    topic: row.topic,
    recipient: toRecipient(row.target),
    state: row.state,
    attempts: row.attempts,
    lastError: row.lastError,
    createdTimeMs: row.createdTimeMs,
  });
  const toRecipient = (target: string): string => {
    const userId = parseUserId(target);
    return userId === null ? target : (store.users.byId(userId)?.username ?? target);
  };

  return {
    receivers: (kind, now, limit) => store.outbox.receivers(kind, toWallMs(now), maxNotBeforeMs(now), limit),
    due: (receiver, now, limit) =>
      store.outbox.due({ ...receiver, nowMs: toWallMs(now), farMs: maxNotBeforeMs(now), limit }),
    hasWaiting: () => store.outbox.hasWaiting(),
    recordOutcomes(deliveries, now) {
      if (deliveries.length === 0) return;
      store.transaction(() => {
        for (const delivery of deliveries) recordOutcome(store, delivery, now);
      });
    },

    retryNow: (kind) => store.transaction(() => store.outbox.retryNow(kind)),
    mailAddress(target) {
      const userId = parseUserId(target);
      if (userId === null) return target;
      const user = store.users.byId(userId);
      return user?.isActive && user.email !== '' ? user.email : null;
    },

    list({ state, kind, ...page }) {
      const cut = { state: state ?? null, kind: kind ?? null };
      return readPage(page, store.outbox.count(cut), (from, limit) =>
        store.outbox.page(cut, from, limit).map(view),
      );
    },

    sendAgain: (id, context) =>
      auditedChange(parts, context, entry('message.sent_again', id), () => {
        const row = requireFound(store.outbox.byId(id), `message ${id}`);
        if (row.state !== 'dead') {
          throw new AppError(
            'conflict',
            `Message ${id} is ${row.state}; only one given up can be sent again.`,
          );
        }
        store.outbox.sendAgain(id);
        return view(store.outbox.byId(id)!);
      }),

    sendAllAgain: (kind, { actor, now }) =>
      change(parts, () => {
        const count = store.outbox.sendAllAgain(kind);
        const subject = { kind: 'outbox', id: kind };
        if (count > 0)
          writeAudit(store, { actor, action: 'outbox.sent_again', subject, after: { count } }, now);
        return count;
      }),

    remove: (id, context) =>
      auditedChange(parts, context, entry('message.deleted', id), () => {
        if (!store.outbox.remove(id))
          throw new AppError('not_found', `There is no message ${id}.`, { reason: { name: 'not_here' } });
      }),
  };
}

function recordOutcome(store: Store, { message, outcome }: Delivery, now: Moment): void {
  if (outcome.kind !== 'failed') {
    store.outbox.finish(message.id, outcome.kind, outcome.kind === 'sent' ? null : shorten(outcome.reason));
    return;
  }
  const { isFinal, blame } = outcome;
  const error = shorten(outcome.error);
  if (!isFinal && message.attempts + 1 < maxAttempts) {
    store.outbox.postpone(message.id, toWallMs(now) + waitMs(message, outcome), error);
    return;
  }
  store.outbox.giveUp(message.id, error);
  if (!isFinal && blame !== 'message') {
    store.outbox.giveUpAll(message.kind, blame === 'transport' ? null : message.target, error);
  }
}

/** How long a message that failed waits itself, milliseconds. */
function waitMs(
  { attempts }: OutboxMessage,
  { blame, retryDelayMs }: { blame: Blame; retryDelayMs: number },
): number {
  const waits: Record<Blame, number> = {
    message: Math.max(backOffMs(attempts + 1), retryDelayMs),
    // First in the queue it is tried first, so that a receiver hears of things in their order.
    receiver: retryDelayMs,
    // Others go first next time: it may be this very message that the carrier cannot bear.
    transport: retryDelayMs * 2,
  };
  return Math.min(Math.round(waits[blame]), maxBackOffMs);
}

function toWallMs({ wallMs }: Moment): number {
  return Math.max(0, Math.round(wallMs));
}

function maxNotBeforeMs(now: Moment): number {
  return toWallMs(now) + maxBackOffMs;
}

/** The account a message goes to, or null when it goes to an address. */
function parseUserId(target: string): number | null {
  const digits = /^user:(\d{1,15})$/.exec(target)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** As much of a sentence as is kept, without line ends. */
function shorten(sentence: string): string {
  return [...sentence.replace(/\s+/g, ' ').trim()].slice(0, 500).join('');
}
