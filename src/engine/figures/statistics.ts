import { KegError } from '../../core/keg-error.ts';
import { dateOf } from '../../core/local-days.ts';
import type { Store } from '../../store/store.ts';
import type { Pair, ViewLetter } from '../../store/tables/statistics-sql.ts';
import type { Share, TailDrink } from '../../store/tables/statistics-table.ts';
import { found } from '../bounds.ts';
import type { EngineParts } from '../parts.ts';

/** Whose statistics. */
export type StatisticsView =
  | { readonly of: 'house' }
  | { readonly of: 'user'; readonly username: string }
  | { readonly of: 'keg' | 'session'; readonly id: number };

/** What the drinks of a view come to; volumes in millilitres, exact to a nanolitre a drink. */
export interface DrinkStatistics {
  readonly pours: number;
  readonly volumeMl: number;
  readonly lastDrinkId: number;
  /** The first one where several are equal. */
  readonly greatest: { readonly drinkId: number; readonly volumeMl: number };
  /** In the order of first use. */
  readonly kegIds: readonly number[];
  /** In the order of their first pours; the username null is nobody in particular. */
  readonly drinkers: readonly { readonly username: string | null; readonly volumeMl: number }[];
  readonly sessions: readonly { readonly id: number; readonly volumeMl: number }[];
  readonly sessionsCount: number;
  readonly hasGuestPour: boolean;
  /** By the session's whole volume, whoever drank it; the later one where several are equal. */
  readonly largestSession: { readonly id: number; readonly volumeMl: number };
  /** By the day on which the session began, 0 is Sunday; days without beer are left out. */
  readonly byWeekday: ReadonlyMap<number, number>;
  /** By the year of the pour in UTC. */
  readonly byYear: ReadonlyMap<number, number>;
}

/** How many sessions a day saw. */
export interface SessionDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly sessions: number;
}

export interface Statistics {
  /** Null when nothing was poured; `not_found` where there is no such user, keg or session. */
  of(view: StatisticsView): DrinkStatistics | null;
  /** Days on which sessions began, the newest first, by the bar's zone of that evening. */
  sessionDays(): readonly SessionDay[];
  /** A small step of the work that keeps statistics quick, if there is any; for every second. */
  addUp(): void;
}

/** Kegs, drinkers and sessions of a view: the newest of them. */
const mostListed = 100;

/** Drinks that may wait before they are worth adding up, and before nobody should have to read through them. */
const worthAdding = 64;
const mostWaiting = 256;

/** Drinks added up in one go; more would be felt at the taps' odometers. */
const batch = 512;

/** Batches that a reader waits for. */
const mostBatches = 64;

/** Largest sessions looked through for one of the view's own, before its own are. */
const mostLookedThrough = 512;

export function createStatistics({ store }: EngineParts): Statistics {
  const { statistics } = store;
  const settle = () => store.transaction(() => statistics.addUp(batch));
  const mustBeSettled = () => {
    for (let i = 0; i < mostBatches; i++) {
      if (!statistics.isStale() && statistics.waiting() <= mostWaiting) return;
      settle();
    }
    throw new KegError(
      'unavailable',
      'The drinks of many years are being added up. Ask again in some minutes.',
    );
  };
  return {
    of(view) {
      const { letter, subject } = subjectOf(store, view);
      mustBeSettled();
      return store.snapshot(() => viewOf(store, letter, subject));
    },
    sessionDays() {
      mustBeSettled();
      return statistics.sessionDays().map(({ day, sessions }) => ({ ...dateOf(day), sessions }));
    },
    addUp() {
      if (statistics.isStale() || statistics.waiting() >= worthAdding) settle();
    },
  };
}

function subjectOf(store: Store, view: StatisticsView): { letter: ViewLetter; subject: number } {
  switch (view.of) {
    case 'house':
      return { letter: 'a', subject: 0 };
    case 'user': {
      const { username } = view;
      return { letter: 'u', subject: found(store.users.byName(username), `user “${username}”`).id };
    }
    case 'keg':
      return { letter: 'k', subject: found(store.kegs.byId(view.id), `keg ${view.id}`).id };
    case 'session':
      return { letter: 's', subject: found(store.sessions.byId(view.id), `session ${view.id}`).id };
  }
}

