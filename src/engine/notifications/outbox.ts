import { AppError } from '../../core/app-error.ts';
import { backOffMs, maxAttempts, maxBackOffMs } from '../../core/clock/back-off.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { Problem } from '../../core/health/problems.ts';
import type { OutboxQueue, OutboxRow, OutboxState } from '../../store/notifications/outbox-table.ts';
import type { Store } from '../../store/store.ts';
import { type ActorContext, auditedChange } from '../shared/actor-context.ts';
import { writeAudit } from '../shared/audit.ts';
import { requireFound } from '../shared/bounds.ts';
import { type Page, type PageRequest, readPage } from '../shared/paging.ts';
import { change, type EngineParts } from '../shared/parts.ts';

/** A due message. */
export type OutboxMessage = OutboxRow;

/** What a failure concerns: this message, its receiver, or the transport of its kind. */
export type FailureScope = 'message' | 'receiver' | 'transport';

/** Outcome of one attempt. */
type DeliveryOutcome =
  | { readonly kind: 'sent'; readonly receipt?: string; readonly isForgotten?: true }
  /** There is no receiver any more. */
  | { readonly kind: 'skipped'; readonly problem: Problem }
  | {
      readonly kind: 'failed';
      /** Without secrets. */
      readonly problem: Problem;
      /** True if a retry is useless. */
      readonly isFinal: boolean;
      readonly scope: FailureScope;
      /** Delay before that message, receiver or transport is tried again, milliseconds; at most an hour. */
      readonly retryDelayMs: number;
    };

export interface Delivery {
  readonly message: OutboxMessage;
  readonly outcome: DeliveryOutcome;
}

/** A message as shown to staff, without its content. */
export interface OutboxView {
  readonly id: number;
  readonly kind: string;
  readonly topic: string;
  /** A web address, a mail address, a username, or the name of an alarm channel. */
  readonly recipient: string;
  readonly state: OutboxState;
  readonly attempts: number;
  readonly lastError: Problem | null;
  readonly createdTimeMs: number;
}

/** Who gets a mail. */
interface MailRecipient {
  readonly address: string;
  /** The language that the user has chosen; null without a choice, and for an address without an account. */
  readonly language: string | null;
}

/** Messages to be sent after the commit. Rows are written in the transaction that causes them. */
export type Outbox = ReturnType<typeof createOutbox>;

