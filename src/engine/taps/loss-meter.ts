import { daySpan } from '../../core/clock/local-days.ts';
import type { MeterConfig, Tap } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';

type LossMeter = Pick<MeterConfig, 'name' | 'ticksPerMl'>;

/**
 * The meter that counted what a tap lost on a day: its meter, unless the newest drinks until then are all of another one, in whose place
 * it came later. Null without a meter.
 */
export function findLossMeter(
  store: Store,
  { id, meter }: Pick<Tap, 'id' | 'meter'>,
  localDay: number,
): LossMeter | null {
  if (meter === null) return null;
  const { untilMs } = daySpan(localDay, store.site.read().timeZone);
  const names = store.kegMeasures.lastMeters(id, untilMs);
  if (names.length === 0 || names.includes(meter.name)) return meter;
  return store.meters.byName(names[0]!) ?? meter;
}
