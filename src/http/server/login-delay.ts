import { ipKeyGenerator } from 'express-rate-limit';
import { AppError } from '../../core/app-error.ts';
import { toUsernameKey } from '../../core/users/username-rules.ts';
import type { Scheduler } from '../ports.ts';
import { LoginFailures } from './login-failures.ts';

/** Wrong passwords per account without delay. */
const undelayedTries = 5;

/** Delay after these, milliseconds; doubles with each further wrong password. */
const firstDelayMs = 500;
const maxDelayMs = 8_000;

/** Passwords that may wait per account: more than are checked within `maxWaitMs`. */
const maxWaiting = 16;
/** Of these, from one address. */
const maxWaitingPerAddress = 3;
/** After this time a password that waits is refused, milliseconds: before the usual time limit of proxies, a minute. */
const maxWaitMs = 45_000;

/** A password that waits to be checked. */
interface Waiter {
  readonly address: string;
  /** Its address grouped as one subscriber's. */
  readonly from: string;
  readonly start: () => void;
  readonly refuse: (error: AppError) => void;
  cancelTimeout: () => void;
}

/** An account while a password of it waits or is checked, or the next one has to wait. */
interface Queue {
  /** In order of arrival. */
  readonly waiting: Waiter[];
  isChecking: boolean;
  /** Set while a timer will start the next check. */
  isTimed: boolean;
}

/**
 * Checks the passwords of one account one at a time, with a delay between them that grows with the wrong ones, so that
 * parallel guesses from many addresses take as long as guesses in turn. Nobody is locked out. Which password is checked is
 * decided when the delay is over: that of the address with the fewest wrong and refused passwords, one less where the account has
 * logged in before, and of these one that sends few, and the latest. Its owner at a new address therefore waits for one delay, whoever else waits,
 * and a full queue refuses the last in this order.
 */
export class LoginDelay {
  readonly #scheduler: Scheduler;
  readonly #now: () => number;
  readonly #failures: LoginFailures;
  readonly #queues = new Map<string, Queue>();
  /** When the last password of an account was checked, while that delays the next. */
  readonly #lastCheckMs = new Map<string, number>();

  /** `now` gives milliseconds of a clock that is never set. */
  constructor(scheduler: Scheduler, now: () => number = () => performance.now()) {
    this.#scheduler = scheduler;
    this.#now = now;
    this.#failures = new LoginFailures(now);
  }

  /**
   * Waits for the account's turn and delay, then runs `check`, which returns null for a wrong password. Rejects with
   * `too_many` when too many passwords wait for this account.
   */
  async run<T>(username: string, address: string, check: () => Promise<T | null>): Promise<T | null> {
    const account = toUsernameKey(username);
    const from = ipKeyGenerator(address, 64);
    try {
      await this.#waitForTurn(account, address, from);
    } catch (refusal) {
      // Whoever sends more than is checked comes after those who do not, so that many addresses push out only each other.
      this.#failures.addRefused(account, from);
      throw refusal;
    }
    try {
      const result = await check();
      if (result === null) this.#failures.addWrong(account, from);
      else this.#failures.addRight(account, from, address);
      return result;
    } finally {
      this.#finish(account);
    }
  }

  #waitForTurn(account: string, address: string, from: string): Promise<void> {
    const queue = this.#queues.get(account) ?? { waiting: [], isChecking: false, isTimed: false };
    this.#queues.set(account, queue);
    if (queue.waiting.filter((waiter) => waiter.from === from).length >= maxWaitingPerAddress)
      throw this.#busyError(account);
    return new Promise((start, refuse) => {
      const waiter: Waiter = { address, from, start, refuse, cancelTimeout: () => {} };
      queue.waiting.push(waiter);
      if (queue.waiting.length > maxWaiting)
        this.#takeWaiter(account, queue.waiting, 'last').refuse(this.#busyError(account));
      if (!queue.isChecking && !queue.isTimed) this.#startWhenDue(account, queue);
      if (!queue.waiting.includes(waiter)) return;
      waiter.cancelTimeout = this.#scheduler.after(maxWaitMs, () => {
        const index = queue.waiting.indexOf(waiter);
        if (index < 0) return;
        queue.waiting.splice(index, 1);
        refuse(this.#busyError(account));
      });
    });
  }

  /** Starts the first check now or when the delay since the last one is over. */
  #startWhenDue(account: string, queue: Queue): void {
    const lastMs = this.#lastCheckMs.get(account);
    const waitMs = lastMs === undefined ? 0 : lastMs + this.#delayMs(account) - this.#now();
    if (waitMs <= 0) {
      this.#startNext(account, queue);
      return;
    }
    queue.isTimed = true;
    this.#scheduler.after(waitMs, () => {
      queue.isTimed = false;
      this.#startNext(account, queue);
    });
  }

  #startNext(account: string, queue: Queue): void {
    if (queue.waiting.length === 0) {
      this.#queues.delete(account);
      return;
    }
    queue.isChecking = true;
    this.#takeWaiter(account, queue.waiting, 'first').start();
  }

  #finish(account: string): void {
    const queue = this.#queues.get(account)!;
    queue.isChecking = false;
    if (this.#delayMs(account) === 0) this.#lastCheckMs.delete(account);
    else this.#rememberCheck(account);
    if (queue.waiting.length === 0) this.#queues.delete(account);
    else this.#startWhenDue(account, queue);
  }

  #rememberCheck(account: string): void {
    const nowMs = this.#now();
    this.#lastCheckMs.delete(account);
    // In order of time: what comes first delays nobody any more.
    for (const [other, lastMs] of this.#lastCheckMs) {
      if (nowMs - lastMs < maxDelayMs) break;
      this.#lastCheckMs.delete(other);
    }
    this.#lastCheckMs.set(account, nowMs);
  }

  /** Removes and returns the waiter that comes first or last. */
  #takeWaiter(account: string, waiting: Waiter[], place: 'first' | 'last'): Waiter {
    // Among equals the address with the fewest passwords waiting, so that those who send many push only each other out.
    const ranks = waiting.map(
      ({ address, from }) =>
        this.#failures.rank(account, from, address) * (maxWaitingPerAddress + 1) +
        waiting.filter((other) => other.from === from).length,
    );
    const index =
      place === 'first' ? ranks.lastIndexOf(Math.min(...ranks)) : ranks.indexOf(Math.max(...ranks));
    const waiter = waiting.splice(index, 1)[0]!;
    waiter.cancelTimeout();
    return waiter;
  }

  #delayMs(account: string): number {
    const excess = this.#failures.ofAccount(account) - undelayedTries;
    return excess < 0 ? 0 : Math.min(firstDelayMs * 2 ** Math.min(excess, 10), maxDelayMs);
  }

  #busyError(account: string): AppError {
    const waiting = (this.#queues.get(account)?.waiting.length ?? 0) + 1;
    const seconds = Math.max(1, Math.ceil((waiting * this.#delayMs(account)) / 1_000));
    const sentence = `Too many passwords are tried for this name. Try again in ${seconds} seconds.`;
    return new AppError('too_many', sentence, {
      reason: { name: 'passwords_waiting', seconds },
      retryAfterS: seconds,
    });
  }
}
