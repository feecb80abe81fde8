import type { Moment } from '../../core/clock/moment.ts';

/** How long a confirmed password is valid, seconds: enough to change the settings of one page. */
const confirmedS = 300;

/** More than the superusers of any bar have logins; the oldest confirmation is removed. */
const maxConfirmations = 100;

/**
 * Logins whose owner has entered the password again lately. In memory with the monotonic clock: a restart ends all
 * confirmations, and setting the time extends none.
 */
export class PasswordConfirmations {
  readonly #ends = new Map<number, Pick<Moment, 'bootId' | 'monoMs'>>();

  /** Records that the password of a login was right; returns the seconds for which it counts. */
  add(loginId: number, { bootId, monoMs }: Moment): number {
    this.#ends.delete(loginId);
    const [oldest] = this.#ends.keys();
    if (this.#ends.size >= maxConfirmations && oldest !== undefined) this.#ends.delete(oldest);
    this.#ends.set(loginId, { bootId, monoMs: monoMs + confirmedS * 1_000 });
    return confirmedS;
  }

  /** Whether the password of a login was confirmed lately. */
  has(loginId: number, { bootId, monoMs }: Moment): boolean {
    const end = this.#ends.get(loginId);
    return end !== undefined && end.bootId === bootId && monoMs < end.monoMs;
  }
}
