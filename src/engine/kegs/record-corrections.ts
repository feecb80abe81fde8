import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { CorrectionRow } from '../../store/drinks/corrections-table.ts';
import type { Row } from '../../store/drinks/rows-table.ts';
import type { Store } from '../../store/store.ts';
import {
  type ActorContext,
  type AuditedSubject,
  auditedChange,
  type Corrected,
} from '../shared/actor-context.ts';
import { addCorrection } from '../shared/corrections/add-correction.ts';
import type { EngineParts } from '../shared/parts.ts';
import { updateKegEvidence, weighKegEvidence } from './keg-evidence.ts';
import { applySchedules } from './prices/apply-schedules.ts';
import { pick, type RecordRows, readTapSizes, type Table, tablesOf } from './record-rows.ts';

export type { Corrected } from '../shared/actor-context.ts';

/** What the prices of today follow from. */
const priceTables: ReadonlySet<Table> = new Set([
  'price_schedules',
  'schedule_prices',
  'price_lists',
  'prices',
]);

/** What a change did to one row. */
interface RowChange {
  readonly table: Table;
  readonly key: number;
  /** The row, of a changed one only the changed columns; null when it did not exist. */
  readonly before: Row | null;
  readonly after: Row | null;
}

/** Runs a change of records like `auditedChange`; with a context it can be undone by the id of its entry. */
export function correctableRecordChange<T>(
  parts: EngineParts,
  context: ActorContext | undefined,
  subject: AuditedSubject<T>,
  readRows: () => RecordRows,
  work: () => T,
): Corrected<T> {
  let changes: readonly RowChange[] = [];
  let correctionId: number | null = null;
  const logged = (id: number) => {
    if (changes.length === 0) return;
    addCorrection(parts, { id, kind: 'record', before: '{}', after: JSON.stringify(changes) });
    correctionId = id;
  };
  const result = auditedChange(parts, context, { ...subject, logged }, () => {
    const before = readRows();
    const done = work();
    changes = compareRows(tablesOf(parts.store), before, readRows());
    return done;
  });
  return { result, correctionId };
}

/** Restores what a change of records changed. Throws `conflict` when that was changed since; call it in a transaction. */
export function undoRecordChange(store: Store, correction: CorrectionRow, now: Moment): void {
  // Of an extension that is gone nothing is left that could be restored.
  const known = new Set(tablesOf(store));
  const changes = (JSON.parse(correction.after) as readonly RowChange[]).filter(
    (one) => known.has(one.table) && isUnchanged(store, one),
  );
  if (changes.length === 0) throw changedSince();
  requireStoredPictures(store, changes);
  if (correction.action === 'beverage.priced') requirePricedBeverage(store, changes);
  for (const { table, key } of changes.filter(({ before }) => before === null).reverse()) {
    if (table === 'serving_sizes') requireUnusedSize(store, key);
    if (table !== 'tap_serving_sizes') store.drinks.rows.remove(table, key);
  }
  for (const { table, key, before, after } of changes) {
    if (before === null) continue;
    if (after === null) insertRow(store, table, before);
    else updateRow(store, table, key, before);
  }
  if (changes.some(({ table }) => priceTables.has(table))) applySchedules(store, now);
  for (const { table, key, before, after } of changes) {
    if (table === 'kegs' && before !== null && after !== null) {
      if (before.state === 'available') store.provisionalTimes.clear('keg_finished', key);
      updateKegEvidence(store, key);
    }
  }
  const [subject] = changes.some(({ table }) => table === 'keg_weighings')
    ? [store.reports.audit.byId(correction.id)!.subject]
    : [];
  if (subject?.kind === 'keg' && store.kegs.byId(Number(subject.id)) !== null)
    weighKegEvidence(store, Number(subject.id), now);
}

/** True when a row is as the change left it. What has changed since stays as it is, unless it is the record itself. */
function isUnchanged(store: Store, { table, key, before, after: left }: RowChange): boolean {
  const after = left && withExistingUser(store, left);
  const now = table === 'tap_serving_sizes' ? readTapSizes(store, key) : store.drinks.rows.byKey(table, key);
  const isSame =
    after === null ? now === null : now !== null && Object.keys(after).every((c) => now[c] === after[c]);
  const isLatest = before !== null || table !== 'price_lists' || isLatestList(store, now);
  if (isSame && isLatest) return true;
  const isOfRemoved = now === null && after !== null && (table === 'prices' || table === 'price_lists');
  // Evidence is measured again from what is there then.
  if (table === 'meter_evidence') return false;
  if (findRestored(store, table)?.keepsLaterChanges === true) return false;
  if (table === 'taps' || table === 'tap_serving_sizes' || table === 'events' || isOfRemoved) return false;
  throw changedSince();
}

/** What an extension declares of its table; undefined for the base's. */
const findRestored = ({ drinks: { rows } }: Store, table: Table) =>
  rows.restored.find((one) => one.table === table);

/** The prices that a later list has replaced no longer hold: removing them would change earlier days only. */
const isLatestList = ({ drinks: { rows } }: Store, list: Row | null): boolean =>
  list !== null &&
  rows
    .byReference('price_lists', 'beverage_id', Number(list.beverage_id))
    .every((one) => Number(one.since_ms) <= Number(list.since_ms));