/** The sums, and the drinks behind them counted on top. */
function viewOf(store: Store, letter: ViewLetter, subject: number): DrinkStatistics | null {
  const { statistics } = store;
  const all = statistics.tail();
  const tail = all.filter((drink) => isIn(drink, letter, subject));
  const sums = statistics.sums(letter, subject);
  const pours = sums.pours + tail.length;
  if (pours === 0) return null;
  const drinkers = drinkersOf(store, letter, subject, tail);
  const names = statistics.usernames(drinkers.map(({ part }) => part));
  const kegs =
    letter === 'k' ? [subject] : newest(store, `${letter}k`, subject, tail).map(({ part }) => part);
  const sessions =
    letter === 's' ? null : newest(store, `${letter}s`, subject, tail).toSorted((a, b) => a.part - b.part);
  const volumeNl = sums.volumeNl + sum(tail);
  return {
    pours,
    volumeMl: ml(volumeNl),
    lastDrinkId: statistics.lastDrinkId(letter, subject)!,
    greatest: greatestOf(sums, tail),
    kegIds: kegs,
    drinkers: drinkers.map(({ part, volumeNl: nl }) => ({
      username: part === 0 ? null : names.get(part)!,
      volumeMl: ml(nl),
    })),
    sessions: (sessions ?? [{ part: subject, volumeNl }]).map(({ part, volumeNl: nl }) => ({
      id: part,
      volumeMl: ml(nl),
    })),
    sessionsCount: sessionsCount(store, letter, subject, tail),
    hasGuestPour: letter !== 'u' && hasGuest(store, letter, subject, tail),
    largestSession:
      letter === 's' ? { id: subject, volumeMl: ml(volumeNl) } : largestSession(store, letter, subject, all),
    ...calendarOf(store, letter, subject, tail),
  };
}

const columns = { u: 'userId', k: 'kegId', s: 'sessionId' } as const;

const isIn = (drink: TailDrink, letter: ViewLetter, subject: number): boolean =>
  letter === 'a' || drink[columns[letter]] === subject;

const sum = (drinks: readonly TailDrink[]): number => drinks.reduce((nl, drink) => nl + drink.volumeNl, 0);

const ml = (nanolitres: number): number => nanolitres / 1e6;

function greatestOf(
  { greatestId, greatestMl }: { readonly greatestId: number | null; readonly greatestMl: number | null },
  tail: readonly TailDrink[],
) {
  const first =
    greatestId === null || greatestMl === null ? null : { drinkId: greatestId, volumeMl: greatestMl };
  const largest = tail.reduce<typeof first>(
    (best, { id, volumeMl }) =>
      best !== null && best.volumeMl >= volumeMl ? best : { drinkId: id, volumeMl },
    first,
  );
  return largest!;
}

/** Shares out of the sums, those of the tail's drinks among them, with the tail on top. */
function withTail(
  store: Store,
  pair: Pair,
  { subject, kept, tail }: { subject: number; kept: readonly Share[]; tail: readonly TailDrink[] },
): Share[] {
  const shares = new Map(kept.map((share) => [share.part, share]));
  const column = columns[pair[1] as keyof typeof columns];
  for (const drink of tail) {
    const part = pair[1] === 'u' ? (drink.userId ?? 0) : drink[column];
    if (part === null) continue;
    const before = shares.get(part) ?? store.statistics.share(pair, subject, part);
    shares.set(part, {
      part,
      pours: (before?.pours ?? 0) + 1,
      volumeNl: (before?.volumeNl ?? 0) + drink.volumeNl,
      firstId: before?.firstId ?? drink.id,
      lastId: drink.id,
    });
  }
  return [...shares.values()];
}

/** Those who drank last, in the order of their first pours. */
function drinkersOf(store: Store, letter: ViewLetter, subject: number, tail: readonly TailDrink[]): Share[] {
  if (letter === 'u') {
    const { volumeNl } = store.statistics.sums('u', subject);
    return [{ part: subject, pours: 0, volumeNl: volumeNl + sum(tail), firstId: 0, lastId: 0 }];
  }
  const pair = `${letter}u` as const;
  const kept = store.statistics.latestDrinkers(pair, subject, mostListed);
  return withTail(store, pair, { subject, kept, tail })
    .sort((a, b) => b.lastId - a.lastId)
    .slice(0, mostListed)
    .sort((a, b) => a.firstId - b.firstId);
}

