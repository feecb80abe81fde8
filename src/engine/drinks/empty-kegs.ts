import type { Moment } from '../../core/clock/moment.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { createKegs } from '../kegs/kegs.ts';
import type { Actor } from '../shared/audit.ts';
import { requireFound } from '../shared/bounds.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { correct } from './corrections/correct.ts';
import { countGasAsBeer } from './corrections/count-as-beer.ts';
import { keepRows } from './corrections/review.ts';
import { findGasPours } from './suspected-kegs.ts';

/** Kegs that are probably empty, since gas came out of their taps. Staff say whether they are. */
export type EmptyKegs = ReturnType<typeof createEmptyKegs>;

export function createEmptyKegs(parts: EngineParts, kegs: Pick<ReturnType<typeof createKegs>, 'endOnTap'>) {
  const { store } = parts;
  const find = (tapId: number) => store.taps.emptyKegs.all().find((one) => one.tapId === tapId) ?? null;
  const all = store.cachedUntilWrite(
    (): ReadonlyMap<number, number> =>
      new Map(store.taps.emptyKegs.all().map(({ tapId, timeMs }) => [tapId, timeMs])),
  );

  return {
    /** When the gas came, by the id of the tap, Unix milliseconds. */
    all,

    /**
     * Ends the kegs at the time when the gas came, or now when none did: gas comes when those of a series are all empty. Pours that are
     * held as gas stay held: they may be those of the next keg. Throws `conflict` while there is no keg on the tap.
     */
    confirm(tapId: number, now: Moment, actor?: Actor): void {
      const changedAtMs = find(tapId)?.timeMs;
      const end = () => kegs.endOnTap(tapId, now, actor, { ranDry: true, changedAtMs });
      change(parts, () => {
        end();
        while (store.taps.byId(tapId)?.kegId != null) end();
      });
    },

    /**
     * The keg is not empty: the gas since then counts as beer after all, in its drinks and as drinks of its own, and the tap’s usual
     * rate is learned again. One correction. Returns its id; null when nobody was asked, or nothing had to change.
     */
    deny(tapId: number, now: Moment, actor?: Actor): number | null {
      requireFound(store.taps.byId(tapId), `tap ${tapId}`);
      const suspected = find(tapId);
      if (suspected === null) return null;
      const { kegId } = suspected;
      return change(parts, () => {
        const { drinkIds, heldIds } = findGasPours(store, suspected);
        const [first, ...others] = [...drinkIds, ...heldIds];
        // From the first of them on: beer at this rate must not be taken for gas again.
        store.taps.rates.forget(tapId, Math.max(0, suspected.timeMs - 1));
        store.taps.emptyKegs.remove(tapId);
        if (first === undefined) return null;
        const touches = () => ({ kegIds: [kegId] });
        const correction = { action: 'drink.edited', drinkIds: [first, ...others], touches, actor } as const;
        correct(parts, correction, now, () => {
          for (const id of drinkIds) countGasAsBeer(store, id);
          for (const id of heldIds) keepRows(parts, id, { kegId, ...omitUndefined({ actor }) }, now);
          return undefined;
        });
        return store.drinks.corrections.latestByDrink(first);
      });
    },
  };
}
