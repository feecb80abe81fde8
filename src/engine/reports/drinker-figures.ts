import type { Session } from '../../core/records.ts';
import { maxInteger } from '../../store/shared/slice.ts';
import { requireFound } from '../shared/bounds.ts';
import { type Page, type PageRequest, paginate } from '../shared/paging.ts';
import type { EngineParts } from '../shared/parts.ts';
import { cachedResults } from './cached-results.ts';

/** What a user drank of one beverage. */
export interface FavouriteBeverage {
  /** Id of the beverage. */
  readonly id: number;
  readonly name: string;
  readonly volumeMl: number;
}

/** A session, and what one user drank in it. */
export type OwnSession = Session & { readonly ownVolumeMl: number };

/** A person looks at the first few only. */
const maxFavourites = 20;

const toMl = (nanolitres: number): number => nanolitres / 1e6;

/** Beverages and sessions of a user, summed from the user's drinks. Both throw `not_found` for an unknown user. */
export function createDrinkerFigures({ store }: EngineParts) {
  const cachedFavourites = cachedResults<readonly FavouriteBeverage[]>(store);
  const requireUserId = (username: string) =>
    requireFound(store.users.byName(username), `user “${username}”`).id;

  function sumByBeverage(userId: number): readonly FavouriteBeverage[] {
    const sums = new Map<number, FavouriteBeverage>();
    for (const { part: kegId, volumeNl } of store.reports.statistics.kegs('user', userId, maxInteger)) {
      const keg = store.kegs.byId(kegId);
      const beverage = keg && store.kegs.beverages.byId(keg.beverageId);
      if (!beverage) continue;
      const { id, name } = beverage;
      sums.set(id, { id, name, volumeMl: (sums.get(id)?.volumeMl ?? 0) + toMl(volumeNl) });
    }
    return [...sums.values()]
      .sort((one, other) => other.volumeMl - one.volumeMl || one.id - other.id)
      .slice(0, maxFavourites);
  }

  return {
    /** The beverages of which the user drank most, at most 20, the most first. */
    favourites(username: string): readonly FavouriteBeverage[] {
      const userId = requireUserId(username);
      return cachedFavourites(String(userId), () => store.snapshot(() => sumByBeverage(userId)));
    },

    /** The sessions in which the user drank, by descending id. */
    sessions(username: string, request: PageRequest): Page<OwnSession> {
      const userId = requireUserId(username);
      return store.snapshot(() => {
        const shares = store.reports.statistics
          .sessions('user', userId)
          .map(([id, volumeNl]) => ({ id, ownVolumeMl: toMl(volumeNl) }));
        const page = paginate(shares, request);
        const items = page.items.map(({ id, ownVolumeMl }) => ({
          ...store.drinks.sessions.byId(id)!,
          ownVolumeMl,
        }));
        return { ...page, items };
      });
    },
  };
}
