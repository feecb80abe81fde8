import { backOffMs, longestBackOffMs, mostAttempts } from '../core/back-off.ts';
import { KegError } from '../core/keg-error.ts';
import type { Moment } from '../core/moment.ts';
import type { OutboxRow, OutboxState } from '../store/outbox-table.ts';
import { found, readPage } from './bounds.ts';
import { change, type EngineParts } from './parts.ts';
import type { Page, PageRequest } from './views.ts';

export type { OutboxState } from '../store/outbox-table.ts';

/** A message whose time has come. */
export type OutboxMessage = OutboxRow;

/** Who did not do their part: this message alone, its receiver, or the one who carries all of its kind. */
export type Blame = 'message' | 'receiver' | 'carrier';

export interface DeliveryFailure {
  /** One sentence without secrets. */
  readonly error: string;
  /** True when trying again would be in vain. */
  readonly isFinal: boolean;
  readonly blame: Blame;
  /** Failures of the blamed one in a row, this one included; decides on the pause. */
  readonly failures: number;
  /** The receiver's own wish for a pause, milliseconds; cut to the longest of ours. */
  readonly retryAfterMs?: number;
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
  /** The first waiting message of each receiver whose time has come, oldest first. It leaves at least once. */
  due(now: Moment, limit: number): readonly OutboxMessage[];
  hasWaiting(): boolean;
  sent(id: number): void;
  /** Nobody is there to read it any more. */
  skipped(id: number, why: string): void;
  /** Puts it off or gives it up. An unreachable receiver given up takes all its messages with it. Gives the pause, ms. */
  failed(message: OutboxMessage, failure: DeliveryFailure, now: Moment): number;
  list(page: PageRequest & { readonly state?: OutboxState }): Page<OutboxView>;
  /** A message given up is tried anew, at once. Throws `conflict` for any other, `not_found`. */
  sendAgain(id: number): OutboxView;
  /** Throws `not_found`. */
  remove(id: number): void;
}

export function createOutbox(parts: EngineParts): Outbox {
  const { store } = parts;
  const view = (row: OutboxRow): OutboxView => ({
    id: row.id,
    kind: row.kind,
    topic: row.topic,
    recipient: recipientOf(row.target),
    state: row.state,
    attempts: row.attempts,
    lastError: row.lastError,
    createdTimeMs: row.createdTimeMs,
  });
  const recipientOf = (target: string): string => {
    const userId = userIdOf(target);
    return userId === null ? target : (store.users.byId(userId)?.username ?? target);
  };

  return {
    due: (now, limit) =>
      store.outbox.heads(Math.round(now.wallMs), Math.round(now.wallMs) + longestBackOffMs, limit),
    hasWaiting: () => store.outbox.hasWaiting(),
    sent: (id) => store.transaction(() => store.outbox.settle(id, 'sent')),
    skipped: (id, why) => store.transaction(() => store.outbox.settle(id, 'skipped', short(why))),

    failed(message, { error, isFinal, blame, failures, retryAfterMs = 0 }, now) {
      const sentence = short(error);
      const pauseMs = Math.min(Math.max(backOffMs(failures), retryAfterMs), longestBackOffMs);
      store.transaction(() => {
        if (!isFinal && message.attempts + 1 < mostAttempts) {
          const ownMs =
            blame === 'message' ? Math.max(backOffMs(message.attempts + 1), retryAfterMs) : pauseMs;
          const waitMs = Math.min(ownMs, longestBackOffMs);
          store.outbox.putOff(message.id, Math.max(0, Math.round(now.wallMs) + waitMs), sentence);
          return;
        }
        store.outbox.giveUp(message.id, sentence);
        if (isFinal || blame === 'message') return;
        store.outbox.giveUpAll(message.kind, blame === 'carrier' ? null : message.target, sentence);
      });
      return pauseMs;
    },

    list: ({ state, ...page }) =>
      readPage(page, store.outbox.count(state ?? null), (from, limit) =>
        store.outbox.page(state ?? null, from, limit).map(view),
      ),

    sendAgain: (id) =>
      change(parts, () => {
        const row = found(store.outbox.byId(id), `message ${id}`);
        if (row.state !== 'dead') {
          throw new KegError(
            'conflict',
            `Message ${id} is ${row.state}; only one given up can be sent again.`,
          );
        }
        store.outbox.sendAgain(id);
        return view(store.outbox.byId(id)!);
      }),

    remove: (id) =>
      change(parts, () => {
        if (!store.outbox.remove(id)) throw new KegError('not_found', `There is no message ${id}.`);
      }),
  };
}

/** The account a message goes to, or null when it goes to an address. */
export function userIdOf(target: string): number | null {
  const digits = /^user:(\d{1,15})$/.exec(target)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** As much of a sentence as is kept, without line ends. */
function short(sentence: string): string {
  return [...sentence.replace(/\s+/g, ' ').trim()].slice(0, 500).join('');
}
