import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import { chooseTapNumber } from '../../core/taps/tap-bounds.ts';
import type { CorrectionRow } from '../../store/drinks/corrections-table.ts';
import type { Store } from '../../store/store.ts';
import { type ActorContext, auditedChange, type Corrected } from '../shared/actor-context.ts';
import { addCorrection } from '../shared/corrections/add-correction.ts';
import type { EngineParts } from '../shared/parts.ts';
import {
  type ChangedTap,
  changedFields,
  changesNext,
  compareImages,
  readImages,
  type TapImage,
  toChangedTaps,
} from './tap-images.ts';

const nothing = { kegId: null, beverageId: null };

/** How a change of taps is written to the audit log. */
interface TapChange<T> {
  readonly action: string;
  readonly kind: 'tap' | 'site';
  readonly id: number | ((result: T) => number);
  readonly snapshot: (id: number) => unknown;
}

/** Runs a change of one or more taps like `auditedChange`; with a context it can be undone by the id of its entry. */
export const correctableTapChange = <T>(
  parts: EngineParts,
  context: ActorContext | undefined,
  tapChange: TapChange<T>,
  work: () => T,
): T =>
  comparedTapChange(parts, context, tapChange, work, (id, changed) =>
    addTapCorrection(parts, 'tap', id, changed),
  );

/** The same for what comes next on taps, which is also undone by PIN; without a change there is nothing to undo. */
export function correctableNextChange<T>(
  parts: EngineParts,
  context: ActorContext | undefined,
  tapChange: TapChange<T>,
  work: () => T,
): Corrected<T> {
  let correctionId: number | null = null;
  const result = comparedTapChange(parts, context, tapChange, work, (id, changed) => {
    if (changed.length === 0) return;
    addTapCorrection(parts, 'next', id, changed);
    correctionId = id;
  });
  return { result, correctionId };
}

/**
 * Restores the taps of a change: only the values that it changed, and only while they are as it left them; else throws
 * `conflict`. Hardware that serves another tap by now stays there. A restored tap whose number is taken gets a free one.
 * Call it in a transaction.
 */
export function undoTapChange(
  store: Store,
  correction: CorrectionRow,
  now: Moment,
  parts: Pick<EngineParts, 'store' | 'hooks'>,
): void {
  const changed = toChangedTaps(correction);
  for (const tap of changed) requireUnchanged(store, tap);
  // All are taken off first: two taps may get each other's hardware.
  for (const tap of changed) takeOffHardware(store, tap);
  for (const tap of changed) if (changesNext(tap)) store.taps.setNext(tap.id, nothing);
  for (const { id, before, after } of changed) {
    if (before === null) {
      removeTap(parts, id, now);
      continue;
    }
    if (after === null) store.taps.restore(id);
    restoreHardware(store, before, after);
    if (after === null) restoreNext(store, before);
    else if (changesNext({ id, before, after })) setNextAgain(store, before);
  }
  restoreFields(store, changed);
}

/** The taps of a change as they are now, for the audit log. */
export function readChangedTaps(store: Store, correction: CorrectionRow): { readonly taps: unknown } {
  const ids = new Set(toChangedTaps(correction).map(({ id }) => id));
  return { taps: readImages(store).filter(({ id }) => ids.has(id)) };
}

/** Deletes a tap; its drinks, spills and prices stay. Throws `conflict` while a keg is on it. */
export function removeTap(
  { store, hooks }: Pick<EngineParts, 'store' | 'hooks'>,
  tapId: number,
  now: Moment | undefined,
): void {
  const tap = store.taps.byId(tapId);
  if (tap === null) return;
  const { name, kegId } = tap;
  if (kegId !== null) {
    throw new AppError('conflict', `Keg ${kegId} is on tap “${name}”: end it before you delete the tap.`, {
      reason: { name: 'keg_on_tap', keg: kegId, tap: name },
    });
  }
  if (now !== undefined) hooks.tapRemoved(tapId, now);
  store.taps.meters.unbindTap(tapId);
  store.taps.toggles.unbindTap(tapId);
  store.access.grantTaps.removeTap(tapId);
  store.taps.remove(tapId);
}

/** Runs the change, and calls `logged` with the id of its entry and the taps that it changed. */
function comparedTapChange<T>(
  parts: EngineParts,
  context: ActorContext | undefined,
  tapChange: TapChange<T>,
  work: () => T,
  logged: (id: number, changed: readonly ChangedTap[]) => void,
): T {
  const { store } = parts;
  let changed: readonly ChangedTap[] = [];
  return auditedChange(parts, context, { ...tapChange, logged: (id) => logged(id, changed) }, () => {
    const before = readImages(store);
    const result = work();
    changed = compareImages(before, readImages(store));
    return result;
  });
}

function requireUnchanged(store: Store, tap: ChangedTap): void {
  const now = readImages(store).find(({ id }) => id === tap.id) ?? null;
  const isSame =
    (now === null) === (tap.after === null) &&
    (tap.before === null ||
      changedFields(tap).every(
        (field) => JSON.stringify(now?.[field]) === JSON.stringify(tap.after?.[field]),
      ));
  if (isSame) return;
  const name = now?.name ?? tap.before?.name ?? tap.after?.name ?? '';
  throw changedSinceError(name);
}

