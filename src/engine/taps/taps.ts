import { AppError } from '../../core/app-error.ts';
import type { MeterConfig, Tap } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import type { TapRecord } from '../../store/taps/taps-table.ts';
import { type ActorContext, auditedChange } from '../shared/actor-context.ts';
import { maxTicks, requireFound, validateNumber, validateText, validationError } from '../shared/bounds.ts';
import type { EngineParts } from '../shared/parts.ts';
import { pricesAtTap } from '../shared/tap-prices.ts';
import type { TapRef, TapView } from '../shared/views.ts';

/** Editable fields of a tap. */
interface TapRequest {
  readonly name: string;
  /** Staff only. */
  readonly notes?: string;
  /** Ascending order; default 0. */
  readonly sortOrder?: number;
}

/** An available keg, or a beverage whose keg has not arrived yet. */
type NextOnTap = { readonly kegId: number } | { readonly beverageId: number };

export function createTaps(parts: EngineParts) {
  const { store } = parts;
  const tap = (id: number): Tap => toTap(store, requireFound(store.taps.byId(id), `tap ${id}`));
  const entry = (action: string, id: number) => ({
    action,
    kind: 'tap',
    id,
    snapshot: (tapId: number) => toAuditSnapshot(store, tapId),
  });
  return {
    /** In the bar's sort order. */
    list: store.cachedUntilWrite(() => store.taps.all().map((record) => toView(store, record))),

    /** By id, decimal text of an id, or full meter name; null when there is none. */
    find(ref: TapRef): TapView | null {
      const { tapId } = lookUp(store, ref);
      return tapId === null ? null : toView(store, store.taps.byId(tapId)!);
    },
    create: (request: TapRequest, context?: ActorContext): Tap =>
      auditedChange(parts, context, { ...entry('tap.created', 0), id: (created: Tap) => created.id }, () =>
        tap(store.taps.add(validateTap(request))),
      ),
    change: (tapId: number, fields: Partial<TapRequest>, context?: ActorContext): Tap =>
      auditedChange(parts, context, entry('tap.changed', tapId), () => {
        const { name, notes, sortOrder } = tap(tapId);
        store.taps.change(tapId, validateTap({ name, notes, sortOrder, ...fields }));
        return tap(tapId);
      }),

    /** Refused while a keg is on it. Its meter and toggle become free, its drinks stay. */
    remove: (tapId: number, context?: ActorContext): void =>
      auditedChange(parts, context, entry('tap.deleted', tapId), () => {
        const { name, kegId } = tap(tapId);
        if (kegId !== null) {
          throw new AppError(
            'conflict',
            `Keg ${kegId} is on tap “${name}”: end it before you delete the tap.`,
            {
              reason: { name: 'keg_on_tap', keg: kegId, tap: name },
            },
          );
        }
        store.taps.remove(tapId);
        store.drinkTotals.removeTap(tapId);
      }),

    /** null disconnects; hardware of another tap is moved. */
    connectMeter: (tapId: number, meterId: number | null, context?: ActorContext): Tap =>
      auditedChange(parts, context, entry('tap.meter_connected', tapId), () => {
        tap(tapId);
        store.meters.unbindTap(tapId);
        if (meterId !== null) {
          store.meters.bind(requireFound(store.meters.byId(meterId), `flow meter ${meterId}`).id, tapId);
        }
        return tap(tapId);
      }),
    connectToggle: (tapId: number, toggleId: number | null, context?: ActorContext): Tap =>
      auditedChange(parts, context, entry('tap.toggle_connected', tapId), () => {
        tap(tapId);
        store.toggles.unbindTap(tapId);
        if (toggleId !== null) {
          store.toggles.bind(requireFound(store.toggles.byId(toggleId), `flow toggle ${toggleId}`).id, tapId);
        }
        return tap(tapId);
      }),

    /** Announces what comes next, or nothing with null. A keg announced on another tap is removed there. */
    setNext: (tapId: number, next: NextOnTap | null, context?: ActorContext): Tap =>
      auditedChange(parts, context, entry('tap.next_set', tapId), () => {
        tap(tapId);
        const kegId = next !== null && 'kegId' in next ? requireAvailableKeg(store, next.kegId) : null;
        const beverageId =
          next !== null && 'beverageId' in next ? requireBeverage(store, next.beverageId) : null;
        if (kegId !== null) store.taps.clearNextKeg(kegId);
        store.taps.setNext(tapId, { kegId, beverageId });
        return tap(tapId);
      }),

    /** Several taps may share one sensor. */
    connectThermo: (tapId: number, sensorId: number | null, context?: ActorContext): Tap =>
      auditedChange(parts, context, entry('tap.thermo_connected', tapId), () => {
        tap(tapId);
        if (sensorId !== null) requireFound(store.thermo.byId(sensorId), `thermo sensor ${sensorId}`);
        store.taps.setSensor(tapId, sensorId);
        return tap(tapId);
      }),
  };
}

