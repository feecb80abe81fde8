import type { Request, Response } from 'express';
import { ipKeyGenerator, type RateLimitRequestHandler, rateLimit } from 'express-rate-limit';
import { AppError } from '../../core/app-error.ts';
import type { Refusal } from '../../core/reasons.ts';
import type { Attempt } from '../routes/route.ts';
import { HitCounter } from './hit-counter.ts';

/**
 * Twenty controllers behind one address, all with one key, each at twenty requests a second, and half as much again.
 * Writes and reads are counted apart: nobody's page may stand in the way of a pour.
 */
const requestsPerWindow = 6_000;
const windowMs = 10_000;

/** Wrong keys from one address in a minute. Nobody mistypes faster; a guesser does. */
const badKeysPerMinute = 30;

/** Wrong passwords, or wrong codes, from one address in a quarter of an hour: a forgetful evening, not a dictionary. */
const failuresPerQuarterHour = 10;
const quarterHourMs = 900_000;

/** Mails and accounts that one address may ask for in a quarter of an hour: a table of new guests, not a mailing. */
const mailsPerQuarter = 20;

/** What is counted for which limits. Each promise rejects with `too_many` once the measure is full; `Retry-After` is then set. */
export interface Limits {
  /** Charged to the address before anything of the body is read. */
  chargeAddress(request: Request, response: Response, kind: 'read' | 'write'): Promise<void>;
  /** Charged to a key that was found good. */
  chargeKey(request: Request, response: Response, key: string): Promise<void>;
  /**
   * Charged after a key was found wrong. What the request was charged before is given back: a right key is never
   * refused for its neighbours' sake.
   */
  chargeWrongKey(request: Request, response: Response): Promise<void>;
  /**
   * Charged before a password or code is looked at; what it resolves to gives the charge back, since it was right. A
   * letter is charged for good.
   */
  chargeAttempt(attempt: Attempt, request: Request, response: Response): Promise<() => void>;
}

export const noLimits: Limits = {
  chargeAddress: async () => {},
  chargeKey: async () => {},
  chargeWrongKey: async () => {},
  chargeAttempt: async () => () => {},
};

/** Limits that remember each address and key in memory for one window. */
export function createLimits({ perWindow = requestsPerWindow } = {}): Limits {
  const tooMuch = 'Too much at once. Send it again a little later.';
  const options = { windowMs, limit: perWindow, sentence: tooMuch, what: 'requests' } as const;
  const reads = limiter({ ...options, name: 'reads', toKey: toAddressKey });
  const writes = limiter({ ...options, name: 'writes', toKey: toAddressKey });
  // The first digits tell keys apart, and are no secret.
  const keys = limiter({
    ...options,
    name: 'key',
    toKey: (_request, { locals }) => String(locals.keyPrefix),
  });
  const badKeys = limiter({
    windowMs: 60_000,
    limit: badKeysPerMinute,
    sentence: 'Too many wrong keys from this address. Check the key, and try again in a minute.',
    what: 'keys',
    name: 'wrong-keys',
    toKey: toAddressKey,
  });
  const attempts: Readonly<Record<Attempt, ReturnType<typeof limiter>>> = {
    login: limiter({
      ...failures,
      name: 'logins',
      what: 'passwords',
      sentence: tooOftenMessage('passwords'),
    }),
    code: limiter({ ...failures, name: 'codes', what: 'codes', sentence: tooOftenMessage('codes') }),
    mail: limiter({
      ...failures,
      limit: mailsPerQuarter,
      name: 'mails',
      what: 'mails',
      sentence: 'Too many mails or accounts for this address. Wait a quarter of an hour, then try again.',
    }),
  };
  return {
    chargeAddress: (request, response, kind) => (kind === 'read' ? reads : writes).charge(request, response),
    chargeKey(request, response, key) {
      response.locals.keyPrefix = key.slice(0, 8);
      return keys.charge(request, response);
    },
    chargeWrongKey(request, response) {
      for (const charged of [reads, writes]) charged.refund(request);
      return badKeys.charge(request, response);
    },
    async chargeAttempt(attempt, request, response) {
      await attempts[attempt].charge(request, response);
      return attempt === 'mail' ? () => {} : () => attempts[attempt].refund(request);
    },
  };
}

type LimitedSubject = Extract<Refusal, { name: 'too_often' }>['what'];

interface LimitOptions {
  readonly windowMs: number;
  readonly limit: number;
  readonly sentence: string;
  /** What there was too much of. */
  readonly what: LimitedSubject;
  /** Tells the measures apart in the answer's headers. */
  readonly name: string;
  toKey(request: Request, response: Response): string;
}

function limiter({ sentence, what, name, toKey, ...options }: LimitOptions) {
  const store = new HitCounter();
  const charged = new WeakSet<Request>();
  const limit: RateLimitRequestHandler = rateLimit({
    ...options,
    identifier: name,
    keyGenerator: toKey,
    store,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // Whether forwarded addresses are believed is the configuration's business, and said there.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
    handler: (_request, _response, next) =>
      next(new AppError('too_many', sentence, { reason: { name: 'too_often', what } })),
  });
  return {
    charge(request: Request, response: Response): Promise<void> {
      charged.add(request);
      return new Promise((resolve, reject) => {
        limit(request, response, (fault?: unknown) => (fault === undefined ? resolve() : reject(fault)));
      });
    },
    refund(request: Request): void {
      if (charged.delete(request)) store.decrement(toAddressKey(request));
    },
  };
}

const tooOftenMessage = (what: string) =>
  `Too many wrong ${what} from this address. Wait a quarter of an hour, then try again.`;

/** One subscriber has many addresses of the new kind; their common part stands for him. */
const toAddressKey = ({ ip = '' }: Request): string => ipKeyGenerator(ip);

const failures = { windowMs: quarterHourMs, limit: failuresPerQuarterHour, toKey: toAddressKey };
