import type { EventBus } from '../../../core/event-bus.ts';
import type { Drink } from '../../../core/records.ts';
import type { MetricValues } from './metric-values.ts';

/** The tap of pours on a meter that belongs to none. */
const noTap = 'none';

interface PourMetricsOptions {
  readonly bus: EventBus;
  readonly values: MetricValues;
  /** Tap of a meter, for drips; null if it has none or the database is closed. */
  readonly findTap: (meter: string) => number | null;
}

/**
 * Counts pours as they are recorded. Later corrections change no counter, which can only grow. Returns the function that ends it.
 */
export function countPours({ bus, values, findTap }: PourMetricsOptions): () => void {
  const stopDrinks = bus.on('drink.recorded', ({ drink }) => countDrink(drink, values));
  const stopDrips = bus.on('pour.dripped', ({ meter, isBackFlow }) =>
    values.increment('tapster_pours_total', {
      tap: toTapLabel(findTap(meter)),
      result: isBackFlow ? 'back_flow' : 'drip',
    }),
  );
  return () => {
    stopDrinks();
    stopDrips();
  };
}

function countDrink(
  { tapId, isValid, isSetAside, heldReason, volumeMl, durationMs, meter, ticks, source }: Drink,
  values: MetricValues,
) {
  const tap = toTapLabel(tapId);
  values.increment('tapster_pours_total', {
    tap,
    result: isValid ? 'drink' : isSetAside ? (heldReason ?? 'held') : 'held',
  });
  // The feeds of this machine count the ticks of their own meters, also of pours that are still open.
  if (meter !== null && source !== 'pin' && source !== 'serial')
    values.increment('tapster_pour_ticks_total', { meter }, ticks);
  if (!isValid) return;
  const liters = volumeMl / 1_000;
  values.increment('tapster_poured_liters_total', { tap }, liters);
  values.observe('tapster_pour_volume_liters', {}, liters);
  values.observe('tapster_pour_duration_seconds', {}, durationMs / 1_000);
}

const toTapLabel = (tapId: number | null): string => (tapId === null ? noTap : String(tapId));