/** A tap for the audit log, hardware by name. */
function toAuditSnapshot(store: Store, id: number) {
  const record = store.taps.byId(id);
  if (record === null) return null;
  const { meter, toggle, thermoSensor, ...own } = toTap(store, record);
  return {
    ...own,
    meter: meter?.name ?? null,
    toggle: toggle?.name ?? null,
    thermoSensor: thermoSensor?.rawName ?? null,
  };
}

function validateTap({ name, notes = '', sortOrder = 0 }: TapRequest) {
  return {
    name: validateText('name', name, { max: 128 }),
    notes: validateText('notes', notes, { min: 0, max: 10_000, kind: 'lines' }),
    sortOrder: validateNumber('sort_order', sortOrder, { min: 0, max: maxTicks, whole: true }),
  };
}

/** Throws `invalid_request` or `conflict` for a keg that cannot be next. */
function requireAvailableKeg(store: Store, id: number): number {
  const keg = Number.isSafeInteger(id) ? store.kegs.byId(id) : null;
  if (keg === null)
    throw validationError('keg_id', 'must be the id of a keg', { name: 'exists', what: 'keg' });
  if (keg.state === 'available') return id;
  const where = keg.state === 'on_tap' ? 'on a tap already' : 'finished';
  throw new AppError('conflict', `Keg ${id} is ${where}: only an available keg can be next.`, {
    reason: { name: 'keg_not_available', keg: id },
  });
}

function requireBeverage(store: Store, id: number): number {
  if (Number.isSafeInteger(id) && store.beverages.byId(id) !== null) return id;
  throw validationError('beverage_id', 'must be the id of a beverage', { name: 'exists', what: 'beverage' });
}

/** The tap and meter of a pour. A meter without a tap is valid; an unknown name is `not_found`. */
export function resolveTap(store: Store, ref: TapRef): { tapId: number | null; meter: MeterConfig | null } {
  const { tapId, meter } = lookUp(store, ref);
  if (tapId !== null || meter !== null) return { tapId, meter };
  throw new AppError('not_found', `There is no tap or meter "${String(ref).slice(0, 64)}".`, {
    reason: { name: 'not_found' },
  });
}

/** The id given as a number or its decimal text, else null. */
export function parseId(ref: number | string): number | null {
  if (typeof ref === 'string') return /^\d{1,15}$/.test(ref) ? Number(ref) : null;
  return Number.isSafeInteger(ref) ? ref : null;
}

function lookUp(store: Store, ref: TapRef): { tapId: number | null; meter: MeterConfig | null } {
  const id = parseId(ref);
  if (id !== null) {
    const record = store.taps.byId(id);
    return { tapId: record?.id ?? null, meter: record === null ? null : store.meters.byTap(id) };
  }
  const meter = typeof ref === 'string' ? store.meters.byName(ref) : null;
  return { tapId: meter?.tapId ?? null, meter };
}

function toTap(store: Store, record: TapRecord): Tap {
  const { thermoSensorId, ...own } = record;
  return {
    ...own,
    meter: store.meters.byTap(record.id),
    toggle: store.toggles.byTap(record.id),
    thermoSensor: thermoSensorId === null ? null : store.thermo.byId(thermoSensorId),
  };
}

function toView(store: Store, record: TapRecord): TapView {
  const tap = toTap(store, record);
  const keg = tap.kegId === null ? null : store.kegs.byId(tap.kegId);
  return {
    tap,
    keg,
    beverage: keg === null ? null : store.beverages.byId(keg.beverageId),
    lastTemp: tap.thermoSensor === null ? null : store.thermo.last(tap.thermoSensor.id),
    next: toNextOnTap(store, tap),
    ...pricesAtTap(store, tap.id, keg?.beverageId ?? null),
  };
}

function toNextOnTap(store: Store, { nextKegId, nextBeverageId }: Tap): TapView['next'] {
  const keg = nextKegId === null ? null : store.kegs.byId(nextKegId);
  const beverageId = keg?.beverageId ?? nextBeverageId;
  const beverage = beverageId === null ? null : store.beverages.byId(beverageId);
  return beverage && { keg, beverage };
}
