import type { Session } from '../../core/records.ts';
import type { SessionPart } from '../../store/reports/statistics-table.ts';
import type { EngineParts } from '../shared/parts.ts';
import { cachedResults } from './cached-results.ts';

/** What had been poured by the end of a drink, of a keg or in a session. */
export interface CoursePoint {
  readonly timeMs: number;
  readonly drinkId: number;
  /** From the first drink to this one, millilitres. */
  readonly volumeMl: number;
}

/** What one person drank in a session. */
export interface PersonShare {
  /** Null for drinks without a user. */
  readonly username: string | null;
  readonly pours: number;
  readonly volumeMl: number;
}

/** What came from one keg in a session. */
export interface KegShare {
  /** Null where none was on the tap. */
  readonly kegId: number | null;
  readonly beverage: string | null;
  readonly pours: number;
  readonly volumeMl: number;
}

/** The people and kegs of a session, the largest volume first; at most 100 each. */
export interface SessionShares {
  readonly people: readonly PersonShare[];
  /** Users with drinks, also those beyond the hundred. */
  readonly peopleCount: number;
  readonly kegs: readonly KegShare[];
  /** Number of drinks with a picture. */
  readonly pictures: number;
}

/** More cannot be told apart on a chart. */
const maxPoints = 150;
const maxListed = 100;
const toMl = (nanolitres: number): number => nanolitres / 1e6;

/** Sums over the drinks of one keg or session, for its page. */
export function createSubjectFigures({ store }: EngineParts) {
  const cachedCourse = cachedResults<readonly CoursePoint[]>(store);
  const cachedShares = cachedResults<SessionShares>(store);

  function computeCourse(kind: 'keg' | 'session', id: number): readonly CoursePoint[] {
    let volumeNl = 0;
    return store.reports.statistics.course(kind, id, maxPoints).map((step) => {
      volumeNl += step.volumeNl;
      return { timeMs: step.timeMs, drinkId: step.lastDrinkId, volumeMl: toMl(volumeNl) };
    });
  }

  function computeShares(id: number): SessionShares {
    const { statistics } = store.reports;
    const people = statistics.sessionParts(id, 'user_id');
    const listed = people.slice(0, maxListed);
    const names = statistics.usernames(listed.flatMap(({ part }) => part ?? []));
    return {
      people: listed.map((one) => ({
        username: one.part === null ? null : names.get(one.part)!,
        ...amounts(one),
      })),
      peopleCount: people.filter(({ part }) => part !== null).length,
      kegs: statistics
        .sessionParts(id, 'keg_id')
        .slice(0, maxListed)
        .map((one) => ({
          kegId: one.part,
          beverage: one.part === null ? null : beverageName(one.part),
          ...amounts(one),
        })),
      pictures: store.pictures.bySession(id).length,
    };
  }

  function beverageName(kegId: number): string | null {
    const keg = store.kegs.byId(kegId);
    return keg && (store.kegs.beverages.byId(keg.beverageId)?.name ?? null);
  }

  return {
    /** What was poured up to each drink, the earliest first; at most 150 points, the last one with all drinks. */
    course: (kind: 'keg' | 'session', id: number): readonly CoursePoint[] =>
      cachedCourse(`${kind} ${id}`, () => store.snapshot(() => computeCourse(kind, id))),
    sessionShares: (id: number): SessionShares =>
      cachedShares(String(id), () => store.snapshot(() => computeShares(id))),
    /** The newest of some sessions, as statistics list them; null without any. */
    newestSession: (sessions: readonly { readonly id: number }[]): Session | null => {
      const newest = sessions.at(-1);
      return newest === undefined ? null : store.drinks.sessions.byId(newest.id);
    },
  };
}

const amounts = ({ pours, volumeNl }: SessionPart) => ({ pours, volumeMl: toMl(volumeNl) });
