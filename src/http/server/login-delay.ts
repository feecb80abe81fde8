import { ipKeyGenerator } from 'express-rate-limit';
import { AppError } from '../../core/app-error.ts';
import { toUsernameKey } from '../../core/rules/username-rules.ts';
import type { Scheduler } from '../ports.ts';
import { HitCounter } from './hit-counter.ts';

/** Wrong passwords per account without delay. */
const undelayedTries = 5;

/** Delay after these, milliseconds; doubles with each further wrong password. */
const firstDelayMs = 500;
const maxDelayMs = 8_000;

/** How long wrong passwords count, milliseconds. */
const windowMs = 900_000;

/** Passwords that may wait per account: the last one is checked within a minute, the usual time limit of proxies. */
const maxWaiting = 6;
/** Of these, from one address. */
const maxWaitingPerAddress = 2;

/** Accounts with the address of a login that are remembered: more than the people of any bar. */
const maxKnown = 2_000;

/** A password that waits to be checked. */
interface Waiter {
  readonly address: string;
  readonly start: () => void;
  readonly refuse: (error: AppError) => void;
}

/**
 * Checks the passwords of one account one at a time, with a delay that grows with the wrong ones, so that parallel
 * guesses from many addresses take as long as guesses in turn. Nobody is locked out: passwords from an address at which
 * the account has logged in come first, then those from addresses with the fewest wrong passwords, and a full queue
 * drops the last in this order.
 */
export class LoginDelay {
  readonly #scheduler: Scheduler;
  /** Wrong passwords by account. */
  readonly #failures: HitCounter;
  /** Wrong passwords by account and address. */
  readonly #addressFailures: HitCounter;
  /** Account and address of earlier logins, the oldest first. */
  readonly #known = new Set<string>();
  /** Waiting passwords by account; an account is listed while one of its passwords is checked. */
  readonly #queues = new Map<string, Waiter[]>();

  constructor(scheduler: Scheduler, now?: () => number) {
    this.#scheduler = scheduler;
    const options = now === undefined ? {} : { now };
    this.#failures = new HitCounter(options);
    this.#addressFailures = new HitCounter(options);
    for (const counter of [this.#failures, this.#addressFailures]) counter.init({ windowMs });
  }

  /**
   * Waits for the account's turn and delay, then runs `check`, which returns null for a wrong password. Rejects with
   * `too_many` when too many passwords wait for this account.
   */
  async run<T>(username: string, address: string, check: () => Promise<T | null>): Promise<T | null> {
    const account = toUsernameKey(username);
    const from = ipKeyGenerator(address);
    await this.#waitForTurn(account, from);
    try {
      await this.#delay(this.#delayMs(account));
      const result = await check();
      this.#count(account, from, result !== null);
      return result;
    } finally {
      this.#startNext(account);
    }
  }

  #waitForTurn(account: string, address: string): Promise<void> {
    const queue = this.#queues.get(account);
    if (queue === undefined) {
      this.#queues.set(account, []);
      return Promise.resolve();
    }
    if (queue.filter((waiter) => waiter.address === address).length >= maxWaitingPerAddress)
      throw this.#busyError(account);
    return new Promise((start, refuse) => {
      queue.push({ address, start, refuse });
      if (queue.length > maxWaiting)
        this.#takeWaiter(account, queue, 'last').refuse(this.#busyError(account));
    });
  }

  #startNext(account: string): void {
    const queue = this.#queues.get(account)!;
    if (queue.length === 0) this.#queues.delete(account);
    else this.#takeWaiter(account, queue, 'first').start();
  }

  /** Removes and returns the waiter that comes first or last: by rank of its address, then by arrival. */
  #takeWaiter(account: string, queue: Waiter[], place: 'first' | 'last'): Waiter {
    const ranks = queue.map(({ address }) => this.#rank(account, address));
    const index =
      place === 'first' ? ranks.indexOf(Math.min(...ranks)) : ranks.lastIndexOf(Math.max(...ranks));
    return queue.splice(index, 1)[0]!;
  }

  #rank(account: string, address: string): number {
    const pair = toPair(account, address);
    return this.#known.has(pair) ? -1 : this.#addressFailures.hits(pair);
  }

  #delayMs(account: string): number {
    const excess = this.#failures.hits(account) - undelayedTries;
    return excess < 0 ? 0 : Math.min(firstDelayMs * 2 ** Math.min(excess, 10), maxDelayMs);
  }

  #delay(ms: number): Promise<void> {
    return ms === 0 ? Promise.resolve() : new Promise((resolve) => this.#scheduler.after(ms, resolve));
  }

  #count(account: string, address: string, isRight: boolean): void {
    const pair = toPair(account, address);
    if (!isRight) {
      this.#failures.increment(account);
      this.#addressFailures.increment(pair);
      return;
    }
    this.#failures.resetKey(account);
    this.#addressFailures.resetKey(pair);
    this.#known.delete(pair);
    this.#known.add(pair);
    const [oldest] = this.#known;
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
  }

  #busyError(account: string): AppError {
    const waiting = (this.#queues.get(account)?.length ?? 0) + 1;
    const seconds = Math.max(1, Math.ceil((waiting * this.#delayMs(account)) / 1_000));
    const sentence = `Too many passwords are tried for this name. Try again in ${seconds} seconds.`;
    return new AppError('too_many', sentence, {
      reason: { name: 'passwords_waiting', seconds },
      retryAfterS: seconds,
    });
  }
}

const toPair = (account: string, address: string): string => `${account}\n${address}`;
