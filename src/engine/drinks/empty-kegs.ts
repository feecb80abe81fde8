import type { Moment } from '../../core/clock/moment.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { createKegs } from '../kegs/kegs.ts';
import type { Actor } from '../shared/audit.ts';
import { requireFound } from '../shared/bounds.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { countGasAsBeer } from './corrections/count-as-beer.ts';
import { discard, keep } from './corrections/review.ts';

/** Kegs that are probably empty, since gas came out of their taps. Staff say whether they are. */
export type EmptyKegs = ReturnType<typeof createEmptyKegs>;

export function createEmptyKegs(parts: EngineParts, kegs: Pick<ReturnType<typeof createKegs>, 'endOnTap'>) {
  const { store } = parts;
  const find = (tapId: number) => store.emptyKegs.all().find((one) => one.tapId === tapId) ?? null;
  const all = store.cachedUntilWrite(
    (): ReadonlyMap<number, number> =>
      new Map(store.emptyKegs.all().map(({ tapId, timeMs }) => [tapId, timeMs])),
  );

  return {
    /** When the gas came, by the id of the tap, Unix milliseconds. */
    all,

    /**
     * Ends the kegs at the time when the gas came, or now when none did: gas comes when those of a series are all empty. Pours since
     * then that are held as gas are discarded. Throws `conflict` while there is no keg on the tap.
     */
    confirm(tapId: number, now: Moment, actor?: Actor): void {
      const sinceMs = find(tapId)?.timeMs ?? now.wallMs;
      const agoMs = Math.max(0, now.wallMs - sinceMs);
      const ended = { ...now, wallMs: now.wallMs - agoMs, monoMs: now.monoMs - agoMs };
      change(parts, () => {
        for (const id of store.drinks.heldAsGas(tapId, sinceMs))
          discard(parts, id, omitUndefined({ actor }), now);
        kegs.endOnTap(tapId, ended, actor, { ranDry: true });
        while (store.taps.byId(tapId)?.kegId != null) kegs.endOnTap(tapId, ended, actor, { ranDry: true });
        store.emptyKegs.remove(tapId);
      });
    },

    /**
     */
    deny(tapId: number, now: Moment, actor?: Actor): void {
      requireFound(store.taps.byId(tapId), `tap ${tapId}`);
      const suspected = find(tapId);
      if (suspected === null) return;
      change(parts, () => {
        for (const id of store.drinks.withGas(suspected.kegId, suspected.timeMs)) {
          countGasAsBeer(parts, id, actor, now);
        }
        for (const id of store.drinks.heldAsGas(tapId, suspected.timeMs)) {
          keep(parts, id, { tapId, kegId: suspected.kegId, ...omitUndefined({ actor }) }, now);
        }
        // From the first of them on: beer at this rate must not be taken for gas again.
        store.tapRates.forget(tapId, Math.max(0, suspected.timeMs - 1));
        store.emptyKegs.remove(tapId);
      });
    },
  };
}
