import { comparedSpans, type HourlyPours } from '../../core/alarms/tap-usage.ts';
import type { Moment } from '../../core/clock/moment.ts';
import { remainingMl } from '../../core/kegs/keg-volume.ts';
import {
  estimateFlowPattern,
  type FlowPattern,
  predictRunOut,
  type RunOut,
} from '../../core/kegs/run-out.ts';
import type { Tap } from '../../core/records.ts';
import type { LastDrink } from '../../store/reports/flow-table.ts';
import type { EngineParts } from '../shared/parts.ts';
import type { TapView } from '../shared/views.ts';
import { findLossMeter } from './meter-facts.ts';

/** Estimates change slowly; a thousand rows must not be read for every pour. */
const patternLifeMs = 10 * 60_000;
/** Days of which drips and gas are listed. */
const lossDays = 30;
const dayMs = 86_400_000;
/** More than the taps of any bar. */
const maxCached = 200;

interface CachedPattern {
  readonly pattern: FlowPattern | null;
  readonly readMonoMs: number;
}

/** What a tap card shows besides the tap's own data. */
export function createTapFacts({ store }: EngineParts) {
  const cache = new Map<string, CachedPattern>();

  const findPattern = (tapId: number, kegId: number, now: Moment, timeZone: string): FlowPattern | null => {
    const key = `${tapId}/${kegId}/${timeZone}`;
    const cached = cache.get(key);
    if (cached !== undefined && now.monoMs - cached.readMonoMs < patternLifeMs) return cached.pattern;
    const read = (drinks: Parameters<typeof estimateFlowPattern>[0]) =>
      estimateFlowPattern(drinks, now.wallMs, timeZone);
    const computed = read(store.reports.flow.byKeg(kegId)) ?? read(store.reports.flow.byTap(tapId));
    if (cache.size >= maxCached) cache.clear();
    cache.set(key, { pattern: computed, readMonoMs: now.monoMs });
    return computed;
  };

  return {
    /** The last completed pour of the tap; without held ones. */
    lastDrink: (tapId: number): LastDrink | null => store.reports.flow.lastByTap(tapId),

    /** Pours of all taps in the last hours and at the same time of earlier weeks. One query; about 5 ms on a Pi. */
    comparePours: (now: Moment): readonly HourlyPours[] =>
      store.reports.flow.byHour(comparedSpans(now.wallMs, store.site.read().timeZone)),

    /** Sum of all pours of the tap, millilitres; corrections lower and raise it. */
    totalMl: (tapId: number): number => (store.drinks.totals.read('tap', tapId)?.volumeNl ?? 0) / 1e6,

    /** What its meter counted on the last days that is no drink, newest first; empty without a meter. */
    losses: (tap: Tap) =>
      store.taps.losses.byTap(tap.id, lossDays).flatMap((loss) => {
        const meter = findLossMeter(store, tap, loss.localDay);
        if (meter === null) return [];
        return {
          ...loss,
          date: new Date(loss.localDay * dayMs).toISOString().slice(0, 10),
          dripMl: loss.dripTicks / meter.ticksPerMl,
          backFlowMl: loss.backFlowTicks / meter.ticksPerMl,
        };
      }),

    /**
     * When its kegs will be empty, from the flow of the first one, else from the tap's; null without a keg, while the
     * clock is not set, and with too few drinks.
     */
    predictRunOut({ tap, keg, kegsBehind }: TapView, now: Moment): RunOut | null {
      if (keg === null || !now.synced) return null;
      const remainMl = [keg, ...kegsBehind].reduce((sum, one) => sum + remainingMl(one), 0);
      if (remainMl <= 0) return null;
      const { timeZone } = store.site.read();
      const cached = findPattern(tap.id, keg.id, now, timeZone);
      return cached && predictRunOut(remainMl, cached, now.wallMs, timeZone);
    },
  };
}
