import type { Moment } from '../../core/clock/moment.ts';
import type { Drink } from '../../core/records.ts';
import { reportShortened } from '../../store/drinks/corrections-table.ts';
import type { ActorContext } from '../shared/actor-context.ts';
import { writeAudit } from '../shared/audit.ts';
import { validateNumber } from '../shared/bounds.ts';
import type { Page, PageRequest } from '../shared/paging.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import type { PreparedPicture } from '../shared/pictures.ts';
import type { DrinkView } from '../shared/views.ts';
import { type DrinkCorrection, listDrinkCorrections } from './correction-history.ts';
import {
  type AppliedCalibration,
  type CalibrationPreview,
  calibrate,
  previewCalibration,
} from './corrections/calibrate.ts';
import { cancel } from './corrections/cancel.ts';
import { claim, claimable, unclaim } from './corrections/claim.ts';
import type { WithActor } from './corrections/correct.ts';
import { requireDrink, toDrinkView } from './corrections/corrected-drink.ts';
import { countAsBeer } from './corrections/count-as-beer.ts';
import { edit, reassign } from './corrections/edit.ts';
import { join } from './corrections/join.ts';
import { move } from './corrections/move.ts';
import { attachPicture, putPicture, removePicture } from './corrections/picture.ts';
import { listReducedDrinks, type ReducedDrink } from './corrections/reduced-drinks.ts';
import { discard, keep, suggestPlacement, tapOfMeter } from './corrections/review.ts';
import { type SplitOff, split } from './corrections/split.ts';
import { type UndoLatest, undoLatest } from './corrections/undo-latest.ts';
import { drinkPage } from './drink-lists.ts';
import type { Recalibration } from './meter-factor.ts';

/**
 * Reads and corrects drinks. Every correction updates keg, session and events in the same transaction and is
 * written to the audit log; all except picture changes can be undone.
 */
export type Drinks = ReturnType<typeof createDrinks>;

/** Enough for a list of the last drinks, and for a long review backlog. */
const maxListed = 1_000;

export function createDrinks(parts: EngineParts) {
  const { store } = parts;
  const view = (id: number): DrinkView => toDrinkView(store, requireDrink(store, id));
  /** Runs a correction and returns the drink afterwards. */
  const andView =
    <Options>(work: (parts: EngineParts, id: number, options: Options, now: Moment) => unknown) =>
    (id: number, options: Options, now: Moment): DrinkView => {
      work(parts, id, options, now);
      return view(id);
    };
  return {
    get(id: number): DrinkView | null {
      const drink = Number.isSafeInteger(id) ? store.drinks.byId(id) : null;
      return drink === null ? null : toDrinkView(store, drink);
    },

    /** The corrections of a drink, newest first, at most 100. */
    corrections: (id: number): readonly DrinkCorrection[] => listDrinkCorrections(store, id),

    /** Without held drinks. */
    list: (page: PageRequest): Page<Drink> => drinkPage(store, page),

    /** Recorded last, newest first, without held ones. */
    newest: (count: number): readonly Drink[] =>
      store.drinks.page(
        'valid',
        Number.MAX_SAFE_INTEGER,
        validateNumber('limit', count, { min: 0, max: maxListed, whole: true }),
      ),

    /** The latest pours by pour time, among the 200 drinks recorded last; without held ones. */
    latest: (count: number): readonly Drink[] =>
      store.drinks.latest(validateNumber('limit', count, { min: 0, max: maxListed, whole: true })),

    /** Drinks waiting for review, newest first, at most 1000. */
    held: (): readonly Drink[] => store.drinks.page('held', Number.MAX_SAFE_INTEGER, maxListed),

    /** Number of drinks waiting for review. */
    heldCount: (): number => store.drinks.heldCount(),

    /** Drinks of the last 30 days of which gas or foam was left out, newest first, at most 1000. */
    reduced: (now: Moment): readonly ReducedDrink[] => listReducedDrinks(store, now),

    /** Default tap for a held pour: its own, else the tap its meter is connected to now. */
    suggestedTap: ({ tapId, meter }: Drink): number | null => tapId ?? tapOfMeter(store, meter),

    /** Default keg for a held pour: that of its tap when it flowed, else the present one. */
    suggestedKeg: (held: Drink): number | null => suggestPlacement(store, held).kegId,

    /**
     * Returns the drink before cancelling, `isValid` false; with `spilled` its volume is recorded as a spill of
     * the keg.
     */
    cancel: (id: number, options: { readonly spilled: boolean } & WithActor, now: Moment): DrinkView =>
      cancel(parts, id, options, now),

    edit: andView(edit),

    /** Counts what was taken for gas or foam as beer. */
    countAsBeer: andView(countAsBeer),

    /** null, an empty name and `guest` remove the user. */
    reassign: andView(reassign),

    /** Assigns an unattributed drink of the last ten minutes to the member. */
    claim: andView(claim),

    /** Drinks that can be claimed now, newest first; `limit` bounds how many are examined. */
    claimable: (page: PageRequest, now: Moment): Page<Drink> => claimable(store, page, now),

    /** Takes a claim back: within ten minutes, and while nobody has corrected the drink since. */
    unclaim: andView(unclaim),

    /** Moves a drink to another keg or to none, and recomputes totals. */
    move: andView(move),

    /** Returns both parts. */
    split(
      id: number,
      off: SplitOff & WithActor,
      now: Moment,
    ): { readonly first: DrinkView; readonly part: DrinkView } {
      const partId = split(parts, id, off, now);
      return { first: view(id), part: view(partId) };
    },

    /** Merges the other drink into this one. */
    join: andView(join),

    /** Makes a held drink valid, on the given tap and keg, or where it was poured. */
    keep: andView(keep),

    /** Deletes a held drink; its ticks stay in the meter's total. */
    discard: (id: number, options: WithActor, now: Moment): void => discard(parts, id, options, now),

    /** Undoes the latest correction of a drink; null when that deletes the drink. */
    undo(id: number, options: UndoLatest, now: Moment): DrinkView | null {
      undoLatest(parts, id, options, now);
      return store.drinks.byId(id) === null ? null : view(id);
    },

    /** Sets the drink's one picture; the previous one is deleted permanently. */
    putPicture: andView(putPicture),

    attachPicture: (id: number, picture: PreparedPicture): boolean => attachPicture(parts, id, picture),

    /** Notes in the audit log what did not fit of a reported drink, by field, and why. */
    noteLeftOut(id: number, leftOut: Readonly<Record<string, string>>, { actor, now }: ActorContext): void {
      const subject = { kind: 'drink', id };
      const entry = { actor, action: reportShortened, subject, after: { left_out: leftOut } };
      change(parts, () => void writeAudit(store, entry, now));
    },

    /** Deletes it permanently, if there is one. */
    removePicture: (id: number, options: WithActor, now: Moment): void =>
      removePicture(parts, id, options, now),

    previewCalibration: (meterId: number, recalibration: Recalibration): CalibrationPreview =>
      previewCalibration(parts, meterId, recalibration),
    calibrate: (meterId: number, recalibration: Recalibration & WithActor, now: Moment): AppliedCalibration =>
      calibrate(parts, meterId, recalibration, now),
  };
}
