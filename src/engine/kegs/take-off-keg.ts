import type { Keg } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import type { TapRecord } from '../../store/taps/taps-table.ts';

/**
 * Takes a keg that was poured from off its only tap before it is empty: it is in stock again with what is left, keeps its drinks and
 * the time at which it was tapped, and can be put on a tap again. The kegs behind it follow. It is no evidence of a meter then, nor
 * is the keg that follows (`settleSeries`): nobody knows whose beer stands in the line.
 */
export function takeOffKeg(store: Store, tap: TapRecord, { id, startedTimeMs }: Keg): void {
  store.taps.removeKeg(tap.id, id);
  store.kegs.setState(id, { state: 'available', startedTimeMs, finishedTimeMs: null });
}