export function createOutbox(
  parts: EngineParts,
  /** The kinds of messages that nobody sends, since their features are off. */
  unsentKinds: () => readonly string[],
) {
  const { store } = parts;
  const entry = (action: string, id: number) => ({
    action,
    kind: 'message',
    id,
    // Without the target: mail addresses are personal, and web addresses may contain a password.
    snapshot(messageId: number) {
      const row = store.notifications.outbox.byId(messageId);
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
    if (userId !== null) return store.users.byId(userId)?.username ?? target;
    const channelId = /^channel:(\d{1,15})$/.exec(target)?.[1];
    return channelId === undefined
      ? target
      : (store.notifications.alarmChannels.byId(Number(channelId))?.name ?? target);
  };

  return {
    /** Receivers of that kind with due messages, oldest message first. */
    receivers: (kind: string, now: Moment, limit: number): readonly string[] =>
      store.notifications.outbox.receivers(kind, toWallMs(now), maxNotBeforeMs(now), limit),

    /**
     * Due messages for one receiver, oldest first. Delivery is at least once: after a crash they are due again.
     */
    due: (
      receiver: { readonly kind: string; readonly target: string },
      now: Moment,
      limit: number,
    ): readonly OutboxMessage[] =>
      store.notifications.outbox.due({
        ...receiver,
        nowMs: toWallMs(now),
        farMs: maxNotBeforeMs(now),
        limit,
      }),
    hasWaiting: (): boolean => store.notifications.outbox.hasWaiting(),
    /** The waiting and the dead messages of each kind. */
    queues: (): readonly OutboxQueue[] => store.notifications.outbox.queues(),

    /**
     * Records the outcomes in one transaction. Failed messages are postponed or become dead; when a message to
     * an unreachable receiver becomes dead, all messages to it do.
     */
    recordOutcomes(deliveries: readonly Delivery[], now: Moment): void {
      if (deliveries.length === 0) return;
      // Messages that may come twice need no write that waits for the disk.
      const mayRepeat = deliveries.every(({ outcome }) => isForgotten(outcome));
      const transaction = mayRepeat ? store.relaxedRecording : store.recording;
      transaction(() => {
        for (const delivery of deliveries) recordOutcome(store, delivery, now);
      });
    },

    /** Deletes what waits for features that are off: it would wait forever. Writes nothing where nothing waits. */
    removeUnsent(): void {
      for (const kind of unsentKinds().filter(store.notifications.outbox.hasWaitingOf))
        store.transaction(() => store.notifications.outbox.removeWaitingOf(kind));
    },

    /** Makes all postponed messages of that kind due now. */
    retryNow: (kind: string): void => store.transaction(() => store.notifications.outbox.retryNow(kind)),

    /**
     * The current address of a mail's receiver, which may change while it waits; null if it must not be sent.
     */
    mailRecipient(target: string): MailRecipient | null {
      const userId = parseUserId(target);
      if (userId === null) return { address: target, language: null };
      const user = store.users.byId(userId);
      if (!user?.isActive || user.email === '') return null;
      return { address: user.email, language: user.notificationLanguage };
    },

    list({
      state,
      kind,
      ...page
    }: PageRequest & { readonly state?: OutboxState; readonly kind?: string }): Page<OutboxView> {
      const filter = { state: state ?? null, kind: kind ?? null };
      return readPage(page, store.notifications.outbox.count(filter), (slice) =>
        store.notifications.outbox.page(filter, slice).map(view),
      );
    },

    /** Makes a dead message due again. Throws `conflict` for other states, `not_found`. */
    sendAgain: (id: number, context?: ActorContext): OutboxView =>
      auditedChange(parts, context, entry('message.sent_again', id), () => {
        const row = requireFound(store.notifications.outbox.byId(id), `message ${id}`);
        if (row.state !== 'dead') {
          throw new AppError(
            'conflict',
            `Message ${id} is ${row.state}; only a dead message can be sent again.`,
            { reason: { name: 'message_not_failed' } },
          );
        }
        store.notifications.outbox.sendAgain(id);
        return view(store.notifications.outbox.byId(id)!);
      }),

    /** Makes all dead messages of that kind due again; returns their number. */
    sendAllAgain: (kind: string, { actor, now }: ActorContext): number =>
      change(parts, () => {
        const count = store.notifications.outbox.sendAllAgain(kind);
        const subject = { kind: 'outbox', id: kind };
        if (count > 0)
          writeAudit(store, { actor, action: 'outbox.sent_again', subject, after: { count } }, now);
        return count;
      }),

    /** Throws `not_found`. */
    remove: (id: number, context?: ActorContext): void =>
      auditedChange(parts, context, entry('message.deleted', id), () => {
        if (!store.notifications.outbox.remove(id))
          throw new AppError('not_found', `There is no message ${id}.`, { reason: { name: 'not_found' } });
      }),
  };
}

const isForgotten = (outcome: DeliveryOutcome): boolean =>
  outcome.kind === 'sent' && outcome.isForgotten === true;

function recordOutcome(store: Store, { message, outcome }: Delivery, now: Moment): void {
  if (isForgotten(outcome)) {
    store.notifications.outbox.remove(message.id);
    return;
  }
  if (outcome.kind === 'sent' && (message.kind === 'alarm' || message.kind === 'mail'))
    store.notifications.alarmDeliveries.markSent(message.id, toWallMs(now), outcome.receipt ?? null);
  if (outcome.kind !== 'failed') {
    store.notifications.outbox.finish(
      message.id,
      outcome.kind,
      outcome.kind === 'sent' ? null : outcome.problem,
    );
    return;
  }
  const { isFinal, scope, problem } = outcome;
  if (!isFinal && message.attempts + 1 < maxAttempts) {
    store.notifications.outbox.postpone(message.id, toWallMs(now) + waitMs(message, outcome), problem);
    return;
  }
  store.notifications.outbox.giveUp(message.id, problem);
  if (!isFinal && scope !== 'message') {
    store.notifications.outbox.giveUpAll(
      message.kind,
      scope === 'transport' ? null : message.target,
      problem,
    );
  }
}

/** Delay before the failed message itself is due again, milliseconds. */
function waitMs(
  { attempts }: OutboxMessage,
  { scope, retryDelayMs }: { scope: FailureScope; retryDelayMs: number },
): number {
  const waits: Record<FailureScope, number> = {
    message: Math.max(backOffMs(attempts + 1), retryDelayMs),
    // The message stays first in its receiver's queue, which keeps the order.
    receiver: retryDelayMs,
    // Other messages are tried first next time, as this message itself may make the transport fail.
    transport: retryDelayMs * 2,
  };
  return Math.min(Math.round(waits[scope]), maxBackOffMs);
}

function toWallMs({ wallMs }: Moment): number {
  return Math.max(0, Math.round(wallMs));
}

function maxNotBeforeMs(now: Moment): number {
  return toWallMs(now) + maxBackOffMs;
}

/** Parses the user id of a target; null if the target is an address. */
function parseUserId(target: string): number | null {
  const digits = /^user:(\d{1,15})$/.exec(target)?.[1];
  return digits === undefined ? null : Number(digits);
}
