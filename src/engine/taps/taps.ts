import { AppError } from '../../core/app-error.ts';
import type { MeterConfig, Tap } from '../../core/records.ts';
import { isTapClosed } from '../../core/taps/tap-state.ts';
import type { Store } from '../../store/store.ts';
import type { TapRecord } from '../../store/taps/taps-table.ts';
import type { ActorContext, Corrected } from '../shared/actor-context.ts';
import { requireFound, validationError } from '../shared/bounds.ts';
import type { EngineParts } from '../shared/parts.ts';
import { pricesAtTap } from '../shared/tap-prices.ts';
import type { TapRef, TapView } from '../shared/views.ts';
import { type MeterSwap, swapMeters } from './meter-swap.ts';
import { type PartMove, requireMovable } from './moved-parts.ts';
import { correctableNextChange, correctableTapChange, removeTap } from './tap-corrections.ts';
import { addTap, changeTap, type TapRequest } from './tap-fields.ts';
import { createTapStates, type FindTapState } from './tap-states.ts';

/** The order of all taps. */
interface TapOrder {
  /** Ids of all taps, the first one first. */
  readonly tapIds: readonly number[];
  /** True numbers them from 1 in this order; default false: each keeps its number. */
  readonly renumbers?: boolean;
}

/** An available keg, or a beverage whose keg has not arrived yet. */
type NextOnTap = { readonly kegId: number } | { readonly beverageId: number };

