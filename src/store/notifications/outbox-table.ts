import { createProblem, type Problem } from '../../core/health/problems.ts';
import type { Database } from '../database.ts';
import { preparePages, type Slice } from '../shared/slice.ts';

export type OutboxState = 'waiting' | 'sent' | 'skipped' | 'dead';

/** A message in the outbox. */
export interface OutboxRow {
  readonly id: number;
  /** 32 hexadecimal digits, the same for every attempt. */
  readonly uid: string;
  /** Name of the transport: `mail`, `webhook`, `alarm`, or that of an extension. */
  readonly kind: string;
  /** A web address, a mail address, `user:<id>`, or `channel:<id>`. */
  readonly target: string;
  /** Kind of the event, or name of the email template. */
  readonly topic: string;
  /** JSON. */
  readonly payload: string;
  readonly createdTimeMs: number;
  readonly state: OutboxState;
  /** Not attempted before this time, Unix milliseconds; 0: at once. */
  readonly notBeforeMs: number;
  readonly attempts: number;
  readonly lastError: Problem | null;
}

/** The messages of one kind in one state. */
export interface OutboxQueue {
  readonly kind: string;
  readonly state: OutboxState;
  readonly count: number;
  /** Creation of the oldest, Unix milliseconds. */
  readonly oldestMs: number;
}

/** Events of a span of time; null: of all kinds. */
export interface EventSpan {
  readonly fromMs: number;
  /** Exclusive. */
  readonly untilMs: number;
  readonly kinds: readonly string[] | null;
}

/** Filter for a list of messages; null matches all. */
interface OutboxFilter {
  readonly state: OutboxState | null;
  readonly kind: string | null;
}

interface SpanParams {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly kinds: string | null;
}

const toSpanParams = ({ kinds, ...span }: EventSpan): SpanParams => ({
  ...span,
  kinds: kinds && JSON.stringify(kinds),
});

/** A message to be sent. */
interface NewMessage {
  readonly kind: string;
  readonly target: string;
  readonly topic: string;
  /** JSON. */
  readonly payload: string;
  readonly createdTimeMs: number;
  /** The event that it tells: one message for each receiver. */
  readonly eventId?: number;
  /** Waiting messages of its receiver at most; `maxWaiting` unless given. */
  readonly maxWaiting?: number;
}

interface Row {
  id: number;
  uid: string;
  kind: string;
  target: string;
  topic: string;
  payload: string;
  created_time_ms: number;
  state: OutboxState;
  not_before_ms: number;
  attempts: number;
  last_error: string | null;
}

/** Waiting messages of one receiver at most; the oldest beyond that are given up. */
export const maxWaiting = 1_000;

/**
 * Whether waiting messages of a receiver that may have more are counted when this one is added. Counting so many would slow each
 * pour down, so it is done at one message of 64. Multiplied, because ids of one kind may all be odd with others in between.
 */
const isLimitDue = (id: number): boolean => Math.imul(id, 0x9e3779b1) >>> 26 === 0;

