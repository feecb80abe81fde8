import type { Moment } from '../../core/moment.ts';
import type { Drink } from '../../core/records.ts';
import { splitTickSeries } from '../../core/split-series.ts';
import { validationError } from '../bounds.ts';
import type { EngineParts } from '../parts.ts';
import { recomputeTotals, requireAccountId, requireValidDrink } from './about-drink.ts';
import { correct, type WithActor } from './correct.ts';

/** How much of a drink becomes one of its own: more than nothing, less than all. */
export type PartSize = { readonly volumeMl: number } | { readonly ticks: number };

/** The part about to be cut off. */
export type SplitOff = PartSize & {
  /** Whose the new part is; absent: the same drinker's; null: nobody's. */
  readonly username?: string | null;
};

/**
 * Cuts a drink in two: two glasses in one pour. Ticks and millilitres of both add up to the whole; the first keeps the
 * pour's id, so that the pour told again records nothing. Gives the new drink's id.
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
    const stays = { ticks: whole.ticks - part.ticks, volumeMl: whole.volumeMl - part.volumeMl };
    const [early, late] = splitTickSeries(whole.series, { ticks: stays.ticks, total: whole.ticks });
    const { volumeGiven, pourTimeMs, durationMs, ticksLost, rejectedEdges } = whole;
    const isSame = off.username === undefined;
    const userId = isSame ? store.drinks.userId(id) : requireAccountId(store, off.username ?? null);
    store.drinks.setMeasure(id, {
      ...stays,
      volumeGiven,
      // A series that cannot be cut stays whole with the first part.
      series: late === null ? whole.series : early,
      pourTimeMs,
      durationMs,
      ticksLost,
      rejectedEdges,
    });
    partId = store.drinks.addPart(id, {
      ...part,
      volumeGiven,
      series: late,
      pourTimeMs,
      durationMs,
      // What is known to be missing is told once, with the first part.
      ticksLost: ticksLost === null ? null : 0,
      rejectedEdges: 0,
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

/** What the part takes with it. Its other measure follows in proportion. */
function computePart(whole: Drink, off: PartSize): { readonly ticks: number; readonly volumeMl: number } {
  if ('ticks' in off) {
    const { ticks } = off;
    const fits = Number.isInteger(ticks) && ticks > 0 && ticks < whole.ticks;
    if (!fits)
      throw validationError(
        'ticks',
        `must be a whole number above 0 and below ${whole.ticks}, the drink's own`,
      );
    return { ticks, volumeMl: (whole.volumeMl * ticks) / whole.ticks };
  }
  const { volumeMl } = off;
  const fits = Number.isFinite(volumeMl) && volumeMl > 0 && volumeMl < whole.volumeMl;
  if (!fits)
    throw validationError('volume_ml', `must be above 0 and below ${whole.volumeMl}, the drink's own`);
  return { ticks: Math.round((whole.ticks * volumeMl) / whole.volumeMl), volumeMl };
}

/** The diary hears of the part as of any drink; nobody outside the house does, since nothing was poured. */
function addPartEvents(
  { store }: EngineParts,
  {
    partId,
    userId,
    whole,
  }: { readonly partId: number; readonly userId: number | null; readonly whole: Drink },
): void {
  const sessionId = whole.sessionId!;
  const line = { timeMs: whole.pourTimeMs, drinkId: partId, sessionId, userId };
  store.corrections.withoutNotifications(() => {
    if (!store.drinks.hasOther(partId, sessionId, userId)) {
      store.events.add({ kind: 'session_joined', ...line });
    }
    store.events.add({ kind: 'drink_poured', ...line, kegId: whole.kegId });
  });
}
