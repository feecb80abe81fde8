import type { Request, Response } from 'express';
import { ipKeyGenerator, type RateLimitRequestHandler, rateLimit } from 'express-rate-limit';
import { AppError } from '../../core/app-error.ts';
import type { Refusal } from '../../core/reasons.ts';
import type { Attempt } from '../routes/route.ts';
import { HitCounter } from './hit-counter.ts';

/**
 * Enough for 20 controllers behind one address with one key at 20 requests per second each, plus 50 %. Reads and writes
 * are counted separately, so that a busy page cannot block a pour.
 */
const requestsPerWindow = 6_000;
const windowMs = 10_000;

/**
 * Device events without a valid token in 10 s that are not listed as requests for pairing. Per address: 20 boards behind
 * one address that ask every 5 s, twice and a half. Per network (IPv6 only): ten such addresses, so that one client does
 * not use up the limit of its network.
 */
const unpairedBatchesPerWindow = { address: 100, network: 1_000 };

/** Wrong keys per address and minute: more than a person mistypes, far fewer than guessing needs. */
const badKeysPerMinute = 30;

/** Wrong passwords, or wrong codes, per address in 15 minutes: enough for mistakes, too few for a dictionary. */
const failuresPerQuarterHour = 10;
const quarterHourMs = 900_000;

/** Mails and new accounts that one address may request in 15 minutes: enough for a table of new guests. */
const mailsPerQuarterHour = 20;

/** The rate limits of requests. Each promise rejects with `too_many` and sets `Retry-After` when its limit is reached. */
export interface Limits {
  /** Counts the request for its address, before the body is read. */
  countRequest(request: Request, response: Response, kind: 'read' | 'write'): Promise<void>;
  /** Counts the request for a valid key. */
  countKey(request: Request, response: Response, key: string): Promise<void>;
  /**
   * Counts a wrong key for the address and no longer counts the request itself, so that wrong keys do not use up the
   * limit of valid keys at the same address.
   */
  countWrongKey(request: Request, response: Response): Promise<void>;
  /** Counts a device event without a valid token for its address. */
  countUnpairedBatch(request: Request, response: Response): Promise<void>;
  /**
   * Counts an attempt before its password or code is checked. Call the returned function when the attempt was
   * right: it then no longer counts. A mail always counts.
   */
  countAttempt(attempt: Attempt, request: Request, response: Response): Promise<() => void>;
}

export const noLimits: Limits = {
  countRequest: async () => {},
  countKey: async () => {},
  countWrongKey: async () => {},
  countUnpairedBatch: async () => {},
  countAttempt: async () => () => {},
};

/** Creates limits that keep each address and key in memory for one window. */
export function createLimits({ perWindow = requestsPerWindow } = {}): Limits {
  const tooManyMessage = 'Too many requests. Try again later.';
  const options = { windowMs, limit: perWindow, sentence: tooManyMessage, what: 'requests' } as const;
  const reads = createLimiter({ ...options, name: 'reads', toKey: toAddressKey });
  const writes = createLimiter({ ...options, name: 'writes', toKey: toAddressKey });
  // The first 8 characters tell keys apart and are not secret.
  const keys = createLimiter({
    ...options,
    name: 'key',
    toKey: (_request, { locals }) => String(locals.keyPrefix),
  });
  const badKeys = createLimiter({
    windowMs: 60_000,
    limit: badKeysPerMinute,
    sentence: 'Too many wrong keys from this address. Check the key, then try again in a minute.',
    what: 'keys',
    name: 'wrong-keys',
    toKey: toAddressKey,
  });
  const unpairedBatches = createLimiter({
    ...options,
    limit: unpairedBatchesPerWindow.address,
    name: 'device-events',
    toKey: ({ ip = '' }) => ip,
  });
  const unpairedBatchesOfNetwork = createLimiter({
    ...options,
    limit: unpairedBatchesPerWindow.network,
    name: 'device-events-network',
    toKey: toAddressKey,
  });
  const attempts: Readonly<Record<Attempt, ReturnType<typeof createLimiter>>> = {
    login: createLimiter({
      ...failures,
      name: 'logins',
      what: 'passwords',
      sentence: tooOftenMessage('passwords'),
    }),
    code: createLimiter({ ...failures, name: 'codes', what: 'codes', sentence: tooOftenMessage('codes') }),
    mail: createLimiter({
      ...failures,
      limit: mailsPerQuarterHour,
      name: 'mails',
      what: 'mails',
      sentence: 'Too many mails or accounts for this address. Wait 15 minutes, then try again.',
    }),
  };
  return {
    countRequest: (request, response, kind) => (kind === 'read' ? reads : writes).count(request, response),
    countKey(request, response, key) {
      response.locals.keyPrefix = key.slice(0, 8);
      return keys.count(request, response);
    },
    countWrongKey(request, response) {
      for (const requests of [reads, writes]) requests.decrement(request);
      return badKeys.count(request, response);
    },
    async countUnpairedBatch(request, response) {
      await unpairedBatches.count(request, response);
      await unpairedBatchesOfNetwork.count(request, response);
    },
    async countAttempt(attempt, request, response) {
      await attempts[attempt].count(request, response);
      return attempt === 'mail' ? () => {} : () => attempts[attempt].decrement(request);
    },
  };
}

type LimitedSubject = Extract<Refusal, { name: 'rate_limited' }>['what'];

interface LimitOptions {
  readonly windowMs: number;
  readonly limit: number;
  readonly sentence: string;
  /** What the limit counts. */
  readonly what: LimitedSubject;
  /** Name of the policy in the `RateLimit` headers. */
  readonly name: string;
  toKey(request: Request, response: Response): string;
}

function createLimiter({ sentence, what, name, toKey, ...options }: LimitOptions) {
  const store = new HitCounter();
  const countedRequests = new WeakSet<Request>();
  const limit: RateLimitRequestHandler = rateLimit({
    ...options,
    identifier: name,
    keyGenerator: toKey,
    store,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // The setting `trust_proxy` decides whether forwarded addresses are used.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
    handler: (_request, _response, next) =>
      next(new AppError('too_many', sentence, { reason: { name: 'rate_limited', what } })),
  });
  return {
    count(request: Request, response: Response): Promise<void> {
      countedRequests.add(request);
      return new Promise((resolve, reject) => {
        limit(request, response, (fault?: unknown) => (fault === undefined ? resolve() : reject(fault)));
      });
    },
    decrement(request: Request): void {
      if (countedRequests.delete(request)) store.decrement(toAddressKey(request));
    },
  };
}

const tooOftenMessage = (what: string) =>
  `Too many wrong ${what} from this address. Wait 15 minutes, then try again.`;

/** Groups IPv6 addresses by prefix, since one subscriber has many. */
const toAddressKey = ({ ip = '' }: Request): string => ipKeyGenerator(ip);

const failures = { windowMs: quarterHourMs, limit: failuresPerQuarterHour, toKey: toAddressKey };
