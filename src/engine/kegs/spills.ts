import type { Moment } from '../../core/clock/moment.ts';
import type { Spill } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';

/** Records a spill at `now`. */
export function addSpill(
  store: Store,
  spill: Omit<Spill, 'id' | 'timeMs'> & { ticks: number; meter: string | null; pourId: string | null },
  now: Moment,
): Spill {
  if (now.synced) store.site.raiseNewestSynced(now.wallMs);
  const stored = store.spills.add({ ...spill, timeMs: Math.round(now.wallMs) });
  store.provisionalTimes.note('spill', stored.id, now);
  return stored;
}
