import type { Drink } from '../../../core/records.ts';
import { correct } from '../../../engine/drinks/corrections/correct.ts';
import { recomputeTotals, requireDrink } from '../../../engine/drinks/corrections/corrected-drink.ts';
import { keep } from '../../../engine/drinks/corrections/review.ts';
import { updateEvidenceAt } from '../../../engine/kegs/keg-evidence.ts';
import type { ActorContext } from '../../../engine/shared/actor-context.ts';
import { requireFound, validateNumber, validationError } from '../../../engine/shared/bounds.ts';
import { change } from '../../../engine/shared/parts.ts';
import { cleaningBounds } from '../core/cleaning-terms.ts';
import type { CleaningDatabase } from '../store/cleaning-store.ts';
import { cleaningReason } from '../store/cleaning-store.ts';
import { recomputeLostBeer } from './cleaning-beer.ts';
import { addEntry, toFacts } from './cleaning-entries.ts';
import {
  createCleaningMode,
  defaultContactMinutes,
  findLineVolumeMl,
  requireCleaning,
  requireKind,
  validateLineVolume,
} from './cleaning-mode.ts';
import type { CleaningEngineParts } from './parts.ts';

/** Pours that were a cleaning. */
export interface MarkedCleaning {
  /** Drinks and held pours of one tap. */
  readonly drinkIds: readonly number[];
  readonly kind: string;
  /** Default true: the first line volume was beer. */
  readonly hasBeer?: boolean;
  /** Default: that of the tap, else that of its last cleaning; without any no beer is booked as lost. */
  readonly lineVolumeMl?: number | null;
}

/** Makes pours a cleaning, with an entry in the log. Returns its id and that of the correction, by which it is undone. */
export function markCleaning(
  parts: CleaningEngineParts,
  { drinkIds, kind, hasBeer = true, lineVolumeMl }: MarkedCleaning,
  context: ActorContext,
): { readonly cleaningId: number; readonly correctionId: number } {
  const { store } = parts;
  const { actor, now } = context;
  const ids = [...new Set(drinkIds)];
  validateNumber('drink_ids', ids.length, { min: 1, max: cleaningBounds.pours });
  const [first, ...others] = ids;
  let cleaningId = 0;
  correct(parts, { action: 'drink.marked_cleaning', drinkIds: [first!, ...others], actor }, now, () => {
    const drinks = ids.map((id) => requireDrink(store, id));
    const tapId = requireOneTap(store, drinks);
    const startedMs = Math.min(...drinks.map(({ pourTimeMs, durationMs }) => pourTimeMs - durationMs));
    const endedMs = Math.max(...drinks.map(({ pourTimeMs }) => pourTimeMs));
    const facts = toFacts({ kind: requireKind(kind), startedMs: Math.max(0, startedMs), endedMs });
    cleaningId = store.cleanings.add({
      tapId,
      kegId: drinks.find(({ kegId }) => kegId !== null)?.kegId ?? null,
      kind: facts.kind,
      origin: 'pours',
      hasBeer,
      lineVolumeMl:
        lineVolumeMl === undefined ? findLineVolumeMl(store, tapId) : validateLineVolume(lineVolumeMl),
      beerGivenMl: null,
      contactMinutes: defaultContactMinutes,
      startedMs: facts.startedMs,
      bootId: '',
      startMonoMs: 0,
      endedMs: facts.endedMs,
      endReason: 'finished',
    });
    for (const id of ids) takeFromTotals(store, id, cleaningId);
    recomputeLostBeer(store, cleaningId);
    addEntry(store, store.cleanings.byId(cleaningId)!, facts, context);
    return undefined;
  });
  return { cleaningId, correctionId: store.drinks.corrections.latestByDrink(first!)! };
}

/** Makes all pours of a cleaning drinks, each as it would have been recorded. Returns their number. */
export function keepPours(
  parts: CleaningEngineParts,
  cleaningId: number,
  { actor, now }: ActorContext,
): number {
  const { store } = parts;
  return change(parts, () => {
    const { tapId } = requireCleaning(store, cleaningId);
    const pours = store.cleaningPours.of(cleaningId);
    const isThere = store.taps.byId(tapId) !== null;
    for (const { drinkId } of pours) keep(parts, drinkId, { actor, ...(isThere ? { tapId } : {}) }, now);
    return pours.length;
  });
}

/** Cancels a cleaning, or dismisses one that ended by itself, and makes all its pours drinks. Throws `conflict` when it is over. */
export const cancelAsDrinks = (parts: CleaningEngineParts, cleaningId: number, context: ActorContext): void =>
  change(parts, () => {
    createCleaningMode(parts).cancel(cleaningId, context);
    keepPours(parts, cleaningId, context);
  });

function takeFromTotals(store: CleaningDatabase, id: number, cleaningId: number): void {
  // Read again: taking an earlier one may have split the session.
  const drink = requireDrink(store, id);
  for (const { id } of store.drinks.rows.byDrink('events', drink.id))
    store.drinks.rows.remove('events', Number(id));
  store.drinks.setAside(drink.id, cleaningReason);
  store.cleaningPours.add(drink.id, cleaningId);
  recomputeTotals(store, drink);
  if (!drink.isValid) updateEvidenceAt(store, drink);
}

function requireOneTap(store: CleaningDatabase, drinks: readonly Drink[]): number {
  const tapIds = new Set(drinks.map(({ tapId }) => tapId));
  const [tapId] = tapIds;
  if (tapIds.size > 1 || tapId === undefined || tapId === null)
    throw validationError('drink_ids', 'must be pours of one tap');
  requireFound(store.taps.anyName(tapId), `tap ${tapId}`);
  return tapId;
}