/** The newest kegs or sessions, in the order of first use. */
function newest(
  store: Store,
  pair: Exclude<Pair, `${string}u`>,
  subject: number,
  tail: readonly TailDrink[],
): Share[] {
  const kept = store.statistics.newestShares(pair, subject, mostListed);
  return withTail(store, pair, { subject, kept, tail })
    .sort((a, b) => b.part - a.part)
    .slice(0, mostListed)
    .sort((a, b) => a.firstId - b.firstId);
}

function sessionsCount(
  store: Store,
  letter: ViewLetter,
  subject: number,
  tail: readonly TailDrink[],
): number {
  const { tallies, statistics } = store;
  switch (letter) {
    case 'a':
      return tallies.read('sessions');
    case 'k':
      return tallies.read('sessions of keg', subject);
    case 's':
      return 1;
    case 'u': {
      const inTail = [...new Set(tail.map(({ sessionId }) => sessionId))];
      const fresh = inTail.filter((id) => statistics.share('us', subject, id) === undefined);
      return tallies.read('sessions of user', subject) + fresh.length;
    }
  }
}

const hasGuest = (
  store: Store,
  letter: 'a' | 'k' | 's',
  subject: number,
  tail: readonly TailDrink[],
): boolean =>
  tail.some(({ userId }) => userId === null) ||
  store.statistics.share(`${letter}u`, subject, 0) !== undefined;

/** A session of the tail has grown since it was added up, so those are looked at apart. */
function largestSession(store: Store, letter: 'a' | 'u' | 'k', subject: number, all: readonly TailDrink[]) {
  const { statistics } = store;
  const isMember = (id: number) =>
    letter === 'a' || statistics.share(`${letter}s`, subject, id) !== undefined;
  const grown = new Map<number, number>();
  for (const { sessionId, volumeNl } of all) grown.set(sessionId, (grown.get(sessionId) ?? 0) + volumeNl);
  const ownTail = new Set(
    all.filter((drink) => isIn(drink, letter, subject)).map(({ sessionId }) => sessionId),
  );
  const candidates = [...grown]
    .filter(([id]) => ownTail.has(id) || isMember(id))
    .map(([part, nl]) => ({ part, volumeNl: nl + (statistics.share('as', 0, part)?.volumeNl ?? 0) }));
  const settled = largestSettled(store, letter, subject, { isMember, except: grown });
  const [first] = [...candidates, ...(settled ? [settled] : [])].sort(
    (a, b) => b.volumeNl - a.volumeNl || b.part - a.part,
  );
  return { id: first!.part, volumeMl: ml(first!.volumeNl) };
}

/** Regulars are found among the largest sessions at once; who comes seldom has few of his own. */
function largestSettled(
  store: Store,
  letter: 'a' | 'u' | 'k',
  subject: number,
  { isMember, except }: { isMember(id: number): boolean; readonly except: ReadonlyMap<number, number> },
): Share | undefined {
  const { statistics } = store;
  for (const session of statistics.largestSessions(mostLookedThrough)) {
    if (!except.has(session.part) && isMember(session.part)) return session;
  }
  if (letter === 'a') return undefined;
  const own = statistics.largestSessionsOf(`${letter}s`, subject, except.size + 1);
  return own.find(({ part }) => !except.has(part));
}

function calendarOf(store: Store, letter: ViewLetter, subject: number, tail: readonly TailDrink[]) {
  const nl = new Map(
    store.statistics.calendar(letter, subject).map(({ slot, volumeNl }) => [slot, volumeNl]),
  );
  for (const { year, weekday, volumeNl } of tail) {
    for (const slot of volumeNl > 0 ? [weekday, year] : []) nl.set(slot, (nl.get(slot) ?? 0) + volumeNl);
  }
  const slots = [...nl].sort(([a], [b]) => a - b).map(([slot, volume]) => [slot, ml(volume)] as const);
  return {
    byWeekday: new Map(slots.filter(([slot]) => slot < 7)),
    byYear: new Map(slots.filter(([slot]) => slot >= 7)),
  };
}
