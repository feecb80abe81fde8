import type { Moment } from '../core/moment.ts';
import type { Drink } from '../core/records.ts';
import { readPage, validateNumber } from './bounds.ts';
import { requireDrink, toDrinkView } from './corrections/about-drink.ts';
import {
  type AppliedCalibration,
  type CalibrationPreview,
  calibrate,
  previewCalibration,
  type Recalibration,
} from './corrections/calibrate.ts';
import { cancel } from './corrections/cancel.ts';
import { type Claimable, claim, claimable, unclaim } from './corrections/claim.ts';
import type { WithActor } from './corrections/correct.ts';
import { type DrinkEdit, edit, reassign } from './corrections/edit.ts';
import { join } from './corrections/join.ts';
import { type MoveTo, move } from './corrections/move.ts';
import { putPicture, removePicture } from './corrections/picture.ts';
import { discard, type KeepAs, keep, tapOfMeter } from './corrections/review.ts';
import { type SplitOff, split } from './corrections/split.ts';
import { type UndoLatest, undoCorrection, undoLatest } from './corrections/undo.ts';
import type { EngineParts } from './parts.ts';
import type { PreparedPicture } from './pictures.ts';
import type { DrinkView, Page, PageRequest } from './views.ts';

/**
 * Corrections and readings of drinks. Every correction moves keg, session and events in the same transaction, and is
 * written into the book of changes; all but those of pictures can be undone.
 */
export interface Drinks {
  get(id: number): DrinkView | null;
  /** Held drinks are not in it. */
  list(page: PageRequest): Page<Drink>;
  /** Newest first, held ones left out. */
  newest(count: number): readonly Drink[];
  /** Newest first, at most 1000: drinks that wait for staff to look at them. */
  held(): readonly Drink[];
  /** How many wait, all of them. */
  heldCount(): number;
  /** Where a held pour would be kept when nobody says otherwise: its tap, else the tap its meter hangs on now. */
  suggestedTap(held: Drink): number | null;

  /** Gives the drink as it was, `isValid` false; with `spilled` its volume becomes the keg's loss. */
  cancel(id: number, options: { readonly spilled: boolean } & WithActor, now: Moment): DrinkView;
  edit(id: number, changes: DrinkEdit & WithActor, now: Moment): DrinkView;
  /** null, an empty name and `guest` un-assign. */
  reassign(id: number, to: { readonly username: string | null } & WithActor, now: Moment): DrinkView;
  /** A drink of nobody, poured within the last ten minutes, is that member's own. */
  claim(id: number, options: { readonly username: string } & WithActor, now: Moment): DrinkView;
  /** What may be claimed now, newest first; `limit` bounds what is looked at. */
  claimable(page: PageRequest, now: Moment): Claimable;
  /** That claim was a mistake: within ten minutes, and as long as nobody has corrected the drink since. */
  unclaim(id: number, options: { readonly username: string } & WithActor, now: Moment): DrinkView;
  /** A drink is charged to another keg (or to none), with totals following. */
  move(id: number, to: MoveTo & WithActor, now: Moment): DrinkView;
  /** Gives both parts. */
  split(
    id: number,
    off: SplitOff & WithActor,
    now: Moment,
  ): { readonly first: DrinkView; readonly part: DrinkView };
  /** The other drink becomes a part of this one. */
  join(id: number, options: { readonly otherId: number } & WithActor, now: Moment): DrinkView;
  /** A held drink becomes a real one, on the given tap and keg, or where it was poured. */
  keep(id: number, as: KeepAs & WithActor, now: Moment): DrinkView;
  /** A held drink is forgotten; its ticks stay in the meter's total. */
  discard(id: number, options: WithActor, now: Moment): void;
  /** Takes back the latest correction of a drink; null when that makes it vanish again. */
  undo(id: number, options: UndoLatest, now: Moment): DrinkView | null;
  /** Takes back a correction by its id: a calibration, with all that followed it. */
  undoCorrection(id: number, options: WithActor, now: Moment): void;

  /** The drink's one picture; the one it had is erased for good. */
  putPicture(
    id: number,
    options: { readonly picture: PreparedPicture; readonly caption: string } & WithActor,
    now: Moment,
  ): DrinkView;
  /** Erases it for good, if there is one. */
  removePicture(id: number, options: WithActor, now: Moment): void;

  previewCalibration(meterId: number, recalibration: Recalibration): CalibrationPreview;
  calibrate(meterId: number, recalibration: Recalibration & WithActor, now: Moment): AppliedCalibration;
}

/** Enough for a page of last drinks, and for a review that somebody has put off too long. */
const maxListed = 1_000;

export function createDrinks(parts: EngineParts): Drinks {
  const { store } = parts;
  const view = (id: number): DrinkView => toDrinkView(store, requireDrink(store, id));
  /** A correction, then the drink as it is now. */
  const andView =
    <Options>(work: (parts: EngineParts, id: number, options: Options, now: Moment) => unknown) =>
    (id: number, options: Options, now: Moment): DrinkView => {
      work(parts, id, options, now);
      return view(id);
    };
  return {
    get(id) {
      const drink = Number.isSafeInteger(id) ? store.drinks.byId(id) : null;
      return drink === null ? null : toDrinkView(store, drink);
    },
    list: (page) =>
      readPage(page, store.counters.read('drinks'), (from, limit) => store.drinks.page('valid', from, limit)),
    newest: (count) =>
      store.drinks.page(
        'valid',
        Number.MAX_SAFE_INTEGER,
        validateNumber('limit', count, { min: 0, max: maxListed, whole: true }),
      ),
    held: () => store.drinks.page('held', Number.MAX_SAFE_INTEGER, maxListed),
    heldCount: () => store.counters.read('held_drinks'),
    suggestedTap: ({ tapId, meter }) => tapId ?? tapOfMeter(store, meter),

    cancel: (id, options, now) => cancel(parts, id, options, now),
    edit: andView(edit),
    reassign: andView(reassign),
    claim: andView(claim),
    claimable: (page, now) => claimable(store, page, now),
    unclaim: andView(unclaim),
    move: andView(move),
    split(id, off, now) {
      const partId = split(parts, id, off, now);
      return { first: view(id), part: view(partId) };
    },
    join: andView(join),
    keep: andView(keep),
    discard: (id, options, now) => discard(parts, id, options, now),
    undo(id, options, now) {
      undoLatest(parts, id, options, now);
      return store.drinks.byId(id) === null ? null : view(id);
    },
    undoCorrection: (id, options, now) => undoCorrection(parts, id, options, now),

    putPicture: andView(putPicture),
    removePicture: (id, options, now) => removePicture(parts, id, options, now),

    previewCalibration: (meterId, recalibration) => previewCalibration(parts, meterId, recalibration),
    calibrate: (meterId, recalibration, now) => calibrate(parts, meterId, recalibration, now),
  };
}
