import type { Moment } from '../../../core/clock/moment.ts';
import { splitTickSeries } from '../../../core/pours/split-series.ts';
import type { Drink } from '../../../core/records.ts';
import { validationError } from '../../shared/bounds.ts';
import type { EngineParts } from '../../shared/parts.ts';
import { correct, type WithActor } from './correct.ts';
import { recomputeTotals, requireAccountId, requireValidDrink } from './corrected-drink.ts';

/** Size of the new part: more than nothing, less than all. */
type PartSize = { readonly volumeMl: number } | { readonly ticks: number };

/** The part to be split off. */
export type SplitOff = PartSize & {
  /** User of the new part; absent: the same user; null: none. */
  readonly username?: string | null;
};

/**
 * Splits a drink in two, for two glasses in one pour. Ticks and millilitres of both add up to the whole; the
 * first part keeps the pour id, so that the same pour reported again records nothing. Returns the new drink's
 * id.
 */
export function split(
  parts: EngineParts,
  id: number,
  { actor, ...off }: SplitOff & WithActor,
  now: Moment,
): number {
  const { store } = parts;
  let partId = 0;
  correct(parts, { action: 'drink.split', drinkIds: [id], actor }, now, () => {
    const whole = requireValidDrink(store, id);
    const part = computePart(whole, off);
    const rest = { ticks: whole.ticks - part.ticks, volumeMl: whole.volumeMl - part.volumeMl };
    // Gas came last, but stays with the first part: the parts are glasses of beer. Both have their share of the foam.
    const [early, late] =
      whole.gasTicks + whole.foamTicks > 0
        ? [whole.series, null]
        : splitTickSeries(whole.series, { ticks: rest.ticks, total: whole.ticks });
    const {
      gasTicks,
      foamTicks,
      gasOnsetMs,
      volumeGiven,
      pourTimeMs,
      durationMs,
      ticksLost,
      rejectedEdges,
      flowWhileShut,
    } = whole;
    const isSame = off.username === undefined;
    const userId = isSame ? store.drinks.userId(id) : requireAccountId(store, off.username ?? null);
    store.drinks.setMeasure(id, {
      ...rest,
      volumeGiven,
      gasTicks,
      foamTicks: foamTicks - part.foamTicks,
      gasOnsetMs,
      // A series that cannot be split stays with the first part.
      series: late === null ? whole.series : early,
      pourTimeMs,
      durationMs,
      ticksLost,
      rejectedEdges,
      flowWhileShut,
    });
    partId = store.drinks.addPart(id, {
      ...part,
      volumeGiven,
      gasTicks: 0,
      gasOnsetMs: null,
      series: late,
      pourTimeMs,
      durationMs,
      // Missed ticks are counted once, with the first part.
      ticksLost: ticksLost === null ? null : 0,
      rejectedEdges: 0,
      flowWhileShut,
      userId,
      claimedUsername: isSame ? whole.claimedUsername : null,
      authToken: isSame ? whole.authToken : null,
    });
    addPartEvents(parts, { partId, userId, whole: whole });
    recomputeTotals(store, whole);
    return { drinkIds: [partId] };
  });
  return partId;
}

/** Ticks, those of foam and volume of the part, in proportion. The rest keeps a tick of beer. */
function computePart(
  whole: Drink,
  off: PartSize,
): { readonly ticks: number; readonly foamTicks: number; readonly volumeMl: number } {
  const beerTicks = whole.ticks - whole.gasTicks;
  const toFoam = (ticks: number) =>
    beerTicks === 0 ? 0 : Math.min(ticks, Math.round((whole.foamTicks * ticks) / beerTicks));
  if ('ticks' in off) {
    const { ticks } = off;
    const fits = Number.isInteger(ticks) && ticks > 0 && ticks < beerTicks;
    if (!fits)
      throw validationError(
        'ticks',
        `must be a whole number above 0 and below ${beerTicks}, the drink's own`,
      );
    return { ticks, foamTicks: toFoam(ticks), volumeMl: (whole.volumeMl * ticks) / beerTicks };
  }
  const { volumeMl } = off;
  const fits = Number.isFinite(volumeMl) && volumeMl > 0 && volumeMl < whole.volumeMl;
  if (!fits)
    throw validationError('volume_ml', `must be above 0 and below ${whole.volumeMl}, the drink's own`);
  const share = Math.round((beerTicks * volumeMl) / whole.volumeMl);
  const ticks = Math.min(share, Math.max(0, beerTicks - 1));
  return { ticks, foamTicks: toFoam(ticks), volumeMl };
}

/** Writes the usual events for the part, without notifications, since nothing new was poured. */
function addPartEvents(
  { store }: EngineParts,
  {
    partId,
    userId,
    whole,
  }: { readonly partId: number; readonly userId: number | null; readonly whole: Drink },
): void {
  const sessionId = whole.sessionId!;
  const event = { timeMs: whole.pourTimeMs, drinkId: partId, sessionId, userId };
  if (!store.drinks.hasOther(partId, sessionId, userId)) {
    store.drinks.events.add({ kind: 'session_joined', ...event });
  }
  store.drinks.events.add({ kind: 'drink_poured', ...event, kegId: whole.kegId });
}