export function createTaps(parts: EngineParts) {
  const { store } = parts;
  const findState = createTapStates(parts);
  const tap = (id: number): Tap => toTap(store, requireFound(store.taps.byId(id), `tap ${id}`));
  const entry = (action: string, id: number) => ({
    action,
    kind: 'tap' as const,
    id,
    snapshot: (tapId: number) => toAuditSnapshot(store, tapId),
  });
  const correctable = (action: string, id: number, context: ActorContext | undefined, work: () => Tap): Tap =>
    correctableTapChange(parts, context, entry(action, id), work);
  return {
    /** In the bar's sort order. */
    list: store.cachedUntilWrite(() => store.taps.all().map((record) => toView(store, record, findState))),

    /** By id, decimal text of an id, or full meter name; null when there is none. */
    find(ref: TapRef): TapView | null {
      const { tapId } = lookUp(store, ref);
      return tapId === null ? null : toView(store, store.taps.byId(tapId)!, findState);
    },
    /** Throws `conflict` when there are too many taps. */
    create: (request: TapRequest, context?: ActorContext): Tap =>
      correctableTapChange(
        parts,
        context,
        { ...entry('tap.created', 0), id: (created: Tap) => created.id },
        () => tap(addTap(store, request)),
      ),
    change: (tapId: number, fields: Partial<TapRequest>, context?: ActorContext): Tap =>
      correctable('tap.changed', tapId, context, () => {
        changeTap(store, tap(tapId), fields);
        return tap(tapId);
      }),

    /** Throws `conflict` when `tapIds` are not the taps of the site: one was added or deleted meanwhile. */
    setOrder({ tapIds, renumbers = false }: TapOrder, context?: ActorContext): void {
      const subject = { action: 'tap.order_set', kind: 'site' as const, id: 1 };
      const snapshot = () => ({
        tap_order: store.taps
          .all()
          .map(({ name, number }) => `${number} ${name}`)
          .join(', '),
      });
      correctableTapChange(parts, context, { ...subject, snapshot }, () => {
        const taps = new Map(store.taps.all().map((record) => [record.id, record]));
        const isWhole = tapIds.length === taps.size && new Set(tapIds).size === taps.size;
        if (!isWhole || !tapIds.every((id) => taps.has(id))) {
          throw new AppError('conflict', 'A tap was added or deleted since: read the taps again.', {
            reason: { name: 'taps_changed' },
          });
        }
        store.taps.setOrder(
          tapIds.map((id, sortOrder) => ({
            id,
            sortOrder,
            number: renumbers ? sortOrder + 1 : taps.get(id)!.number,
          })),
        );
      });
    },

    /**
     * Refused while a keg is on it. Its meter and toggle become free; its drinks stay with it. A pour that is running is
     * held for review, because its meter is connected to no tap when it ends.
     */
    remove: (tapId: number, context?: ActorContext): void =>
      correctableTapChange(parts, context, entry('tap.deleted', tapId), () => {
        tap(tapId);
        removeTap(parts, tapId, context?.now);
      }),

    /** null disconnects. Throws `conflict` for a meter of another tap that is not to be moved. */
    connectMeter: (tapId: number, meterId: number | null, context?: ActorContext, move: PartMove = {}): Tap =>
      correctable('tap.meter_connected', tapId, context, () => {
        tap(tapId);
        const meter =
          meterId === null ? null : requireFound(store.taps.meters.byId(meterId), `flow meter ${meterId}`);
        if (meter !== null) requireMovable(store, 'meter', meter, tapId, move);
        store.taps.meters.unbindTap(tapId);
        if (meter !== null) store.taps.meters.bind(meter.id, tapId);
        return tap(tapId);
      }),
    /** Exchanges the meters of two taps. Throws `conflict` when neither has one. */
    swapMeters(swap: MeterSwap, context: ActorContext): Tap {
      swapMeters(parts, swap, context);
      return tap(swap.tapId);
    },
    /** The same for a toggle. */
    connectToggle: (
      tapId: number,
      toggleId: number | null,
      context?: ActorContext,
      move: PartMove = {},
    ): Tap =>
      correctable('tap.toggle_connected', tapId, context, () => {
        tap(tapId);
        const toggle =
          toggleId === null
            ? null
            : requireFound(store.taps.toggles.byId(toggleId), `flow toggle ${toggleId}`);
        if (toggle !== null) requireMovable(store, 'toggle', toggle, tapId, move);
        store.taps.toggles.unbindTap(tapId);
        if (toggle !== null) store.taps.toggles.bind(toggle.id, tapId);
        return tap(tapId);
      }),

    /** Announces what comes next, or nothing with null. A keg announced on another tap is removed there. */
    setNext: (tapId: number, next: NextOnTap | null, context?: ActorContext): Corrected<Tap> =>
      correctableNextChange(parts, context, entry('tap.next_set', tapId), () => {
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
      correctable('tap.thermo_connected', tapId, context, () => {
        tap(tapId);
        if (sensorId !== null) requireFound(store.temperatures.byId(sensorId), `thermo sensor ${sensorId}`);
        store.taps.setSensor(tapId, sensorId);
        return tap(tapId);
      }),
  };
}

/** A tap for the audit log, hardware by name. */
function toAuditSnapshot(store: Store, id: number) {
  const record = store.taps.byId(id);
  if (record === null) return null;
  const { meter, toggle, thermoSensor, servingSizeIds, kegIdsBehind: _, ...own } = toTap(store, record);
  const offered = store.kegs.servingSizes.all().filter(({ id }) => servingSizeIds.includes(id));
  return {
    ...own,
    servingSizes: offered.map(({ volumeMl, name }) => `${name} ${Math.round(volumeMl)} mL`.trim()).join(', '),
    meter: meter?.name ?? null,
    toggle: toggle?.name ?? null,
    thermoSensor: thermoSensor?.rawName ?? null,
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
  if (Number.isSafeInteger(id) && store.kegs.beverages.byId(id) !== null) return id;
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
    return { tapId: record?.id ?? null, meter: record === null ? null : store.taps.meters.byTap(id) };
  }
  const meter = typeof ref === 'string' ? store.taps.meters.byName(ref) : null;
  return { tapId: meter?.tapId ?? null, meter };
}

function toTap(store: Store, record: TapRecord): Tap {
  const { thermoSensorId, ...own } = record;
  return {
    ...own,
    servingSizeIds: store.taps.servingSizes.byTap(record.id),
    meter: store.taps.meters.byTap(record.id),
    toggle: store.taps.toggles.byTap(record.id),
    thermoSensor: thermoSensorId === null ? null : store.temperatures.byId(thermoSensorId),
  };
}

function toView(store: Store, record: TapRecord, findState: FindTapState): TapView {
  const tap = toTap(store, record);
  const state = findState(tap);
  const keg = tap.kegId === null ? null : store.kegs.byId(tap.kegId);
  return {
    tap,
    state,
    keg,
    kegsBehind: tap.kegIdsBehind.map((id) => store.kegs.byId(id)!),
    otherTaps:
      keg === null
        ? []
        : store.taps
            .ofKeg(keg.id)
            .flatMap(({ tapId }) => (tapId === tap.id ? [] : [store.taps.byId(tapId)!])),
    beverage: keg === null ? null : store.kegs.beverages.byId(keg.beverageId),
    lastTemp: tap.thermoSensor === null ? null : store.temperatures.last(tap.thermoSensor.id),
    next: toNextOnTap(store, tap),
    ...pricesAtTap(store, tap.id, isTapClosed(state) ? null : (keg?.beverageId ?? null)),
  };
}

function toNextOnTap(store: Store, { nextKegId, nextBeverageId }: Tap): TapView['next'] {
  const keg = nextKegId === null ? null : store.kegs.byId(nextKegId);
  const beverageId = keg?.beverageId ?? nextBeverageId;
  const beverage = beverageId === null ? null : store.kegs.beverages.byId(beverageId);
  return beverage && { keg, beverage };
}
