import { localDay } from '../../core/clock/local-days.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { KeptCounter } from '../../core/pours/counter-position.ts';
import type { MeterConfig } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import { maxTicks, validateNumber } from '../shared/bounds.ts';
import type { EngineParts } from '../shared/parts.ts';

/** Drips of a meter since the last call. */
export interface DripTicks {
  /** All of them. */
  readonly ticks: number;
  readonly drips: number;
  /** Ticks of liquid that only moved to and fro in the line. */
  readonly backFlowTicks?: number;
}

/** Drips since the last call, by full meter name. */
export interface CountedDrips {
  readonly byMeter: ReadonlyMap<string, DripTicks>;
  /** The serial boards' totals after them. */
  readonly counters: readonly KeptCounter[];
}

/** Adds drips to the lifetime totals of their meters, and to the days of their taps. */
export function countDrips({ store }: EngineParts, { byMeter, counters }: CountedDrips, now: Moment): void {
  if (byMeter.size === 0) return;
  for (const { ticks } of byMeter.values()) {
    validateNumber('ticks', ticks, { min: 0, max: maxTicks, whole: true });
  }
  store.recording(() => {
    for (const [name, { ticks, drips, backFlowTicks = 0 }] of byMeter) {
      const meter = store.taps.meters.byName(name);
      if (meter === null) continue;
      store.taps.meters.count(meter.id, ticks);
      addLoss(store, meter, { drips, dripTicks: ticks - backFlowTicks, backFlowTicks }, now);
    }
    for (const counter of counters) store.controllers.boardCounters.advance(counter, now.bootId);
  });
}

/** When a meter counted; null while the clock is not set. */
export const toCountedTime = ({ synced, wallMs }: Moment, agoMs = 0): number | null =>
  synced ? Math.max(0, Math.round(wallMs - agoMs)) : null;

/**
 * The day on which losses are counted. While the clock is not set it is the newest day that is known, though the true one may be
 * later: a loss without a day would be in the meter's lifetime total alone, where nobody sees it.
 */
export function lossDay(store: Store, { synced, wallMs }: Moment): number {
  const knownMs = synced ? wallMs : (store.site.newestSyncedMs() ?? wallMs);
  return localDay(knownMs, store.site.read().timeZone);
}

/** Without a tap there is no day to count it on: it stays in the lifetime total of the meter. */
function addLoss(
  store: Store,
  { tapId }: MeterConfig,
  loss: Omit<Parameters<Store['taps']['losses']['add']>[1], 'localDay'>,
  now: Moment,
): void {
  if (tapId === null) return;
  store.taps.losses.add(tapId, { ...loss, localDay: lossDay(store, now) });
}
