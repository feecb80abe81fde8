import { AppError } from '../../../core/app-error.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import { joinTickSeries } from '../../../core/pours/split-series.ts';
import type { Drink } from '../../../core/records.ts';
import type { DrinkMeasure } from '../../../store/drinks/drink-corrections.ts';
import type { Store } from '../../../store/store.ts';
import { maxDurationMs, maxTicks, maxVolumeMl, validationError } from '../../shared/bounds.ts';
import type { EngineParts } from '../../shared/parts.ts';
import { correct, type WithActor } from './correct.ts';
import { deleteDrink, recomputeTotals, requireValidDrink } from './corrected-drink.ts';

/**
 * Merges another drink into this one, for a glass that was topped up late. Both must have the same keg and
 * session; this one keeps its user and shout, and takes the other's picture when it has none.
 */
export function join(
  parts: EngineParts,
  id: number,
  { otherId, actor }: { readonly otherId: number } & WithActor,
  now: Moment,
): void {
  const { store } = parts;
  if (otherId === id) throw validationError('drink_id', 'must be the id of another drink');
  correct(parts, { action: 'drink.joined', drinkIds: [id, otherId], actor }, now, () => {
    const [drink, other] = [requireValidDrink(store, id), requireValidDrink(store, otherId)];
    requireJoinable(drink, other);
    movePicture(store, { fromId: otherId, toId: id });
    deleteDrink(store, other, id);
    store.drinks.setMeasure(id, combineMeasures(drink, other));
    store.drinks.events.setDrinkTime(id, Math.max(drink.pourTimeMs, other.pourTimeMs));
    recomputeTotals(store, drink);
    return undefined;
  });
}

function requireJoinable(drink: Drink, other: Drink): void {
  const conflict = findJoinConflict(drink, other);
  if (conflict !== null) {
    throw new AppError('conflict', `Drinks ${drink.id} and ${other.id} cannot be joined: ${conflict.text}.`, {
      reason: { name: conflict.name, drink: drink.id, other: other.id },
    });
  }
}

function findJoinConflict(drink: Drink, other: Drink) {
  if (drink.kegId !== other.kegId)
    return { name: 'different_kegs', text: 'they are of different kegs' } as const;
  if (drink.sessionId !== other.sessionId)
    return { name: 'different_sessions', text: 'they belong to different sessions' } as const;
  // A meter's lifetime ticks include those of its drinks, so ticks do not move to another meter's drink.
  if (drink.meter !== other.meter && other.ticks > 0)
    return { name: 'different_meters', text: 'they were counted by different meters' } as const;
  if (drink.timeCertain !== other.timeCertain)
    return { name: 'time_uncertain', text: 'the time of one of them is not certain yet' } as const;
  // What was left out of one could not be told from the volume that was entered for the other.
  if (isReduced(drink) !== isReduced(other) && drink.volumeGiven !== other.volumeGiven)
    return {
      name: 'gas_and_entered',
      text: 'one has gas or foam, and the volume of the other was entered',
    } as const;
  if (drink.ticks + other.ticks > maxTicks || drink.volumeMl + other.volumeMl > maxVolumeMl) {
    return { name: 'sum_too_large', text: 'together they are more than one drink can be' } as const;
  }
  return null;
}

const isReduced = ({ gasTicks, foamTicks, volumeGiven }: Drink): boolean =>
  !volumeGiven && gasTicks + foamTicks > 0;

/** Sum of both, from the first tick of the earlier to the last tick of the later one. */
function combineMeasures(drink: Drink, other: Drink): DrinkMeasure {
  const toStartMs = (one: Drink) => one.pourTimeMs - one.durationMs;
  const [early, late] = toStartMs(other) < toStartMs(drink) ? [other, drink] : [drink, other];
  const pourTimeMs = Math.max(drink.pourTimeMs, other.pourTimeMs);
  const { ticksLost } = drink;
  const lateOffsetMs = toStartMs(late) - toStartMs(early);
  return {
    ticks: drink.ticks + other.ticks,
    volumeMl: drink.volumeMl + other.volumeMl,
    volumeGiven: drink.volumeGiven || other.volumeGiven,
    series: joinTickSeries(early.series, late.series, lateOffsetMs) ?? drink.series ?? other.series,
    gasTicks: drink.gasTicks + other.gasTicks,
    foamTicks: drink.foamTicks + other.foamTicks,
    gasOnsetMs: early.gasOnsetMs ?? (late.gasOnsetMs === null ? null : late.gasOnsetMs + lateOffsetMs),
    ticksLost: ticksLost === null || other.ticksLost === null ? null : ticksLost + other.ticksLost,
    flowWhileShut: drink.flowWhileShut || other.flowWhileShut,
    rejectedEdges: Math.min(drink.rejectedEdges + other.rejectedEdges, maxTicks),
    pourTimeMs,
    durationMs: Math.min(pourTimeMs - toStartMs(early), maxDurationMs),
  };
}

function movePicture(
  store: Store,
  { fromId, toId }: { readonly fromId: number; readonly toId: number },
): void {
  if (store.pictures.byDrink(toId) === null) store.pictures.moveToDrink(fromId, toId);
}
