import { createHmac, randomBytes } from 'node:crypto';
import type { Request } from 'express';
import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { ApiDefinition } from '../routes/api-definition.ts';
import { parseIdempotencyKey } from '../routes/input-values.ts';
import type { Accepts, Route, RouteInput } from '../routes/route.ts';
import { type Caller, callerUser } from './caller.ts';

/** How long an answer is kept, milliseconds: a client that got no answer asks again within minutes. */
const keptMs = 15 * 60_000;

/** Answers kept for one user, and for all: the oldest ones go first. */
const maxPerUser = 200;
const maxAnswers = 1_000;

/** What tells whether a write is the repetition of another. */
export interface KeyedWrite {
  readonly api: Pick<ApiDefinition, 'keepsAnswers'>;
  readonly route: Pick<Route, 'id' | 'storesIdempotencyKey'>;
  readonly request: Pick<Request, 'headers'>;
  readonly caller: Caller;
  readonly input: RouteInput<Accepts>;
  readonly now: Moment;
  /** False for a request that only reads. */
  readonly writes: boolean;
}

/** The answer of a write. */
export interface WriteAnswer {
  readonly status: number;
  readonly json: string | Buffer;
}

interface Entry {
  readonly userId: number;
  /** Hash of what was requested. */
  readonly request: string;
  readonly startedMs: number;
  /** Null while the first request is being answered. */
  answer: WriteAnswer | null;
}

/**
 * The answers of writes that carried an `Idempotency-Key`: a repetition by the same user gets the first answer and changes
 * nothing. They are in memory; routes that store the key with what they record take care of themselves.
 */
export interface RepeatedWrites {
  /**
   * Returns the answer of the same request; null for a new one, which then counts as running. Throws `conflict` while it is
   * running, and for a different request with the same key.
   */
  begin(write: KeyedWrite): WriteAnswer | null;
  /** Keeps the answer of a request that `begin` has let pass. */
  finish(write: KeyedWrite, answer: WriteAnswer): void;
  /** Forgets a request that was refused or failed, so that it can be repeated. */
  fail(write: KeyedWrite): void;
}

export function createRepeatedWrites(): RepeatedWrites {
  /** By user and key, in the order of their start. */
  const entries = new Map<string, Entry>();

  function removeOld(now: number, userId: number): void {
    let ofUser = 0;
    for (const [name, entry] of entries) {
      if (now - entry.startedMs >= keptMs) entries.delete(name);
      else if (entry.userId === userId) ofUser++;
    }
    for (const [name, entry] of entries) {
      const isOver = entries.size >= maxAnswers || (ofUser >= maxPerUser && entry.userId === userId);
      if (!isOver || entry.answer === null) continue;
      entries.delete(name);
      if (entry.userId === userId) ofUser--;
    }
  }

  return {
    begin(write) {
      const found = findName(write);
      if (found === null) return null;
      const { name, userId } = found;
      const now = write.now.monoMs;
      const request = hashRequest(write);
      const entry = entries.get(name);
      if (entry === undefined || now - entry.startedMs >= keptMs) {
        removeOld(now, userId);
        entries.delete(name);
        entries.set(name, { userId, request, startedMs: now, answer: null });
        return null;
      }
      if (entry.request !== request) throw keyReusedError();
      if (entry.answer === null) throw stillRunningError();
      return entry.answer;
    },
    finish(write, answer) {
      const entry = entries.get(findName(write)?.name ?? '');
      if (entry !== undefined) entry.answer = answer;
    },
    fail(write) {
      const name = findName(write)?.name;
      if (name !== undefined && entries.get(name)?.answer === null) entries.delete(name);
    },
  };
}

/** Returns the user and the name of a request in the table; null if its answer is not kept. */
function findName(write: KeyedWrite): { readonly name: string; readonly userId: number } | null {
  const { api, route, writes, request, caller } = write;
  if (!writes || !api.keepsAnswers || route.storesIdempotencyKey) return null;
  const user = callerUser(caller);
  const header = request.headers['idempotency-key'];
  const key = parseIdempotencyKey(Array.isArray(header) ? header[0] : header);
  return user === null || key === undefined ? null : { name: `${user.id} ${key}`, userId: user.id };
}

/** Requests may contain passwords, so they are not kept, and their hashes are of no use outside this process. */
const hashKey = randomBytes(32);

function hashRequest({ route, input, request }: KeyedWrite): string {
  const { params, query, body } = input;
  const text = JSON.stringify([route.id, params, query, body, request.headers['content-length']]);
  return createHmac('sha256', hashKey).update(text).digest('base64');
}

const keyReusedError = () =>
  new AppError('conflict', 'This Idempotency-Key was used for a different request: choose a new one.', {
    reason: { name: 'idempotency_key_reused' },
  });

const stillRunningError = () =>
  new AppError('conflict', 'The same request is still running. Ask again in a moment.', {
    reason: { name: 'request_running' },
    retryAfterS: 1,
  });
