import { AppError } from '../../core/app-error.ts';
import { toCalendarDate } from '../../core/clock/local-days.ts';
import type { ViewLetter } from '../../store/reports/statistics-sql.ts';
import type { Store } from '../../store/store.ts';
import { requireFound } from '../shared/bounds.ts';
import type { EngineParts } from '../shared/parts.ts';
import { toCalendar } from './statistics-calendar.ts';
import { findGreatest, isInView, toMl, totalNl } from './statistics-pending.ts';
import { countSessions, findLargestSession } from './statistics-sessions.ts';
import { findDrinkers, findNewest, hasGuest } from './statistics-shares.ts';

/** The subject of statistics. */
export type StatisticsView =
  | { readonly kind: 'site' }
  | { readonly kind: 'user'; readonly username: string }
  | { readonly kind: 'keg' | 'session'; readonly id: number };

/** Statistics of a view's drinks; volumes in millilitres, exact to one nanolitre per drink. */
export interface DrinkStatistics {
  readonly pours: number;
  readonly volumeMl: number;
  readonly lastDrinkId: number;
  /** The first one where several are equal. */
  readonly greatest: { readonly drinkId: number; readonly volumeMl: number };
  /** In the order of first use. */
  readonly kegIds: readonly number[];
  /** In the order of their first pours; username null stands for unattributed drinks. */
  readonly drinkers: readonly { readonly username: string | null; readonly volumeMl: number }[];
  readonly sessions: readonly { readonly id: number; readonly volumeMl: number }[];
  readonly sessionsCount: number;
  readonly hasGuestPour: boolean;
  /** By the session's total volume, all users included; the later one where several are equal. */
  readonly largestSession: { readonly id: number; readonly volumeMl: number };
  /** By the day on which the session began, 0 is Sunday; days without drinks are left out. */
  readonly byWeekday: ReadonlyMap<number, number>;
  /** By the year of the pour in UTC. */
  readonly byYear: ReadonlyMap<number, number>;
}

/** Number of sessions on a day. */
export interface SessionDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly sessions: number;
}

export interface Statistics {
  /** Null without drinks; `not_found` for an unknown user, keg or session. */
  get(view: StatisticsView): DrinkStatistics | null;
  /** Days on which sessions began, newest first, in the session's time zone. */
  sessionDays(): readonly SessionDay[];
  /** Adds up a batch of drinks, if any are waiting; called every second. */
  addUp(): void;
}

/** Drinks that must be waiting before a batch is added up, and the most that a reader scans. */
const minWaiting = 64;
const maxWaiting = 256;

/** Drinks added up in one transaction; more would visibly delay the taps' odometers. */
const batchSize = 512;

/** Most batches a reader waits for. */
const maxBatches = 64;

export function createStatistics({ store }: EngineParts): Statistics {
  const { statistics } = store;
  const addUpBatch = () => store.transaction(() => statistics.addPending(batchSize));
  const ensureUpToDate = () => {
    for (let i = 0; i < maxBatches; i++) {
      if (!statistics.isStale() && statistics.pendingCount() <= maxWaiting) return;
      addUpBatch();
    }
    throw new AppError(
      'unavailable',
      'Statistics of many years are being computed. Try again in a few minutes.',
    );
  };
  return {
    get(view) {
      const { letter, subject } = findSubject(store, view);
      ensureUpToDate();
      return store.snapshot(() => toStatistics(store, letter, subject));
    },
    sessionDays() {
      ensureUpToDate();
      return statistics.sessionDays().map(({ day, sessions }) => ({ ...toCalendarDate(day), sessions }));
    },
    addUp() {
      if (statistics.isStale() || statistics.pendingCount() >= minWaiting) addUpBatch();
    },
  };
}

function findSubject(store: Store, view: StatisticsView): { letter: ViewLetter; subject: number } {
  switch (view.kind) {
    case 'site':
      return { letter: 'a', subject: 0 };
    case 'user': {
      const { username } = view;
      return { letter: 'u', subject: requireFound(store.users.byName(username), `user “${username}”`).id };
    }
    case 'keg':
      return { letter: 'k', subject: requireFound(store.kegs.byId(view.id), `keg ${view.id}`).id };
    case 'session':
      return { letter: 's', subject: requireFound(store.sessions.byId(view.id), `session ${view.id}`).id };
  }
}

/** The stored totals with the pending drinks added. */
function toStatistics(store: Store, letter: ViewLetter, subject: number): DrinkStatistics | null {
  const { statistics } = store;
  const all = statistics.pendingDrinks();
  const pending = all.filter((drink) => isInView(drink, letter, subject));
  const sums = statistics.totals(letter, subject);
  const pours = sums.pours + pending.length;
  if (pours === 0) return null;
  const drinkers = findDrinkers(store, letter, subject, pending);
  const names = statistics.usernames(drinkers.map(({ part }) => part));
  const kegs =
    letter === 'k' ? [subject] : findNewest(store, `${letter}k`, subject, pending).map(({ part }) => part);
  const sessions =
    letter === 's'
      ? null
      : findNewest(store, `${letter}s`, subject, pending).toSorted((a, b) => a.part - b.part);
  const volumeNl = sums.volumeNl + totalNl(pending);
  return {
    pours,
    volumeMl: toMl(volumeNl),
    lastDrinkId: statistics.lastDrinkId(letter, subject)!,
    greatest: findGreatest(sums, pending),
    kegIds: kegs,
    drinkers: drinkers.map(({ part, volumeNl: nl }) => ({
      username: part === 0 ? null : names.get(part)!,
      volumeMl: toMl(nl),
    })),
    sessions: (sessions ?? [{ part: subject, volumeNl }]).map(({ part, volumeNl: nl }) => ({
      id: part,
      volumeMl: toMl(nl),
    })),
    sessionsCount: countSessions(store, letter, subject, pending),
    hasGuestPour: letter !== 'u' && hasGuest(store, letter, subject, pending),
    largestSession:
      letter === 's'
        ? { id: subject, volumeMl: toMl(volumeNl) }
        : findLargestSession(store, letter, subject, all),
    ...toCalendar(store, letter, subject, pending),
  };
}