const changedSinceError = (tap: string): AppError =>
  new AppError('conflict', `Tap “${tap}” was changed again since: undo that first.`, {
    reason: { name: 'tap_changed_since', tap },
  });

function takeOffHardware(store: Store, { id, before, after }: ChangedTap): void {
  if (before === null || after === null) return;
  if (before.meterId !== after.meterId) store.taps.meters.unbindTap(id);
  if (before.toggleId !== after.toggleId) store.taps.toggles.unbindTap(id);
}

function restoreHardware(store: Store, before: TapImage, after: TapImage | null): void {
  const { id, meterId, toggleId, thermoSensorId } = before;
  if (meterId !== null && meterId !== after?.meterId && store.taps.meters.byId(meterId)?.tapId === null)
    store.taps.meters.bind(meterId, id);
  if (toggleId !== null && toggleId !== after?.toggleId && store.taps.toggles.byId(toggleId)?.tapId === null)
    store.taps.toggles.bind(toggleId, id);
  if (thermoSensorId !== after?.thermoSensorId) {
    const exists = thermoSensorId !== null && store.temperatures.byId(thermoSensorId) !== null;
    store.taps.setSensor(id, exists ? thermoSensorId : null);
  }
}

/** Announces what came next before. Throws `conflict` when that is no longer available. */
function setNextAgain(
  store: Store,
  { id, name, nextKegId: kegId, nextBeverageId: beverageId }: TapImage,
): void {
  const keg = kegId === null ? null : store.kegs.byId(kegId);
  const isGone = beverageId !== null && store.kegs.beverages.byId(beverageId) === null;
  if (isGone || (kegId !== null && keg === null)) {
    throw new AppError('conflict', `What came next on tap “${name}” was deleted since.`, {
      reason: { name: 'record_changed_since' },
    });
  }
  if (keg !== null && keg.state !== 'available') {
    throw new AppError(
      'conflict',
      `Keg ${keg.id} is no longer in stock: only an available keg can be next.`,
      {
        reason: { name: 'keg_not_available', keg: keg.id },
      },
    );
  }
  const other = kegId === null ? undefined : store.taps.all().find((tap) => tap.nextKegId === kegId);
  if (other !== undefined) throw changedSinceError(other.name);
  store.taps.setNext(id, { kegId, beverageId });
}

/** Announces again what came next on a deleted tap, while it is still available. */
function restoreNext(store: Store, { id, nextKegId, nextBeverageId }: TapImage): void {
  const keg = nextKegId === null ? null : store.kegs.byId(nextKegId);
  const isElsewhere = store.taps.all().some((tap) => tap.nextKegId === nextKegId);
  const kegId = keg?.state === 'available' && !isElsewhere ? keg.id : null;
  const hasBeverage = nextBeverageId !== null && store.kegs.beverages.byId(nextBeverageId) !== null;
  store.taps.setNext(id, { kegId, beverageId: hasBeverage ? nextBeverageId : null });
}

/** Sets the fields of all restored taps at once, because they may have swapped their numbers. */
function restoreFields(store: Store, changed: readonly ChangedTap[]): void {
  const restored = changed.filter(({ before }) => before !== null);
  const wanted = new Map(restored.map((tap) => [tap.id, toFields(tap)]));
  const taken = new Set<number>();
  for (const { id, number } of store.taps.all()) if (!wanted.get(id)?.hasNumber) taken.add(number);
  const places = store.taps.all().map(({ id, sortOrder, number }) => {
    const to = wanted.get(id);
    if (to === undefined) return { id, sortOrder, number };
    const isFree = to.hasNumber && !taken.has(to.image.number);
    const free = isFree ? to.image.number : (chooseTapNumber('', taken) ?? number);
    const own = to.hasNumber ? free : number;
    taken.add(own);
    return { id, sortOrder: to.hasOrder ? to.image.sortOrder : sortOrder, number: own };
  });
  store.taps.setOrder(places);
  for (const { id, number, sortOrder } of places) {
    const to = wanted.get(id);
    if (to === undefined) continue;
    const now = store.taps.byId(id)!;
    store.taps.change(id, {
      name: to.fields.has('name') ? to.image.name : now.name,
      notes: to.fields.has('notes') ? to.image.notes : now.notes,
      sortOrder,
      number,
    });
    if (to.fields.has('line')) store.taps.change(id, to.image.line);
    if (to.fields.has('servingSizeIds')) {
      const known = new Set(store.kegs.servingSizes.all().map((size) => size.id));
      store.taps.servingSizes.set(
        id,
        to.image.servingSizeIds.filter((sizeId) => known.has(sizeId)),
      );
    }
  }
}

function toFields(tap: ChangedTap) {
  const fields = new Set(changedFields(tap));
  return {
    image: tap.before!,
    fields,
    hasNumber: fields.has('number'),
    hasOrder: fields.has('sortOrder'),
  };
}
function addTapCorrection(
  parts: EngineParts,
  kind: 'tap' | 'next',
  id: number,
  changed: readonly ChangedTap[],
): void {
  const before = JSON.stringify(changed.map(({ id, before }) => ({ id, tap: before })));
  const after = JSON.stringify(changed.map(({ id, after }) => ({ id, tap: after })));
  addCorrection(parts, { id, kind, before, after });
}
