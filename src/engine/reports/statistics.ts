import { toCalendarDate } from '../../core/clock/local-days.ts';
import type { Share, SubjectKind } from '../../store/reports/statistics-table.ts';
import type { Store } from '../../store/store.ts';
import { requireFound } from '../shared/bounds.ts';
import type { EngineParts } from '../shared/parts.ts';
import { cachedResults } from './cached-results.ts';

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

/** The parts of the statistics that are found differently for the site and for one subject. */
interface Figures {
  /** Newest first. */
  readonly kegs: readonly Share[];
  /** The largest volume first. */
  readonly users: readonly Share[];
  /** By id. */
  readonly sessions: readonly { readonly id: number; readonly volumeNl: number }[];
  readonly sessionsCount: number;
  readonly hasGuestPour: boolean;
  readonly largestSession: { readonly id: number; readonly volumeNl: number };
  readonly weekdays: readonly Slot[];
  readonly years: readonly Slot[];
}

/** Volume of a weekday or year, nanolitres. */
type Slot = readonly [slot: number, volumeNl: number];

/** Most kegs, sessions and users listed: the newest kegs and sessions, the users who drank most. */
const maxListed = 100;

/** 1 January 1970 was a Thursday. */
const weekdayOf = (localDay: number): number => (localDay + 4) % 7;
const toMl = (nanolitres: number): number => nanolitres / 1e6;

export function createStatistics({ store }: EngineParts) {
  const cached = cachedResults<DrinkStatistics | null>(store);
  const sessionDays = store.cachedUntilWrite((): readonly SessionDay[] =>
    store.drinks.sessions.days().map(({ day, sessions }) => ({ ...toCalendarDate(day), sessions })),
  );
  return {
    /** Null without drinks; `not_found` for an unknown user, keg or session. */
    get(view: StatisticsView): DrinkStatistics | null {
      const subject = findSubject(store, view);
      return cached(`${view.kind} ${subject}`, () =>
        store.snapshot(() => computeStatistics(store, view.kind, subject)),
      );
    },
    /** Days on which sessions began, newest first, in the session's time zone. */
    sessionDays,
  };
}

function findSubject(store: Store, view: StatisticsView): number {
  switch (view.kind) {
    case 'site':
      return 0;
    case 'user':
      return requireFound(store.users.byName(view.username), `user “${view.username}”`).id;
    case 'keg':
      return requireFound(store.kegs.byId(view.id), `keg ${view.id}`).id;
    case 'session':
      return requireFound(
        store.drinks.sessions.byId(store.drinks.sessions.survivorId(view.id)),
        `session ${view.id}`,
      ).id;
  }
}

function computeStatistics(
  store: Store,
  kind: StatisticsView['kind'],
  subject: number,
): DrinkStatistics | null {
  const totals = store.drinks.totals.read(kind, subject);
  if (totals === null) return null;
  const figures = kind === 'site' ? siteFigures(store) : subjectFigures(store, kind, subject);
  const users = inOrderOfFirstUse(figures.users);
  const names = store.reports.statistics.usernames(users.map(({ part }) => part));
  return {
    pours: totals.pours,
    volumeMl: toMl(totals.volumeNl),
    lastDrinkId: totals.lastId,
    greatest: { drinkId: totals.largestId!, volumeMl: totals.largestMl! },
    kegIds: inOrderOfFirstUse(figures.kegs).map(({ part }) => part),
    drinkers: users.map(({ part, volumeNl }) => ({
      username: part === 0 ? null : names.get(part)!,
      volumeMl: toMl(volumeNl),
    })),
    sessions: figures.sessions.map(({ id, volumeNl }) => ({ id, volumeMl: toMl(volumeNl) })),
    sessionsCount: figures.sessionsCount,
    hasGuestPour: figures.hasGuestPour,
    largestSession: { id: figures.largestSession.id, volumeMl: toMl(figures.largestSession.volumeNl) },
    byWeekday: addUp(figures.weekdays),
    byYear: addUp(figures.years),
  };
}

/** From the stored totals. */
function siteFigures({ reports: { statistics }, drinks: { totals: drinkTotals } }: Store): Figures {
  const days = statistics.siteDays();
  const { part: id, volumeNl } = statistics.siteLargestSession()!;
  return {
    kegs: statistics.siteKegs(maxListed),
    users: statistics.siteUsers(maxListed),
    sessions: statistics
      .siteSessions(maxListed)
      .map((session) => ({ id: session.part, volumeNl: session.volumeNl }))
      .reverse(),
    sessionsCount: statistics.siteSessionCount(),
    hasGuestPour: drinkTotals.pours('user', 0) > 0,
    largestSession: { id, volumeNl },
    weekdays: days.map((day) => [weekdayOf(day.localDay), day.volumeNl]),
    years: days.map((day) => [day.year, day.volumeNl]),
  };
}

/** From the drinks of the subject. */
function subjectFigures({ reports: { statistics } }: Store, kind: SubjectKind, subject: number): Figures {
  const sessions = statistics.sessions(kind, subject);
  const users = statistics.users(kind, subject);
  const [largestId, , largestNl] = sessions.reduce((best, one) => (one[2] >= best[2] ? one : best));
  return {
    kegs: statistics.kegs(kind, subject, maxListed),
    users: users.slice(0, maxListed),
    sessions: sessions.slice(-maxListed).map(([id, volumeNl]) => ({ id, volumeNl })),
    sessionsCount: sessions.length,
    hasGuestPour: users.some(({ part }) => part === 0),
    largestSession: { id: largestId, volumeNl: largestNl },
    weekdays: sessions.map(([, volumeNl, , localDay]) => [weekdayOf(localDay), volumeNl]),
    years: statistics.utcDays(kind, subject).map(({ day, volumeNl }) => [toCalendarDate(day).year, volumeNl]),
  };
}

const inOrderOfFirstUse = (shares: readonly Share[]): Share[] =>
  shares.toSorted((one, other) => one.firstId - other.firstId);

/** Millilitres by slot, in the order of the slots; slots without volume are left out. */
function addUp(slots: readonly Slot[]): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  for (const [slot, nl] of slots) sums.set(slot, (sums.get(slot) ?? 0) + nl);
  const filled = [...sums].filter(([, nl]) => nl > 0).sort(([one], [other]) => one - other);
  return new Map(filled.map(([slot, nl]) => [slot, toMl(nl)]));
}
