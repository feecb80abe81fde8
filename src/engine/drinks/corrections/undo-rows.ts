import { AppError } from '../../../core/app-error.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import type { Refusal } from '../../../core/reasons.ts';
import type { Row } from '../../../store/drinks/rows-table.ts';
import type { Store } from '../../../store/store.ts';
import { updateEvidenceAt, updateKegEvidence } from '../../kegs/keg-evidence.ts';
import { recomputeKeg } from '../../kegs/placement/place-drinks.ts';
import { followCount } from '../../kegs/placement/series.ts';
import type { ActorContext } from '../../shared/actor-context.ts';
import { restoreSetAside } from '../../shared/corrections/set-aside-pours.ts';
import type { EngineParts } from '../../shared/parts.ts';
import { queueHeldPour } from '../../shared/queue-news.ts';
import { correctDrinks } from '../clock-correction.ts';
import { recomputeSessions } from '../sessions/recompute-sessions.ts';
import { placeAgain } from './correct.ts';
import { changedColumns, findRow, type ImagedTable, type RowImage, toKegTotals } from './row-image.ts';

/** Images before and after the correction to be undone. */
interface CorrectionImages {
  readonly before: RowImage;
  readonly after: RowImage;
}

/** Session id at the time → current one. */
type SessionIds = ReadonlyMap<number, number>;

/**
 * Restores the rows as before a correction. Other changes since then stay: only columns changed by the
 * correction are written, and totals are restored only where nothing else has changed them, else recomputed.
 * Throws `conflict` with the obstacle; call it in a transaction. The function that it returns is called once the undoing is in the
 * audit log.
 */
export function undoRows(
  parts: Pick<EngineParts, 'store' | 'hooks'>,
  images: CorrectionImages,
  now: Moment,
): (context: ActorContext) => void {
  const { store } = parts;
  requireUndoable(store, images);
  const untouched = untouchedKegs(store, images);
  const sessionIds = reopenSessions(store, images.before);
  const spilledKegs = images.after.spills.flatMap(({ id }) => store.drinks.spills.kegIds(Number(id)));
  removeAdded(store, images, 'spills', (id) => store.provisionalTimes.clear('spill', id));
  removeAdded(store, images, 'cancelled_pours');
  undoDrinks(store, images, sessionIds);
  undoEvents(store, images, sessionIds);
  undoPictures(store, images);
  // Before the totals, of which what they book is a part.
  const follow = restoreSetAside(parts, [...images.before.drinks, ...images.after.drinks]);
  restoreTotals(store, images, { sessionIds, untouched });
  // What was spilled may have moved to other kegs since, with what was on the tap.
  for (const id of spilledKegs) if (!untouched.has(id)) recomputeKeg(store, id);
  placeAgain(
    store,
    images.before.drinks.map(({ id }) => Number(id)),
  );
  for (const id of new Set([...images.before.kegs, ...images.after.kegs].map((keg) => Number(keg.id))))
    followCount(store, id, now);
  for (const row of images.before.drinks.filter(({ is_valid }) => is_valid === 0)) {
    updateEvidenceAt(store, {
      meter: row.meter === null ? null : String(row.meter),
      pourTimeMs: Number(row.pour_time_ms),
    });
  }
  const isUncertain = images.before.drinks.some(
    (row) => row.time_certain === 0 && row.boot_id === now.bootId,
  );
  // The clock may have been set while the drink was deleted.
  if (now.synced && isUncertain) correctDrinks(store, now);
  return follow;
}

function requireUndoable(store: Store, { before, after }: CorrectionImages): void {
  for (const { id } of after.drinks) {
    if (store.drinks.rows.byKey('drinks', Number(id)) === null)
      throw undoConflict(`drink ${id} is gone`, { name: 'drink_gone', drink: Number(id) });
  }
  for (const row of before.drinks) {
    if (row.keg_id !== null && store.kegs.byId(Number(row.keg_id)) === null) {
      throw undoConflict(`keg ${row.keg_id} is gone`, { name: 'keg_gone', keg: Number(row.keg_id) });
    }
  }
  for (const row of after.drinks) {
    const isNew = findRow(store, before, 'drinks', row.id) === undefined;
    const picture = isNew ? store.pictures.byDrink(Number(row.id)) : null;
    const isKnown = picture !== null && findRow(store, after, 'pictures', picture.id) !== undefined;
    if (picture !== null && !isKnown)
      throw undoConflict(`drink ${row.id} has a new picture since`, {
        name: 'picture_since',
        drink: Number(row.id),
      });
  }
}

/** Totals of kegs unchanged since the correction: their previous values are exact. */
function untouchedKegs(store: Store, { before, after }: CorrectionImages): ReadonlyMap<number, Row> {
  return new Map(
    before.kegs.flatMap((row) => {
      const applied = findRow(store, after, 'kegs', row.id);
      const current = store.drinks.rows.byKey('kegs', Number(row.id));
      if (applied === undefined || current === null) return [];
      const figures = Object.keys(toKegTotals(row));
      return figures.every((column) => applied[column] === current[column])
        ? [[Number(row.id), Object.fromEntries(figures.map((column) => [column, row[column] ?? null]))]]
        : [];
    }),
  );
}

