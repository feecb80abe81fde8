import { AppError } from '../../core/app-error.ts';
import type { CorrectionRow } from '../../store/drinks/corrections-table.ts';
import type { DeviceTable, Row } from '../../store/drinks/rows-table.ts';
import type { Store } from '../../store/store.ts';
import { type ActorContext, type AuditedSubject, auditedChange } from '../shared/actor-context.ts';
import { addCorrection } from '../shared/corrections/add-correction.ts';
import type { EngineParts } from '../shared/parts.ts';

/** Kinds of hardware in the audit log. */
export type DeviceKind = 'controller' | 'flow_meter' | 'flow_toggle' | 'thermo_sensor';

type ImagedTable = DeviceTable | 'taps';

/** A row before and after a change; null where it did not exist. */
interface RowChange {
  readonly table: ImagedTable;
  readonly id: number;
  readonly before: Row | null;
  readonly after: Row | null;
}

/** Parents first: a row is restored after those it refers to. */
const tables: readonly ImagedTable[] = [
  'controllers',
  'thermo_sensors',
  'flow_meters',
  'flow_toggles',
  'taps',
];

/** Columns that count while the hardware works; undo leaves them as they are. */
const counters = new Set(['ticks_total', 'last_counted_ms', 'readings']);

/** How a change of hardware is written to the audit log: as one of hardware, or of a tap that gets other hardware. */
interface DeviceChange {
  readonly action: string;
  readonly kind: DeviceKind | 'tap';
  readonly id: number;
  /** Default: the record. */
  readonly snapshot?: AuditedSubject<never>['snapshot'];
}

/**
 * Runs a change of controllers, meters, toggles or thermo sensors like `auditedChange`; with a context it can be undone by
 * the id of its entry. Rows of other tables that it changes are not restored, except which sensor a tap has.
 */
export function correctableDeviceChange<T>(
  parts: EngineParts,
  context: ActorContext | undefined,
  { action, kind, id, snapshot }: DeviceChange,
  work: () => T,
): T {
  const { store } = parts;
  let before: readonly RowChange[] = [];
  const subject = {
    action,
    kind,
    id,
    snapshot: snapshot ?? ((deviceId: number) => readDevice(store, { kind, id: deviceId })),
    logged(entryId: number) {
      const changes = listChanges(before, readRows(store));
      addCorrection(parts, {
        id: entryId,
        kind: 'device',
        before: JSON.stringify(changes),
        after: '{}',
      });
    },
  };
  return auditedChange(parts, context, subject, () => {
    before = readRows(store);
    return work();
  });
}

/** The record that the audit log shows; null when there is none. */
export function readDevice(store: Store, { kind, id }: { readonly kind: string; readonly id: number }) {
  if (kind === 'controller') return store.controllers.byId(id);
  if (kind === 'flow_meter') return store.taps.meters.byId(id);
  if (kind === 'flow_toggle') return store.taps.toggles.byId(id);
  if (kind === 'tap') return readTapMeter(store, id);
  if (kind !== 'thermo_sensor') return null;
  const sensor = store.temperatures.byId(id);
  const taps = store.taps.all().filter(({ thermoSensorId }) => thermoSensorId === id);
  return sensor && { ...sensor, taps: taps.map(({ name }) => name).join(', ') };
}

/** A tap whose meter was exchanged. */
function readTapMeter(store: Store, id: number) {
  const tap = store.taps.byId(id);
  return tap && { id, name: tap.name, meter: store.taps.meters.byTap(id)?.name ?? null };
}

/**
 * Restores the columns that the change wrote, and the rows that it deleted. Throws `conflict` when something else wrote
 * them since. Call it in a transaction.
 */
export function undoDeviceChange(store: Store, correction: CorrectionRow): void {
  const changes = JSON.parse(correction.before) as readonly RowChange[];
  for (const change of changes) requireUndoable(store, change, changes);
  // First of all without taps: a tap has one meter and one toggle.
  for (const { table, id, before, after } of changes) {
    if (after !== null && before !== null && 'tap_id' in before && table !== 'taps')
      store.drinks.rows.update(table, id, { tap_id: null });
  }
  for (const change of changes) restore(store, change);
}

function readRows(store: Store): readonly RowChange[] {
  return tables.flatMap((table) =>
    store.drinks.rows.all(table).map((row): RowChange => {
      const shown = table === 'taps' ? { id: row.id!, thermo_sensor_id: row.thermo_sensor_id! } : row;
      return { table, id: Number(row.id), before: shown, after: null };
    }),
  );
}

function listChanges(earlier: readonly RowChange[], later: readonly RowChange[]): readonly RowChange[] {
  const current = new Map(later.map(({ table, id, before }) => [`${table} ${id}`, before]));
  return earlier.flatMap(({ table, id, before }): RowChange[] => {
    const after = current.get(`${table} ${id}`) ?? null;
    const isSame = after !== null && changedColumns(before!, after).length === 0;
    // A deleted row is stored whole, of a changed one only what changed.
    if (isSame) return [];
    if (after === null) return [{ table, id, before, after }];
    const columns = changedColumns(before!, after);
    return [{ table, id, before: pick(before!, columns), after: pick(after, columns) }];
  });
}

