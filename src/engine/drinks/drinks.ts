import type { Moment } from '../../core/clock/moment.ts';
import type { Drink } from '../../core/records.ts';
import { readPage, validateNumber } from '../shared/bounds.ts';
import type { EngineParts } from '../shared/parts.ts';
import type { PreparedPicture } from '../shared/pictures.ts';
import type { DrinkView, Page, PageRequest } from '../shared/views.ts';
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
import { requireDrink, toDrinkView } from './corrections/corrected-drink.ts';
import { type DrinkEdit, edit, reassign } from './corrections/edit.ts';
import { join } from './corrections/join.ts';
import { type MoveTo, move } from './corrections/move.ts';
import { putPicture, removePicture } from './corrections/picture.ts';
import { discard, type KeepAs, keep, tapOfMeter } from './corrections/review.ts';
import { type SplitOff, split } from './corrections/split.ts';
import { type UndoLatest, undoCorrection, undoLatest } from './corrections/undo.ts';

/**
 * Reads and corrects drinks. Every correction updates keg, session and events in the same transaction and is
 * written to the audit log; all except picture changes can be undone.
 */
export interface Drinks {
  get(id: number): DrinkView | null;
  /** Without held drinks. */
  list(page: PageRequest): Page<Drink>;
  /** Newest first, without held ones. */
  newest(count: number): readonly Drink[];
  /** Drinks waiting for review, newest first, at most 1000. */
  held(): readonly Drink[];
  /** Number of drinks waiting for review. */
  heldCount(): number;
  /** Default tap for a held pour: its own, else the tap its meter is connected to now. */
  suggestedTap(held: Drink): number | null;

  /**
   * Returns the drink before cancelling, `isValid` false; with `spilled` its volume is recorded as a spill of
   * the keg.
   */
  cancel(id: number, options: { readonly spilled: boolean } & WithActor, now: Moment): DrinkView;
  edit(id: number, changes: DrinkEdit & WithActor, now: Moment): DrinkView;
  /** null, an empty name and `guest` remove the user. */
  reassign(id: number, to: { readonly username: string | null } & WithActor, now: Moment): DrinkView;
  /** Assigns an unattributed drink of the last ten minutes to the member. */
  claim(id: number, options: { readonly username: string } & WithActor, now: Moment): DrinkView;
  /** Drinks that can be claimed now, newest first; `limit` bounds how many are examined. */
  claimable(page: PageRequest, now: Moment): Claimable;
  /** Takes a claim back: within ten minutes, and while nobody has corrected the drink since. */
  unclaim(id: number, options: { readonly username: string } & WithActor, now: Moment): DrinkView;
  /** Moves a drink to another keg or to none, and recomputes totals. */
  move(id: number, to: MoveTo & WithActor, now: Moment): DrinkView;
  /** Returns both parts. */
  split(
    id: number,
    off: SplitOff & WithActor,
    now: Moment,
  ): { readonly first: DrinkView; readonly part: DrinkView };
  /** Merges the other drink into this one. */
  join(id: number, options: { readonly otherId: number } & WithActor, now: Moment): DrinkView;
  /** Makes a held drink valid, on the given tap and keg, or where it was poured. */
  keep(id: number, as: KeepAs & WithActor, now: Moment): DrinkView;
  /** Deletes a held drink; its ticks stay in the meter's total. */
  discard(id: number, options: WithActor, now: Moment): void;
  /** Undoes the latest correction of a drink; null when that deletes the drink. */
  undo(id: number, options: UndoLatest, now: Moment): DrinkView | null;
  /** Undoes a correction by its id, a calibration with all its volume changes. */
  undoCorrection(id: number, options: WithActor, now: Moment): void;

  /** Sets the drink's one picture; the previous one is deleted permanently. */
  putPicture(
    id: number,
    options: { readonly picture: PreparedPicture; readonly caption: string } & WithActor,
    now: Moment,
  ): DrinkView;
  /** Deletes it permanently, if there is one. */
  removePicture(id: number, options: WithActor, now: Moment): void;

  previewCalibration(meterId: number, recalibration: Recalibration): CalibrationPreview;
  calibrate(meterId: number, recalibration: Recalibration & WithActor, now: Moment): AppliedCalibration;
}

/** Enough for a list of the last drinks, and for a long review backlog. */
const maxListed = 1_000;

export function createDrinks(parts: EngineParts): Drinks {
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
