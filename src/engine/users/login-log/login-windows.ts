import type { Moment } from '../../../core/clock/moment.ts';

/** How somebody proves who they are. `link` is a link of a mail, `code` that of the set-up, `token` that of a kegboard. */
export const provenBy = ['password', 'pin', 'key', 'token', 'link', 'code', 'registration', 'demo'] as const;
export type ProvenBy = (typeof provenBy)[number];

/** What came of it; `locked`: it was not checked, because too many were wrong before. */
export type LoginOutcome = 'succeeded' | 'failed' | 'locked';

/** A login, or an attempt. Holds no name as it was typed: people type their passwords there. */
export interface LoginEvent {
  readonly outcome: LoginOutcome;
  readonly method: ProvenBy;
  /** The account that it is about; null for a name that no account has. */
  readonly userId: number | null;
  readonly address: string;
  /** The address grouped as one subscriber's. */
  readonly network: string;
  /** Name of the shared tablet on which a PIN was entered. */
  readonly tablet?: string;
}

/** Events of one address and account, to be written as one entry. */
export interface LoginSummary {
  readonly address: string;
  readonly userId: number | null;
  readonly methods: readonly ProvenBy[];
  readonly tablet?: string;
  readonly counts: Readonly<Record<LoginOutcome, number>>;
  /** Addresses that it is about, if more than one. */
  readonly addresses?: number;
}

const minuteMs = 60_000;
/** While an address goes on, its summaries become rarer, up to this. */
const maxIntervalMs = 60 * minuteMs;
/** More addresses at once are counted together. */
const maxWindows = 1_000;
/** More accounts of one address are counted together, as unknown names. */
const maxAccounts = 4;
/** Entries that all addresses together may write at once in a minute; further ones wait for the summary. */
const maxAtOnce = { attempts: 10, logins: 60 };
/** Entries of one turn of summaries, of which there is one a minute; the rest is counted together. */
const maxSummaries = 40;

/** What one address does. */
interface Window {
  address: string;
  dueMonoMs: number;
  intervalMs: number;
  /** What was written at once. */
  readonly written: Set<string>;
  readonly pending: Map<number | null, Pending>;
}

interface Pending {
  readonly counts: Record<LoginOutcome, number>;
  readonly methods: Set<ProvenBy>;
  tablet: string | undefined;
}

/**
 * Decides what of logins and attempts is written: the first of each outcome of an address at once, what follows as one
 * summary a minute, then ever rarer. In memory, bounded, on the monotonic clock.
 */
export class LoginWindows {
  readonly #windows = new Map<string, Window>();
  #minuteMs = Number.NEGATIVE_INFINITY;
  #turnMonoMs = Number.NEGATIVE_INFINITY;
  #written = { attempts: 0, logins: 0 };

  /** True if the event is to be written now; else it is counted for the summary. */
  add(event: LoginEvent, { monoMs }: Pick<Moment, 'monoMs'>): boolean {
    const window = this.#window(event, monoMs);
    const isLogin = event.outcome === 'succeeded';
    const what = isLogin ? `login ${event.method} ${event.userId}` : event.outcome;
    if (window.written.size < 20 && !window.written.has(what) && this.#mayWrite(isLogin, monoMs)) {
      window.written.add(what);
      return true;
    }
    const pending = findPending(window, event.userId);
    pending.counts[event.outcome] += 1;
    pending.methods.add(event.method);
    pending.tablet = event.tablet ?? pending.tablet;
    return false;
  }

  /** Takes the summaries that are due, or all. */
  take({ monoMs }: Pick<Moment, 'monoMs'>, all = false): readonly LoginSummary[] {
    if (!all && monoMs >= this.#turnMonoMs && monoMs - this.#turnMonoMs < minuteMs) return [];
    const found: LoginSummary[] = [];
    for (const [network, window] of this.#windows) {
      if (!all && monoMs < window.dueMonoMs) continue;
      if (window.pending.size === 0) this.#windows.delete(network);
      for (const [userId, { counts, methods, tablet }] of window.pending) {
        found.push({
          address: window.address,
          userId,
          counts,
          methods: [...methods],
          ...(tablet !== undefined && { tablet }),
        });
      }
      window.pending.clear();
      window.intervalMs = Math.min(window.intervalMs * 2, maxIntervalMs);
      window.dueMonoMs = monoMs + window.intervalMs;
    }
    if (found.length > 0) this.#turnMonoMs = monoMs;
    return mergeRest(found);
  }

  #window(event: LoginEvent, monoMs: number): Window {
    const network =
      this.#windows.has(event.network) || this.#windows.size < maxWindows ? event.network : 'others';
    const existing = this.#windows.get(network);
    const address = network === 'others' ? '' : event.address;
    if (existing !== undefined) {
      existing.address = address;
      return existing;
    }
    const created: Window = {
      address,
      dueMonoMs: monoMs + minuteMs,
      intervalMs: minuteMs,
      written: new Set(),
      pending: new Map(),
    };
    this.#windows.set(network, created);
    return created;
  }

  #mayWrite(isLogin: boolean, monoMs: number): boolean {
    if (monoMs - this.#minuteMs >= minuteMs || monoMs < this.#minuteMs) {
      this.#minuteMs = monoMs;
      this.#written = { attempts: 0, logins: 0 };
    }
    const kind = isLogin ? 'logins' : 'attempts';
    this.#written[kind] += 1;
    return this.#written[kind] <= maxAtOnce[kind];
  }
}

function findPending({ pending }: Window, userId: number | null): Pending {
  const key = pending.has(userId) || pending.size < maxAccounts ? userId : null;
  const found = pending.get(key) ?? {
    counts: { succeeded: 0, failed: 0, locked: 0 },
    methods: new Set<ProvenBy>(),
    tablet: undefined,
  };
  pending.set(key, found);
  return found;
}

const total = ({ counts }: LoginSummary): number => counts.succeeded + counts.failed + counts.locked;

/** The summaries with the most events, and one of the rest. */
function mergeRest(found: readonly LoginSummary[]): readonly LoginSummary[] {
  if (found.length <= maxSummaries) return found;
  const sorted = [...found].sort((one, other) => total(other) - total(one));
  const rest = sorted.slice(maxSummaries - 1);
  const sum = (outcome: LoginOutcome) => rest.reduce((all, { counts }) => all + counts[outcome], 0);
  return [
    ...sorted.slice(0, maxSummaries - 1),
    {
      address: '',
      userId: null,
      methods: [...new Set(rest.flatMap(({ methods }) => methods))],
      counts: { succeeded: sum('succeeded'), failed: sum('failed'), locked: sum('locked') },
      addresses: new Set(rest.map(({ address }) => address)).size,
    },
  ];
}
