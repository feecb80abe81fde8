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
import type { EngineParts } from '../shared/parts.ts';
import { updateKegEvidence, weighKegEvidence } from './keg-evidence.ts';

export type { Corrected } from '../shared/actor-context.ts';

/** Tables of records that are restored; a row refers to rows of the tables before its own only. */
const tables = [
  'producers',
  'beverages',
  'serving_sizes',
  'serving_size_state',
  'tap_serving_sizes',
  'servings',
  'serving_codes',
  'till_item_components',
  'price_lists',
  'prices',
  'kegs',
  'keg_former_beverages',
  'keg_weighings',
  'meter_evidence',
  'events',
  'taps',
  'pictures',
] as const;

type Table = (typeof tables)[number];

/** What a picture belongs to. */
interface Pictured {
  readonly kind: 'beverage' | 'producer' | 'site' | 'site_logo';
  readonly id: number;
}

/** The rows of a record, at one instant. */
export type RecordRows = Partial<Record<Table, readonly Row[]>>;

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
  { store, ...parts }: EngineParts,
  context: ActorContext | undefined,
  subject: AuditedSubject<T>,
  readRows: () => RecordRows,
  work: () => T,
): Corrected<T> {
  let changes: readonly RowChange[] = [];
  let correctionId: number | null = null;
  const logged = (id: number) => {
    if (changes.length === 0) return;
    store.corrections.add({ id, kind: 'record', before: '{}', after: JSON.stringify(changes) });
    correctionId = id;
  };
  const result = auditedChange({ store, ...parts }, context, { ...subject, logged }, () => {
    const before = readRows();
    const done = work();
    changes = compareRows(before, readRows());
    return done;
  });
  return { result, correctionId };
}

/** The row of a record, for a change that keeps it. */
export const recordRow = (
  { rows }: Store,
  table: 'kegs' | 'beverages' | 'producers',
  id: number,
): RecordRows => ({
  [table]: present(rows.byKey(table, id)),
});

/** The picture of a beverage, a producer or the site. */
export const pictureRows = ({ rows }: Store, { kind, id }: Pictured): RecordRows => ({
  pictures: rows.byReference('pictures', `${kind}_id`, id),
});

/** The rows of a keg without drinks, with its events and where it is announced. */
export const kegRows = ({ rows }: Store, id: number): RecordRows => ({
  kegs: present(rows.byKey('kegs', id)),
  events: rows.byReference('events', 'keg_id', id),
  taps: rows.byReference('taps', 'next_keg_id', id).map(toAnnouncement),
  keg_weighings: rows.byReference('keg_weighings', 'keg_id', id),
});

/** The weighings of a keg, with its evidence. */
export const weighingRows = ({ rows }: Store, kegId: number): RecordRows => ({
  keg_weighings: rows.byReference('keg_weighings', 'keg_id', kegId),
  meter_evidence: rows.byReference('meter_evidence', 'keg_id', kegId),
});

/** The beverages that a keg had before merges. */
export const formerBeverageRows = ({ rows }: Store, kegId: number): RecordRows => ({
  keg_former_beverages: rows.byReference('keg_former_beverages', 'keg_id', kegId),
});

/** The rows of a beverage, with its prices and where it is announced. */
export const beverageRows = (store: Store, id: number): RecordRows => ({
  ...priceRows(store, id),
  ...servingRows(store, id),
  beverages: present(store.rows.byKey('beverages', id)),
  taps: store.rows.byReference('taps', 'next_beverage_id', id).map(toAnnouncement),
  pictures: store.rows.byReference('pictures', 'beverage_id', id),
});

/** All prices that a beverage has or had, and which of its kegs' drinks have those of another one. */
export const pricedRows = (store: Store, beverageId: number): RecordRows => ({
  ...priceRows(store, beverageId),
  keg_former_beverages: store.rows
    .byReference('kegs', 'beverage_id', beverageId)
    .flatMap((keg) => store.rows.byReference('keg_former_beverages', 'keg_id', Number(keg.id))),
});

/** What is known of the servings of a beverage. */
export function servingRows({ rows }: Store, beverageId: number): RecordRows {
  const servings = rows.byReference('servings', 'beverage_id', beverageId);
  return {
    servings,
    serving_codes: servings.flatMap(({ id }) => rows.byReference('serving_codes', 'serving_id', Number(id))),
  };
}

/** All prices that a beverage has or had. */
function priceRows({ rows }: Store, beverageId: number): RecordRows {
  const lists = rows.byReference('price_lists', 'beverage_id', beverageId);
  return {
    price_lists: lists,
    prices: lists.flatMap((list) => rows.byReference('prices', 'list_id', Number(list.id))),
  };
}

/** The row of a producer, with its picture. */
export const producerRows = ({ rows }: Store, id: number): RecordRows => ({
  producers: present(rows.byKey('producers', id)),
  pictures: rows.byReference('pictures', 'producer_id', id),
});

/**
 * The serving sizes, with all prices, what the taps offer and what the products of tills contain: a size that is deleted leaves its
 * prices and products without a size, and no tap offers it.
 */
export const servingSizeRows = (store: Store): RecordRows => ({
  serving_sizes: store.rows.all('serving_sizes'),
  serving_size_state: store.rows.all('serving_size_state'),
  tap_serving_sizes: store.rows.all('taps').map(({ id }) => readTapSizes(store, Number(id))),
  servings: store.rows.all('servings'),
  serving_codes: store.rows.all('serving_codes'),
  till_item_components: store.rows.all('till_item_components'),
  price_lists: store.rows.all('price_lists'),
  prices: store.rows.all('prices'),
});

