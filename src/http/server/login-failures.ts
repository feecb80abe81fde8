/** How long wrong passwords delay an account after the last of them, milliseconds. */
const accountMs = 900_000;

/** How long an address ranks behind others after a wrong or refused password, milliseconds: longer than an attack pauses. */
const addressMs = 24 * 3_600_000;

/** Bounds the memory to about 5 MB. Whoever has more addresses than this is counted by account. */
const maxEntries = 10_000;

/** Accounts with the address of a login that are remembered: more than the people of any bar. */
const maxKnown = 2_000;

interface Count {
  readonly count: number;
  readonly lastMs: number;
}

/** Wrong and right passwords by account and address, in memory. */
export class LoginFailures {
  readonly #now: () => number;
  readonly #accounts = new Map<string, Count>();
  /** By account and address. */
  readonly #addresses = new Map<string, Count>();
  /** Passwords that were not checked, by account and address. */
  readonly #refused = new Map<string, Count>();
  /** Account and address of earlier logins, the oldest first. */
  readonly #known = new Set<string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Wrong passwords of an account that delay the next one. */
  ofAccount(account: string): number {
    return this.#read(this.#accounts, account, accountMs);
  }

  /** The lower, the earlier: the wrong and refused passwords of the address, one less at an address of an earlier login. */
  rank(account: string, from: string, address: string): number {
    const pair = toPair(account, from);
    const sent = this.#read(this.#addresses, pair, addressMs) + this.#read(this.#refused, pair, addressMs);
    return this.#known.has(toPair(account, address)) ? sent - 1 : sent;
  }

  addWrong(account: string, from: string): void {
    this.#write(this.#accounts, account, this.ofAccount(account) + 1);
    const pair = toPair(account, from);
    this.#write(this.#addresses, pair, this.#read(this.#addresses, pair, addressMs) + 1);
  }

  /** Ranks an address later whose password was not checked; that delays nobody. */
  addRefused(account: string, from: string): void {
    const pair = toPair(account, from);
    this.#write(this.#refused, pair, this.#read(this.#refused, pair, addressMs) + 1);
  }

  /** Forgets the wrong passwords of the address; those of others go on delaying the account. */
  addRight(account: string, from: string, address: string): void {
    const pair = toPair(account, from);
    const others = this.ofAccount(account) - this.#read(this.#addresses, pair, addressMs);
    if (others > 0) this.#write(this.#accounts, account, others);
    else this.#accounts.delete(account);
    this.#addresses.delete(pair);
    this.#refused.delete(pair);
    const known = toPair(account, address);
    this.#known.delete(known);
    this.#known.add(known);
    const [oldest] = this.#known;
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
  }

  #read(counts: Map<string, Count>, key: string, lifeMs: number): number {
    const found = counts.get(key);
    return found !== undefined && this.#now() - found.lastMs < lifeMs ? found.count : 0;
  }

  #write(counts: Map<string, Count>, key: string, count: number): void {
    counts.delete(key);
    const [oldest] = counts.keys();
    if (counts.size >= maxEntries && oldest !== undefined) counts.delete(oldest);
    counts.set(key, { count, lastMs: this.#now() });
  }
}

const toPair = (account: string, address: string): string => `${account}\n${address}`;