/** Creates sessions again that were deleted with their last drinks; those that were merged since are part of others. */
function reopenSessions(store: Store, before: RowImage): SessionIds {
  return new Map(
    before.sessions.map((row) => {
      const id = store.drinks.sessions.survivorId(Number(row.id));
      if (store.drinks.sessions.byId(id) === null) store.drinks.rows.insert('sessions', { ...row, id });
      return [Number(row.id), id];
    }),
  );
}

function removeAdded(
  store: Store,
  { before, after }: CorrectionImages,
  table: Exclude<ImagedTable, 'sessions'>,
  onRemoved: (id: number) => void = () => {},
): void {
  const key = store.drinks.rows.keyColumn(table);
  for (const row of after[table]) {
    if (findRow(store, before, table, row[key]) !== undefined) continue;
    store.drinks.rows.remove(table, row[key]!);
    onRemoved(Number(row[key]));
  }
}

function undoDrinks(store: Store, { before, after }: CorrectionImages, sessionIds: SessionIds): void {
  for (const row of before.drinks) {
    const applied = findRow(store, after, 'drinks', row.id);
    const values = applied === undefined ? row : changedColumns(row, applied);
    const adjusted = withExistingReferences(store, values, sessionIds);
    if (applied === undefined) {
      store.drinks.rows.insert('drinks', adjusted);
      const drink = store.drinks.byId(Number(row.id))!;
      if (!drink.isValid && !drink.isSetAside) queueHeldPour(store, drink);
    } else store.drinks.rows.update('drinks', Number(row.id), adjusted);
  }
  removeAdded(store, { before, after }, 'drinks');
}

function undoEvents(store: Store, { before, after }: CorrectionImages, sessionIds: SessionIds): void {
  for (const row of before.events) {
    const applied = findRow(store, after, 'events', row.id);
    if (applied !== undefined) {
      store.drinks.rows.update(
        'events',
        Number(row.id),
        withExistingReferences(store, changedColumns(row, applied), sessionIds),
      );
      continue;
    }
    const adjusted = withExistingReferences(store, row, sessionIds);
    if (row.kind === 'session_started' && !makeRoomForStart(store, adjusted)) continue;
    store.drinks.rows.insert('events', adjusted);
  }
  // A session's start event goes to its first drink.
  const added = after.events.filter(({ kind }) => kind !== 'session_started');
  removeAdded(store, { before, after: { ...after, events: added } }, 'events');
}

/** A session starts once: the event that was written first stays. Returns whether that is this one. */
function makeRoomForStart(store: Store, { id, session_id: sessionId }: Row): boolean {
  const current = store.drinks.events.start(Number(sessionId));
  if (current === null) return true;
  const isFirst = Number(id) < current.id;
  if (isFirst) store.drinks.events.remove(current.id);
  return isFirst;
}

/** A row with its current session, and null for a deleted account. */
function withExistingReferences(store: Store, row: Row, sessionIds: SessionIds): Row {
  const session = row.session_id === undefined || row.session_id === null ? null : Number(row.session_id);
  const isLost = (id: string | number | null | undefined, find: (id: number) => unknown) =>
    id !== undefined && id !== null && find(Number(id)) === null;
  return {
    ...row,
    ...(session === null ? {} : { session_id: sessionIds.get(session) ?? session }),
    ...(isLost(row.user_id, store.users.byId) ? { user_id: null } : {}),
    ...(isLost(row.tap_id, store.taps.anyName) ? { tap_id: null } : {}),
  };
}

/** A picture removed since then stays removed. */
function undoPictures(store: Store, { before, after }: CorrectionImages): void {
  for (const row of before.pictures) {
    const applied = findRow(store, after, 'pictures', row.id);
    const isShown = store.drinks.rows.byKey('pictures', Number(row.id)) !== null;
    const drinkId = Number(row.drink_id);
    if (store.pictures.byDrink(drinkId) !== null) continue;
    if (isShown) store.drinks.rows.update('pictures', Number(row.id), { drink_id: drinkId });
    else if (applied === undefined && store.pictures.restore(String(row.name)))
      store.drinks.rows.insert('pictures', row);
  }
}

function restoreTotals(
  store: Store,
  { before, after }: CorrectionImages,
  {
    sessionIds,
    untouched,
  }: { readonly sessionIds: SessionIds; readonly untouched: ReadonlyMap<number, Row> },
): void {
  const drinkIds = new Set([...before.drinks, ...after.drinks].map(({ id }) => Number(id)));
  const currentIds = [...drinkIds].flatMap((id) => store.drinks.byId(id)?.sessionId ?? []);
  const touched = [...sessionIds.values(), ...after.sessions.map(({ id }) => Number(id)), ...currentIds];
  recomputeSessions(store, touched, drinkIds);
  for (const id of new Set([...before.kegs, ...after.kegs].map((row) => Number(row.id)))) {
    const keg = untouched.get(id);
    if (keg) store.drinks.rows.update('kegs', id, keg);
    else if (store.kegs.byId(id) !== null) recomputeKeg(store, id);
    updateKegEvidence(store, id);
  }
}

const undoConflict = (obstacle: string, reason: Refusal): AppError =>
  new AppError('conflict', `This cannot be undone: ${obstacle}.`, { reason });
