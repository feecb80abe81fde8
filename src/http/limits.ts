import type { Request, Response } from 'express';
import { type RateLimitRequestHandler, rateLimit } from 'express-rate-limit';
import { KegError } from '../core/keg-error.ts';

/** Twenty controllers behind one address, each at twenty requests a second, and half as much again. */
const writesPerWindow = 6_000;
const writesWindowMs = 10_000;

/** Wrong keys from one address in a minute. Nobody mistypes faster; a guesser does. */
const badKeysPerMinute = 30;

/** Limits per address. Each promise rejects with `too_many` once the measure is full; `Retry-After` is then set. */
export interface Limits {
  /** Charged to every request that may change something, before its body is read. */
  chargeWrite(request: Request, response: Response): Promise<void>;
  /** Charged after a key was found wrong, so that a right key is never refused for its neighbours' sake. */
  chargeBadKey(request: Request, response: Response): Promise<void>;
}

export const noLimits: Limits = {
  chargeWrite: async () => {},
  chargeBadKey: async () => {},
};

/** Limits that remember each address in memory for one window. */
export function createLimits(): Limits {
  const writes = limiter(
    { windowMs: writesWindowMs, limit: writesPerWindow },
    'Too much at once from this address. Send it again a little later.',
  );
  const badKeys = limiter(
    { windowMs: 60_000, limit: badKeysPerMinute },
    'Too many wrong keys from this address. Check the key, and try again in a minute.',
  );
  return {
    chargeWrite: (request, response) => charge(writes, request, response),
    chargeBadKey: (request, response) => charge(badKeys, request, response),
  };
}

function limiter(measure: { windowMs: number; limit: number }, sentence: string): RateLimitRequestHandler {
  return rateLimit({
    ...measure,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    // Whether forwarded addresses are believed is the configuration's business, and said there.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
    handler: (_request, _response, next) => next(new KegError('too_many', sentence)),
  });
}

function charge(limit: RateLimitRequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    limit(request, response, (fault?: unknown) => (fault === undefined ? resolve() : reject(fault)));
  });
}
