import type { Moment } from '../../core/moment.ts';
import { type Habit, habitOf, type RunOut, runOutOf } from '../../core/run-out.ts';
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
  runsOut(view: TapView, now: Moment): RunOut | null;
}

/** A habit changes slowly; a thousand rows are not read for every glass. */
const habitLifeMs = 10 * 60_000;
/** More than any house has taps. */
const mostKept = 200;

interface KeptHabit {
  readonly habit: Habit | null;
  readonly readMonoMs: number;
}

export function createTapFacts({ store }: EngineParts): TapFacts {
  const kept = new Map<string, KeptHabit>();

  const habit = (tapId: number, kegId: number, now: Moment, timeZone: string): Habit | null => {
    const key = `${tapId}/${kegId}/${timeZone}`;
    const known = kept.get(key);
    if (known !== undefined && now.monoMs - known.readMonoMs < habitLifeMs) return known.habit;
    const read = (drinks: Parameters<typeof habitOf>[0]) => habitOf(drinks, now.wallMs, timeZone);
    const found = read(store.flow.ofKeg(kegId)) ?? read(store.flow.ofTap(tapId));
    if (kept.size >= mostKept) kept.clear();
    kept.set(key, { habit: found, readMonoMs: now.monoMs });
    return found;
  };

  return {
    lastDrink: (tapId) => store.flow.lastOfTap(tapId),
    runsOut({ tap, keg }, now) {
      if (keg === null || !now.synced) return null;
      const remainMl = keg.fullVolumeMl - keg.servedVolumeMl - keg.spilledVolumeMl;
      if (remainMl <= 0) return null;
      const { timeZone } = store.site.read();
      const known = habit(tap.id, keg.id, now, timeZone);
      return known && runOutOf(remainMl, known, now.wallMs, timeZone);
    },
  };
}
