import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { Beverage, BeverageFields } from '../../core/kegs/records/beverage-record.ts';
import type { Producer, ProducerFields } from '../../core/kegs/records/producer-record.ts';
import type { MergeKind, MovedIds } from '../../store/kegs/catalogue-merges-table.ts';
import type { Store } from '../../store/store.ts';
import type { ActorContext } from '../shared/actor-context.ts';
import { writeAudit } from '../shared/audit.ts';
import { requireFound, validationError } from '../shared/bounds.ts';
import { addCorrection, setUndone } from '../shared/corrections/add-correction.ts';
import { change, type EngineParts } from '../shared/parts.ts';

/** The record that stays, and the duplicate that is removed. */
interface Merge {
  readonly keptId: number;
  readonly removedId: number;
}

/** What undo restores. */
interface Removed {
  readonly fields: BeverageFields | ProducerFields;
  readonly picture: { readonly name: string; readonly caption: string; readonly isMoved: boolean } | null;
  readonly moved: MovedIds;
  /** Since when the kept beverage, which had none, has the prices of the removed one; else null. */
  readonly pricedSinceMs: number | null;
}

/** Merges duplicates of beverages and of producers. Each merge and its undo is one transaction. */
export function createMerges(parts: EngineParts) {
  const { store } = parts;
  const find = (kind: MergeKind, id: number) => requireRecord(store, kind, id);

  const merge = (kind: MergeKind, { keptId, removedId }: Merge, { actor, now }: ActorContext): number =>
    change(parts, () => {
      const before = { kept: find(kind, keptId), merged: findDuplicate(store, kind, removedId) };
      if (keptId === removedId)
        throw validationError(`${kind}_id`, `must be another ${kind}`, { name: 'different' });
      const move = { from: removedId, to: keptId };
      const sinceMs = kind === 'beverage' ? firstUnusedMs(store, [keptId, removedId], now) : 0;
      const moved =
        kind === 'beverage'
          ? store.kegs.catalogueMerges.moveBeverage(move)
          : store.kegs.catalogueMerges.moveProducer(move);
      const removed: Removed = {
        fields: toFields(before.merged),
        picture: movePicture(store, kind, move),
        moved,
        pricedSinceMs:
          kind === 'beverage' ? mergePrices(store, { keptId, removedId }, moved.kegs, sinceMs) : null,
      };
      tableOf(store, kind).remove(removedId);
      const { kegs, beverages } = moved;
      const after = { kept: find(kind, keptId), ...(kind === 'beverage' ? { kegs } : { beverages }) };
      const subject = { kind, id: keptId };
      const id = writeAudit(store, { actor, action: `${kind}.merged`, subject, before, after }, now);
      store.kegs.catalogueMerges.add({ id, kind, keptId, removedId, removed: JSON.stringify(removed) });
      addCorrection(parts, { id, kind: 'merge', before: '{}', after: '{}' });
      return id;
    });

  return {
    /** Moves the kegs and announcements of the removed beverage to the kept one. Returns the id of the merge. */
    mergeBeverages: (ids: Merge, context: ActorContext): number => merge('beverage', ids, context),
    /** Moves the beverages of the removed producer to the kept one. Returns the id of the merge. */
    mergeProducers: (ids: Merge, context: ActorContext): number => merge('producer', ids, context),

    /** Undoes a merge, see `undoMerge`. */
    undo: (id: number, context: ActorContext): void => change(parts, () => undoMerge(parts, id, context)),
  };
}

/**
 * Restores the removed record under its id, with those of its kegs or beverages that still belong to the kept one. Refused
 * when one of the two was merged or deleted since. Call it in a transaction.
 */
