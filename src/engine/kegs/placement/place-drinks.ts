import type { Instant } from '../../../core/clock/instant.ts';
import { beerTicksOf } from '../../../core/measurement/pour-volume.ts';
import type { Drink } from '../../../core/records.ts';
import type { PlacedSpill, SpillPlacement } from '../../../store/drinks/spills-table.ts';
import type { Store } from '../../../store/store.ts';
import { updateKegEvidence } from '../keg-evidence.ts';
import { findKegAt, findPlacement, wallInstant } from './keg-spans.ts';
import { followLowMark } from './low-mark.ts';

/** The kegs that a drink came from. */
export const kegIdsOf = ({ kegId, parts }: Pick<Drink, 'kegId' | 'parts'>): readonly number[] =>
  (parts ?? [{ kegId }]).flatMap((part) => part.kegId ?? []);

/** Recomputes the keg's spilled volume, its time span from its drinks, and what it says about its meter. */
export function recomputeKeg(store: Store, kegId: number): void {
  store.kegs.recomputeSpilled(kegId);
  store.kegs.extendTimeSpan(kegId);
  updateKegEvidence(store, kegId);
}

/**
 * Finds the keg of a drink again by its tap and time, after one of them, its volume or what was on the tap has changed. A keg that staff
 * chose stays. Returns the kegs that it left and those that it has now, whose totals are to be recomputed; none without a change.
 */
export function placeDrink(store: Store, id: number): readonly number[] {
  const drink = store.drinks.byId(id);
  if (drink === null || !drink.isValid || drink.isKegAssigned || drink.tapId === null) return [];
  const placement = findPlacement(store, drink, store.drinks.flowEnd(id));
  const isSame =
    placement.kegId === drink.kegId && JSON.stringify(placement.parts) === JSON.stringify(drink.parts);
  if (isSame) return [];
  store.drinks.setPlacement(id, placement);
  store.drinks.events.setKeg(id, placement.kegId);
  return [...kegIdsOf(drink), ...kegIdsOf(placement)];
}

/** Which kegs a spill came from: that of a drink is divided as the drink was. */
function placeSpill(store: Store, { tapId, timeMs, volumeMl, flow }: PlacedSpill): SpillPlacement {
  if (flow === null) return { kegId: findKegAt(store, tapId!, wallInstant(timeMs)), parts: null };
  const { bootId, endMonoMs: monoMs, ...counted } = flow;
  const { kegId, parts } = findPlacement(
    store,
    { ...counted, tapId, volumeMl },
    { wallMs: timeMs, bootId, monoMs },
  );
  return { kegId, parts: toSpilledParts(parts) };
}

/** The parts of a drink as those of its spill, in ticks of beer. */
export const toSpilledParts = (parts: Drink['parts']): Drink['parts'] =>
  parts === null
    ? null
    : parts.map((part) => ({
        kegId: part.kegId,
        ticks: Math.round(beerTicksOf(part)),
        gasTicks: 0,
        foamTicks: 0,
        volumeMl: part.volumeMl,
      }));

/** Finds the kegs of drinks, spills and rows of extensions again that flowed through a tap since a time, after a change of what was on it then. */
export function placeSince(store: Store, tapId: number, { wallMs: sinceMs }: Instant): void {
  const span = { sinceMs, untilMs: Number.MAX_SAFE_INTEGER };
  const kegIds = new Set([
    ...store.drinks.idsAtTap(tapId, span).flatMap((id) => placeDrink(store, id)),
    ...store.drinks.spills.atTap(tapId, sinceMs).flatMap((spill) => {
      const placement = placeSpill(store, spill);
      const isSame =
        placement.kegId === spill.kegId && JSON.stringify(placement.parts) === JSON.stringify(spill.parts);
      if (isSame) return [];
      store.drinks.spills.setPlacement(spill.id, placement);
      return [...kegIdsOf(spill), ...kegIdsOf(placement)];
    }),
    ...store.placedRows().flatMap((rows) =>
      rows.atTap(tapId, sinceMs).flatMap(({ id, kegId: before, began }) => {
        const kegId = findKegAt(store, tapId, began);
        if (kegId === before) return [];
        rows.setKeg(id, kegId);
        return [before, kegId].filter((one) => one !== null);
      }),
    ),
  ]);
  for (const kegId of kegIds) {
    if (store.kegs.byId(kegId) === null) continue;
    recomputeKeg(store, kegId);
    followLowMark(store, kegId);
  }
}
