import type { LiveDrink, SnapshotMessage } from '../../../http/live/shapes.ts';
import type { Drink } from '../../api/generated.ts';

/** Converts an API drink to a live drink, with the extra fields of the live list while it is there. */
export function toLiveDrink(drink: Drink, snapshot: SnapshotMessage): LiveDrink {
  const recent = snapshot.drinks.find(({ id }) => id === drink.id);
  return {
    tap_id: drink.tap_id,
    tap_name: recent?.tap_name ?? snapshot.taps.find(({ id }) => id === drink.tap_id)?.name ?? '',
    time_certain: drink.time_certain,
    recovered: drink.recovered,
    id: drink.id,
    flow_while_shut: drink.flow_while_shut ?? false,
    beverage_name: drink.beverage_name,
    user_id: drink.user_id,
    volume_ml: drink.volume_ml,
    pour_time: drink.pour_time,
  };
}