export function undoMerge(parts: EngineParts, id: number, { actor, now }: ActorContext): void {
  const { store } = parts;
  const { kind, keptId, removedId, removed, isUndone } = requireFound(
    Number.isSafeInteger(id) ? store.kegs.catalogueMerges.byId(id) : null,
    `merge ${id}`,
  );
  if (isUndone)
    throw new AppError('conflict', `Merge ${id} was undone already.`, {
      reason: { name: 'already_undone' },
    });
  const { fields, picture, moved, pricedSinceMs } = JSON.parse(removed) as Removed;
  const producerId = 'producerId' in fields ? fields.producerId : null;
  if (
    findRecord(store, kind, keptId) === null ||
    (producerId !== null && store.kegs.producers.byId(producerId) === null)
  ) {
    throw new AppError(
      'conflict',
      `What was merged was merged again or deleted since, so merge ${id} cannot be undone: undo the later change first.`,
      { reason: { name: 'merged_since' } },
    );
  }
  if ('producerId' in fields) store.kegs.beverages.add(fields, removedId);
  else store.kegs.producers.add(fields, removedId);
  const sinceMs = kind === 'beverage' ? firstUnusedMs(store, [keptId], now) : 0;
  const kegs = store.kegs.catalogueMerges.moveBack(moved, { from: keptId, to: removedId });
  store.kegs.formerBeverages.add(kegs, { beverageId: keptId, untilMs: sinceMs });
  if (pricedSinceMs !== null && store.kegs.priceLists.newestSinceMs(keptId) === pricedSinceMs)
    store.kegs.priceLists.set(keptId, Math.max(sinceMs, pricedSinceMs), []);
  restorePicture(store, kind, { keptId, removedId }, picture);
  const after = {
    kept: requireRecord(store, kind, keptId),
    restored: requireRecord(store, kind, removedId),
  };
  const subject = { kind, id: keptId };
  const undoneBy = writeAudit(store, { actor, action: `${kind}.merge_undone`, subject, after }, now);
  store.kegs.catalogueMerges.setUndone(id);
  setUndone(parts, store.drinks.corrections.byId(id)!, undoneBy);
}

/** Now, or later than all drinks of the beverages: none of them may get another price, whatever the clock says. */
const firstUnusedMs = (store: Store, beverageIds: readonly number[], now: Moment): number =>
  Math.max(
    Math.round(now.wallMs),
    ...beverageIds.map((id) => store.kegs.formerBeverages.firstUnusedMs(id) ?? 0),
  );

/**
 * Keeps the prices of the removed beverage for the earlier drinks of its kegs. A kept beverage that never had prices has the
 * present ones of the removed beverage from now on: returns since when, else null.
 */
function mergePrices(
  store: Store,
  { keptId, removedId }: Merge,
  kegIds: readonly number[],
  sinceMs: number,
): number | null {
  store.kegs.formerBeverages.add(kegIds, { beverageId: removedId, untilMs: sinceMs });
  const prices = store.kegs.priceLists.ordinary(removedId);
  if (prices.length === 0 || store.kegs.priceLists.newestSinceMs(keptId) !== null) return null;
  store.kegs.priceLists.set(keptId, sinceMs, prices);
  return sinceMs;
}

const tableOf = (store: Store, kind: MergeKind) =>
  kind === 'beverage' ? store.kegs.beverages : store.kegs.producers;

const findRecord = (store: Store, kind: MergeKind, id: number): Beverage | Producer | null =>
  Number.isSafeInteger(id) ? tableOf(store, kind).byId(id) : null;

const requireRecord = (store: Store, kind: MergeKind, id: number): Beverage | Producer =>
  requireFound(findRecord(store, kind, id), `${kind} ${id}`);

/** The duplicate, which the request names in its body. */
function findDuplicate(store: Store, kind: MergeKind, id: number): Beverage | Producer {
  const found = findRecord(store, kind, id);
  if (found !== null) return found;
  throw validationError(`${kind}_id`, `must be the id of a ${kind}`, { name: 'exists', what: kind });
}

function toFields(record: Beverage | Producer): BeverageFields | ProducerFields {
  const { id: _id, picture: _picture, ...fields } = record;
  if (!('producer' in fields)) return fields;
  const { producer, ...beverage } = fields;
  return { ...beverage, producerId: producer.id };
}

/** Gives the removed record's picture to the kept one, or keeps its files for undo when that has a picture. */
function movePicture(
  store: Store,
  subject: MergeKind,
  { from, to }: { readonly from: number; readonly to: number },
): Removed['picture'] {
  const picture = store.pictures.bySubject(subject, from);
  if (picture === null) return null;
  const { name, caption } = picture;
  const isMoved = store.pictures.bySubject(subject, to) === null;
  store.pictures.remove(subject, from);
  if (isMoved) store.pictures.set({ subject, id: to, name, caption });
  else store.pictures.addCancelled(name);
  return { name, caption, isMoved };
}

function restorePicture(
  store: Store,
  subject: MergeKind,
  { keptId, removedId }: Merge,
  picture: Removed['picture'],
): void {
  if (picture === null) return;
  const { name, caption, isMoved } = picture;
  if (isMoved) {
    if (store.pictures.bySubject(subject, keptId)?.name !== name) return;
    store.pictures.remove(subject, keptId);
  } else if (!store.pictures.restore(name)) return;
  store.pictures.set({ subject, id: removedId, name, caption });
}