/** The prices of a beverage that is gone are those of earlier drinks only. */
function requirePricedBeverage({ kegs: { beverages } }: Store, changes: readonly RowChange[]): void {
  for (const { table, before, after } of changes) {
    const id = table === 'price_lists' ? (after ?? before)?.beverage_id : undefined;
    if (id !== undefined && beverages.byId(Number(id)) === null) throw changedSince();
  }
}

/** A change of nothing but a picture cannot be undone once the files of the earlier one are gone. */
function requireStoredPictures(store: Store, changes: readonly RowChange[]): void {
  if (changes.some(({ table }) => table !== 'pictures')) return;
  if (changes.every(({ before }) => before === null || store.pictures.isCancelled(String(before.name))))
    return;
  throw new AppError('conflict', 'This cannot be undone: the earlier picture is no longer stored.', {
    reason: { name: 'picture_gone' },
  });
}

function insertRow(store: Store, table: Table, row: Row): void {
  if (table === 'tap_serving_sizes') return;
  requireOwners(store, row);
  if (isOwnerGone(store, table, row)) return;
  // The files of a removed picture are kept for a time only.
  if (table === 'pictures' && !store.pictures.restore(String(row.name))) return;
  store.drinks.rows.insert(table, withExistingReferences(store, table, row));
}

/** Whether the row of an extension went with something that is still gone. */
function isOwnerGone(store: Store, table: Table, row: Row): boolean {
  const { owner, size } = findRestored(store, table) ?? {};
  if (owner !== undefined && store.drinks.rows.byKey(owner.table, Number(row[owner.column])) === null)
    return true;
  return (
    size?.withoutSize === 'deleted' &&
    store.drinks.rows.byKey('serving_sizes', Number(row[size.column])) === null
  );
}

function updateRow(store: Store, table: Table, key: number, row: Row): void {
  if (table === 'tap_serving_sizes') {
    const known = new Set(store.kegs.servingSizes.all().map(({ id }) => id));
    const sizeIds = JSON.parse(String(row.size_ids)) as readonly number[];
    store.taps.servingSizes.set(
      key,
      sizeIds.filter((id) => known.has(id)),
    );
    return;
  }
  requireOwners(store, row);
  store.drinks.rows.update(table, key, withExistingReferences(store, table, row));
}

/** A size that prices, or rows of extensions that stay without it, have meanwhile stays. */
function requireUnusedSize({ drinks: { rows } }: Store, id: number): void {
  const isUsed =
    rows.byReference('prices', 'serving_size_id', id).length > 0 ||
    rows.restored.some(
      ({ table, size }) =>
        size?.withoutSize === 'kept' && rows.ofExtension(table, size.column, id).length > 0,
    );
  if (isUsed) throw changedSince();
}

/** The brewery of a beer and the beer of a keg may have been deleted since. */
function requireOwners({ drinks: { rows } }: Store, row: Row): void {
  const isMissing = (table: 'producers' | 'beverages', id: Row[string] | undefined) =>
    id != null && rows.byKey(table, id) === null;
  if (isMissing('producers', row.producer_id) || isMissing('beverages', row.beverage_id))
    throw changedSince();
}

/** A price of a serving size that was deleted since has none; a row of a deleted account has no user. */
function withExistingReferences(store: Store, table: Table, row: Row): Row {
  const isSizeGone =
    table === 'prices' &&
    row.serving_size_id != null &&
    store.drinks.rows.byKey('serving_sizes', row.serving_size_id) === null;
  return withExistingUser(store, isSizeGone ? { ...row, serving_size_id: null } : row);
}

function withExistingUser(store: Store, row: Row): Row {
  const isGone = row.user_id != null && store.users.byId(Number(row.user_id)) === null;
  return isGone ? { ...row, user_id: null } : row;
}

function compareRows(tables: readonly Table[], before: RecordRows, after: RecordRows): readonly RowChange[] {
  return tables.flatMap((table) => {
    const [old, fresh] = [byKey(before[table]), byKey(after[table])];
    return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((key): RowChange[] => {
      const [from, to] = [old.get(key) ?? null, fresh.get(key) ?? null];
      if (table === 'taps') return from === null || to !== null ? [] : [{ table, key, ...announced(from) }];
      if (from === null || to === null) return [{ table, key, before: from, after: to }];
      const columns = Object.keys(from).filter((column) => from[column] !== to[column]);
      if (columns.length === 0) return [];
      return [{ table, key, before: pick(from, columns), after: pick(to, columns) }];
    });
  });
}

/** A tap announces nothing once the record is gone. */
const announced = (tap: Row) => ({
  before: pick(tap, ['next_keg_id', 'next_beverage_id']),
  after: { next_keg_id: null, next_beverage_id: null },
});

const byKey = (rows: readonly Row[] = []): ReadonlyMap<number, Row> =>
  new Map(rows.map((row) => [Number(row.id), row]));

const changedSince = (): AppError =>
  new AppError(
    'conflict',
    'This cannot be undone: it was changed again since. Undo the later change first.',
    {
      reason: { name: 'record_changed_since' },
    },
  );