const changedColumns = (before: Row, after: Row): readonly string[] =>
  Object.keys(before).filter((column) => !counters.has(column) && before[column] !== after[column]);

const pick = (row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(columns.map((column) => [column, row[column] ?? null]));

function requireUndoable(store: Store, change: RowChange, changes: readonly RowChange[]): void {
  const { table, id, before, after } = change;
  if (after !== null) {
    const current = store.drinks.rows.byKey(table, id);
    if (current === null) throw conflict('is gone', { name: 'device_gone' });
    if (Object.keys(after).some((column) => after[column] !== current[column])) {
      throw conflict('was changed again since', { name: 'device_changed_since' });
    }
  }
  if (before === null) return;
  if (after === null) requireRestorable(store, change, changes);
  if (before.tap_id == null || (table !== 'flow_meters' && table !== 'flow_toggles')) return;
  const tapId = Number(before.tap_id);
  const holder = table === 'flow_meters' ? store.taps.meters.byTap(tapId) : store.taps.toggles.byTap(tapId);
  if (holder === null) return;
  // The one that got the tap by the same change gives it back, and one that was created again under its name gives way.
  const isPartOfChange = changes.some((one) => one.table === table && one.id === holder.id);
  const isSuccessor = holder.controllerId === before.controller_id && holder.portName === before.port_name;
  if (isPartOfChange || isSuccessor) return;
  throw conflict('had a tap that has another part since', { name: 'device_changed_since' });
}

/** Throws `conflict` for a deleted row that cannot exist again. */
function requireRestorable(
  store: Store,
  { table, id, before }: RowChange,
  changes: readonly RowChange[],
): void {
  if (table === 'controllers' && store.controllers.byName(String(before!.name)) !== null)
    throw conflict('was created again since', { name: 'device_changed_since' });
  // Its readings were removed for good.
  if (table === 'thermo_sensors' && !store.temperatures.deleted.has(id))
    throw conflict('was deleted too long ago', { name: 'device_gone' });
  const controllerId = before!.controller_id;
  if (controllerId === undefined) return;
  const isRestored = changes.some((one) => one.table === 'controllers' && one.id === controllerId);
  if (!isRestored && store.controllers.byId(Number(controllerId)) === null)
    throw conflict('had a controller that is gone', { name: 'device_gone' });
}

function restore(store: Store, { table, id, before, after }: RowChange): void {
  if (before === null) return;
  const values = withExistingReferences(store, before);
  if (after !== null) {
    store.drinks.rows.update(table, id, values);
    return;
  }
  if (table === 'flow_meters') restoreMeter(store, id, values);
  else if (table === 'flow_toggles') restoreToggle(store, values);
  else if (table === 'thermo_sensors') restoreSensor(store, id, values);
  else store.drinks.rows.insert(table, values);
}

/** A meter that its controller created again under the same name gives way. */
function restoreMeter(store: Store, id: number, row: Row): void {
  const { name } = store.controllers.byId(Number(row.controller_id))!;
  const again = store.taps.meters.byName(`${name}.${row.port_name}`);
  if (again !== null) store.taps.meters.remove(again.id);
  store.drinks.rows.insert('flow_meters', row);
  store.taps.meters.takeOverTicks(id);
}

function restoreToggle(store: Store, row: Row): void {
  const again = store.taps.toggles.byPort(Number(row.controller_id), String(row.port_name));
  if (again !== null) store.taps.toggles.remove(again.id);
  store.drinks.rows.insert('flow_toggles', row);
}

/** A sensor that was created again by its next reading gives way, and its readings are kept. */
function restoreSensor(store: Store, id: number, row: Row): void {
  const again = store.temperatures.byRawName(String(row.raw_name));
  const taps = again === null ? [] : store.taps.all().filter((tap) => tap.thermoSensorId === again.id);
  const restored = { ...row, readings: 0 };
  if (again === null) store.drinks.rows.insert('thermo_sensors', restored);
  else {
    // Names are unique, and no other begins with a blank.
    store.drinks.rows.update('thermo_sensors', again.id, { raw_name: ` ${again.id}` });
    store.drinks.rows.insert('thermo_sensors', restored);
    store.temperatures.deleted.moveReadings({ from: again.id, to: id });
    store.temperatures.removeSensor(again.id);
  }
  store.temperatures.deleted.restore(id);
  for (const tap of taps) store.taps.setSensor(tap.id, id);
}

/** A row without the tap or sensor that is gone by now. */
function withExistingReferences(store: Store, row: Row): Row {
  const isTapGone = row.tap_id != null && store.taps.byId(Number(row.tap_id)) === null;
  const isSensorGone =
    row.thermo_sensor_id != null && store.temperatures.byId(Number(row.thermo_sensor_id)) === null;
  return {
    ...row,
    ...(isTapGone && { tap_id: null }),
    ...(isSensorGone && { thermo_sensor_id: null }),
  };
}

const conflict = (
  obstacle: string,
  reason: { readonly name: 'device_gone' | 'device_changed_since' },
): AppError => new AppError('conflict', `This cannot be undone: the hardware ${obstacle}.`, { reason });