/** Restores what a change of records changed. Throws `conflict` when that was changed since; call it in a transaction. */
export function undoRecordChange(store: Store, correction: CorrectionRow, now: Moment): void {
  const changes = (JSON.parse(correction.after) as readonly RowChange[]).filter((one) =>
    isUnchanged(store, one),
  );
  if (changes.length === 0) throw changedSince();
  requireStoredPictures(store, changes);
  if (correction.action === 'beverage.priced') requirePricedBeverage(store, changes);
  store.corrections.withoutNotifications(() => {
    for (const { table, key } of changes.filter(({ before }) => before === null).reverse()) {
      if (table === 'serving_sizes') requireUnusedSize(store, key);
      if (table !== 'tap_serving_sizes') store.rows.remove(table, key);
    }
    for (const { table, key, before, after } of changes) {
      if (before === null) continue;
      if (after === null) insertRow(store, table, before);
      else updateRow(store, table, key, before);
    }
  });
  for (const { table, key, before, after } of changes) {
    if (table === 'kegs' && before !== null && after !== null) updateKegEvidence(store, key);
  }
  const [subject] = changes.some(({ table }) => table === 'keg_weighings')
    ? [store.audit.byId(correction.id)!.subject]
    : [];
  if (subject?.kind === 'keg' && store.kegs.byId(Number(subject.id)) !== null)
    weighKegEvidence(store, Number(subject.id), now);
}

/** True when a row is as the change left it. What has changed since stays as it is, unless it is the record itself. */
function isUnchanged(store: Store, { table, key, before, after: left }: RowChange): boolean {
  const after = left && withExistingUser(store, left);
  const now = table === 'tap_serving_sizes' ? readTapSizes(store, key) : store.rows.byKey(table, key);
  const isSame =
    after === null ? now === null : now !== null && Object.keys(after).every((c) => now[c] === after[c]);
  const isLatest = before !== null || table !== 'price_lists' || isLatestList(store, now);
  if (isSame && isLatest) return true;
  const isOfRemoved = now === null && after !== null && (table === 'prices' || table === 'price_lists');
  // Evidence is measured again from what is there then.
  if (table === 'meter_evidence') return false;
  // A product of a till that was mapped again since holds what that says.
  if (table === 'till_item_components') return false;
  if (table === 'taps' || table === 'tap_serving_sizes' || table === 'events' || isOfRemoved) return false;
  throw changedSince();
}

/** The prices that a later list has replaced no longer hold: removing them would change earlier days only. */
const isLatestList = ({ rows }: Store, list: Row | null): boolean =>
  list !== null &&
  rows
    .byReference('price_lists', 'beverage_id', Number(list.beverage_id))
    .every((one) => Number(one.since_ms) <= Number(list.since_ms));

/** The prices of a beverage that is gone are those of earlier drinks only. */
function requirePricedBeverage({ beverages }: Store, changes: readonly RowChange[]): void {
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
  if (table === 'servings' && store.rows.byKey('serving_sizes', Number(row.serving_size_id)) === null) return;
  if (table === 'serving_codes' && store.rows.byKey('servings', Number(row.serving_id)) === null) return;
  // The files of a removed picture are kept for a time only.
  if (table === 'pictures' && !store.pictures.restore(String(row.name))) return;
  store.rows.insert(table, withExistingReferences(store, table, row));
}

function updateRow(store: Store, table: Table, key: number, row: Row): void {
  if (table === 'tap_serving_sizes') {
    const known = new Set(store.servingSizes.all().map(({ id }) => id));
    const sizeIds = JSON.parse(String(row.size_ids)) as readonly number[];
    store.tapServingSizes.set(
      key,
      sizeIds.filter((id) => known.has(id)),
    );
    return;
  }
  requireOwners(store, row);
  store.rows.update(table, key, withExistingReferences(store, table, row));
}

/** A size that prices or products of tills have meanwhile stays. */
function requireUnusedSize({ rows }: Store, id: number): void {
  if (
    (['prices', 'till_item_components'] as const).some(
      (table) => rows.byReference(table, 'serving_size_id', id).length > 0,
    )
  )
    throw changedSince();
}

/** The brewery of a beer and the beer of a keg may have been deleted since. */
function requireOwners({ rows }: Store, row: Row): void {
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
    store.rows.byKey('serving_sizes', row.serving_size_id) === null;
  return withExistingUser(store, isSizeGone ? { ...row, serving_size_id: null } : row);
}

function withExistingUser(store: Store, row: Row): Row {
  const isGone = row.user_id != null && store.users.byId(Number(row.user_id)) === null;
  return isGone ? { ...row, user_id: null } : row;
}

function compareRows(before: RecordRows, after: RecordRows): readonly RowChange[] {
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

/** Which serving sizes a tap offers, as one row. */
const readTapSizes = ({ tapServingSizes }: Store, tapId: number): Row => ({
  id: tapId,
  size_ids: JSON.stringify(tapServingSizes.byTap(tapId).toSorted((a, b) => a - b)),
});

const toAnnouncement = (tap: Row): Row => pick(tap, ['id', 'next_keg_id', 'next_beverage_id']);

const present = (row: Row | null): readonly Row[] => (row === null ? [] : [row]);

const byKey = (rows: readonly Row[] = []): ReadonlyMap<number, Row> =>
  new Map(rows.map((row) => [Number(row.id), row]));

const pick = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));

const changedSince = (): AppError =>
  new AppError(
    'conflict',
    'This cannot be undone: it was changed again since. Undo the later change first.',
    {
      reason: { name: 'record_changed_since' },
    },
  );
