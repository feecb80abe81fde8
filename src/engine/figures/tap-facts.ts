import type { Moment } from '../../core/moment.ts';
import { estimateHabit, type Habit, predictRunOut, type RunOut } from '../../core/run-out.ts';
import type { LastDrink } from '../../store/tables/flow-table.ts';
import type { EngineParts } from '../parts.ts';
import type { TapView } from '../views.ts';

/** What a card says of a tap beyond its rows. */
export interface TapFacts {
  /** The pour that was over last there; held ones are none. */
  lastDrink(tapId: number): LastDrink | null;
  /**
   * About when its keg is empty, by how that keg flows, else by how the tap does; null without a keg, where nobody knows
   * the time, and where too little has flowed to tell.
   */
  predictRunOut(view: TapView, now: Moment): RunOut | null;
}

/** A habit changes slowly; a thousand rows are not read for every glass. */
const habitLifeMs = 10 * 60_000;
/** More than any house has taps. */
const maxCached = 200;

interface CachedHabit {
  readonly habit: Habit | null;
  readonly readMonoMs: number;
}

export function createTapFacts({ store }: EngineParts): TapFacts {
  const cache = new Map<string, CachedHabit>();

  const findHabit = (tapId: number, kegId: number, now: Moment, timeZone: string): Habit | null => {
    const key = `${tapId}/${kegId}/${timeZone}`;
    const cached = cache.get(key);
    if (cached !== undefined && now.monoMs - cached.readMonoMs < habitLifeMs) return cached.habit;
    const read = (drinks: Parameters<typeof estimateHabit>[0]) => estimateHabit(drinks, now.wallMs, timeZone);
    const computed = read(store.flow.ofKeg(kegId)) ?? read(store.flow.ofTap(tapId));
    if (cache.size >= maxCached) cache.clear();
    cache.set(key, { habit: computed, readMonoMs: now.monoMs });
    return computed;
  };

  return {
    lastDrink: (tapId) => store.flow.lastOfTap(tapId),
    predictRunOut({ tap, keg }, now) {
      if (keg === null || !now.synced) return null;
      const remainMl = keg.fullVolumeMl - keg.servedVolumeMl - keg.spilledVolumeMl;
      if (remainMl <= 0) return null;
      const { timeZone } = store.site.read();
      const cached = findHabit(tap.id, keg.id, now, timeZone);
      return cached && predictRunOut(remainMl, cached, now.wallMs, timeZone);
    },
  };
}