/** Messages that are waiting, sent, skipped or dead. Triggers limit the number of those that are done. */
export function outboxTable(db: Database) {
  const insert = db
    .prepare<Omit<NewMessage, 'eventId' | 'maxWaiting'> & { eventId: number | null }, number>(
      `INSERT INTO outbox (kind, target, topic, payload, event_id, created_time_ms)
       VALUES (@kind, @target, @topic, @payload, @eventId, @createdTimeMs) RETURNING id`,
    )
    .pluck();
  const limit = db.prepare<{ kind: string; target: string; most: number; error: string }>(
    `UPDATE outbox SET state = 'dead', last_error = @error
     WHERE state = 'waiting' AND kind = @kind AND target = @target AND id <=
       (SELECT id FROM outbox WHERE state = 'waiting' AND kind = @kind AND target = @target
        ORDER BY id DESC LIMIT 1 OFFSET @most)`,
  );
  const displaced = JSON.stringify(createProblem('message_displaced'));
  const limitWaiting = (kind: string, target: string, most = maxWaiting) =>
    limit.run({ kind, target, most, error: displaced });
  const byId = db.prepare<[number], Row>('SELECT * FROM outbox WHERE id = ?');
  // A time further in the future than any retry delay was written before the clock stepped back: the message
  // is due.
  const dueCondition =
    "state = 'waiting' AND kind = @kind AND (not_before_ms <= @nowMs OR not_before_ms > @farMs)";
  const receivers = db
    .prepare<{ kind: string; nowMs: number; farMs: number; limit: number }, string>(
      `SELECT target FROM outbox WHERE ${dueCondition} GROUP BY target ORDER BY min(id) LIMIT @limit`,
    )
    .pluck();
  const due = db.prepare<{ kind: string; target: string; nowMs: number; farMs: number; limit: number }, Row>(
    `SELECT * FROM outbox WHERE ${dueCondition} AND target = @target ORDER BY id LIMIT @limit`,
  );
  const isWaiting = db.prepare<[], number>("SELECT 1 FROM outbox WHERE state = 'waiting' LIMIT 1").pluck();
  const finish = db.prepare<{ id: number; state: OutboxState; error: string | null }>(
    `UPDATE outbox SET state = @state, last_error = @error, attempts = attempts + 1, payload = '{}'
     WHERE id = @id AND state = 'waiting'`,
  );
  const postpone = db.prepare<{ id: number; notBeforeMs: number; error: string }>(
    `UPDATE outbox SET attempts = attempts + 1, not_before_ms = @notBeforeMs, last_error = @error
     WHERE id = @id AND state = 'waiting'`,
  );
  const retryNow = db.prepare<[string]>(
    "UPDATE outbox SET not_before_ms = 0 WHERE state = 'waiting' AND kind = ? AND not_before_ms > 0",
  );
  const giveUp = db.prepare<{ id: number; error: string }>(
    `UPDATE outbox SET state = 'dead', attempts = attempts + 1, last_error = @error
     WHERE id = @id AND state = 'waiting'`,
  );
  const giveUpAll = db.prepare<{ kind: string; target: string | null; error: string }>(
    `UPDATE outbox SET state = 'dead', last_error = @error
     WHERE state = 'waiting' AND kind = @kind AND (@target IS NULL OR target = @target)`,
  );
  const again = db.prepare<[number]>(
    "UPDATE outbox SET state = 'waiting', attempts = 0, not_before_ms = 0 WHERE id = ? AND state = 'dead'",
  );
  const allAgain = db.prepare<[string]>(
    "UPDATE outbox SET state = 'waiting', attempts = 0, not_before_ms = 0 WHERE kind = ? AND state = 'dead'",
  );
  const remove = db.prepare<[number]>('DELETE FROM outbox WHERE id = ?');
  const hasWaitingOf = db
    .prepare<[string], number>("SELECT 1 FROM outbox WHERE state = 'waiting' AND kind = ? LIMIT 1")
    .pluck();
  const removeWaitingOf = db.prepare<[string]>("DELETE FROM outbox WHERE state = 'waiting' AND kind = ?");
  const removeForTarget = db.prepare<{ kind: string; target: string }>(
    "DELETE FROM outbox WHERE kind = @kind AND target = @target AND state IN ('waiting', 'dead')",
  );
  const matches = '(@state IS NULL OR state = @state) AND (@kind IS NULL OR kind = @kind)';
  const page = preparePages<Row>(db, { select: 'SELECT * FROM outbox', where: matches });
  const count = db.prepare<OutboxFilter, number>(`SELECT count(*) FROM outbox WHERE ${matches}`).pluck();
  const queues = db.prepare<[], OutboxQueue>(
    `SELECT kind, state, count(*) AS count, min(created_time_ms) AS oldestMs FROM outbox
     WHERE state IN ('waiting', 'dead') GROUP BY kind, state`,
  );
  const ofSpan = `e.time_ms >= @fromMs AND e.time_ms < @untilMs
    AND (@kinds IS NULL OR e.kind IN (SELECT value FROM json_each(@kinds)))`;
  const countEvents = db.prepare<SpanParams, number>(`SELECT count(*) FROM events e WHERE ${ofSpan}`).pluck();
  const removeDone = db.prepare<SpanParams & { target: string }>(
    `DELETE FROM outbox WHERE kind = 'webhook' AND target = @target AND state <> 'waiting'
       AND event_id IN (SELECT e.id FROM events e WHERE ${ofSpan})`,
  );
  const queueEvents = db.prepare<SpanParams & { target: string; nowMs: number }>(
    `INSERT OR IGNORE INTO outbox (kind, target, topic, payload, event_id, created_time_ms)
       SELECT 'webhook', @target, e.kind, json_object('id', e.id, 'kind', e.kind, 'time_ms', e.time_ms, 'drink_id', e.drink_id,
         'keg_id', e.keg_id, 'session_id', e.session_id, 'user_id', e.user_id, 'merged_session_id', e.merged_session_id), e.id, @nowMs FROM events e
       WHERE ${ofSpan} ORDER BY e.id`,
  );
  const countFor = db
    .prepare<{ kind: string; target: string; state: OutboxState }, number>(
      'SELECT count(*) FROM outbox WHERE kind = @kind AND target = @target AND state = @state',
    )
    .pluck();
  return {
    /** Returns its id. */
    add({ maxWaiting: most = maxWaiting, ...message }: NewMessage): number {
      const id = insert.get({ ...message, eventId: message.eventId ?? null })!;
      if (most <= maxWaiting || isLimitDue(id)) limitWaiting(message.kind, message.target, most);
      return id;
    },
    /** Number of events of the span. */
    countEvents: (span: EventSpan): number => countEvents.get(toSpanParams(span))!,
    /** Queues a webhook's events of the span once more; those that wait already are not doubled. Returns their number. */
    queueEvents(target: string, span: EventSpan, nowMs: number): number {
      const params = { ...toSpanParams(span), target };
      removeDone.run(params);
      const { changes } = queueEvents.run({ ...params, nowMs });
      limitWaiting('webhook', target);
      return changes;
    },
    byId: (id: number): OutboxRow | null => toMessage(byId.get(id)),
    /** Receivers of that kind with due messages, oldest message first. */
    receivers: (kind: string, nowMs: number, farMs: number, limit: number): readonly string[] =>
      receivers.all({ kind, nowMs, farMs, limit }),
    /** Due messages for one receiver, oldest first. */
    due: (of: {
      kind: string;
      target: string;
      nowMs: number;
      farMs: number;
      limit: number;
    }): readonly OutboxRow[] => due.all(of).map((row) => toMessage(row)!),
    hasWaiting: (): boolean => isWaiting.get() !== undefined,
    /** Marks a message as sent or skipped and removes its payload. */
    finish: (id: number, state: 'sent' | 'skipped', problem: Problem | null = null): void =>
      void finish.run({ id, state, error: problem && JSON.stringify(problem) }),
    postpone: (id: number, notBeforeMs: number, problem: Problem): void =>
      void postpone.run({ id, notBeforeMs, error: JSON.stringify(problem) }),
    retryNow: (kind: string): void => void retryNow.run(kind),
    giveUp: (id: number, problem: Problem): void => void giveUp.run({ id, error: JSON.stringify(problem) }),
    /** Marks as dead all that waits for that receiver, or with null for all receivers of the kind. */
    giveUpAll: (kind: string, target: string | null, problem: Problem): void =>
      void giveUpAll.run({ kind, target, error: JSON.stringify(problem) }),
    /** False if it was not dead. */
    sendAgain: (id: number): boolean => again.run(id).changes === 1,
    /** Returns how many of that kind were dead. */
    sendAllAgain: (kind: string): number => allAgain.run(kind).changes,
    remove: (id: number): boolean => remove.run(id).changes === 1,
    hasWaitingOf: (kind: string): boolean => hasWaitingOf.get(kind) !== undefined,
    removeWaitingOf: (kind: string): void => void removeWaitingOf.run(kind),
    /** Removes all waiting and dead messages for that receiver. */
    removeForTarget: (kind: string, target: string): void => void removeForTarget.run({ kind, target }),
    /** Newest first. */
    page: ({ state, kind }: OutboxFilter, slice: Slice): readonly OutboxRow[] =>
      page(slice, { state, kind }).map((row) => toMessage(row)!),
    /** The waiting and the dead messages of each kind. */
    queues: (): readonly OutboxQueue[] => queues.all(),
    count: (filter: OutboxFilter): number => count.get(filter)!,
    /** Number of messages of that kind for that receiver in that state. */
    countFor: (kind: string, target: string, state: OutboxState): number =>
      countFor.get({ kind, target, state })!,
  };
}

function toMessage(row: Row | undefined): OutboxRow | null {
  if (row === undefined) return null;
  return {
    id: row.id,
    uid: row.uid,
    kind: row.kind,
    target: row.target,
    topic: row.topic,
    payload: row.payload,
    createdTimeMs: row.created_time_ms,
    state: row.state,
    notBeforeMs: row.not_before_ms,
    attempts: row.attempts,
    lastError: row.last_error === null ? null : (JSON.parse(row.last_error) as Problem),
  };
}
