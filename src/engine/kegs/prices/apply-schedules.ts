import type { Moment } from '../../../core/clock/moment.ts';
import {
  activeSchedule,
  maxBackMs,
  type PriceSchedule,
  scheduleChanges,
  scheduledPrices,
} from '../../../core/kegs/price-schedules.ts';
import type { SizePrice } from '../../../store/kegs/price-lists-table.ts';
import type { Store } from '../../../store/store.ts';

/**
 * Writes the price lists that follow from the schedules until now, so that all drinks have the prices of their time. Changes nothing
 * before the last call. Call it in a transaction; returns whether prices changed.
 */
export function applySchedules(store: Store, now: Moment): boolean {
  if (!now.synced) return false;
  const nowMs = Math.round(now.wallMs);
  const schedules = store.kegs.priceSchedules.all();
  const appliedMs = Math.max(store.kegs.priceSchedules.appliedMs(), nowMs - maxBackMs);
  const beverageIds = new Set([
    ...store.kegs.priceLists.beverages(),
    ...schedules.flatMap(({ prices }) => prices.map(({ beverageId }) => beverageId)),
  ]);
  const instants = [...changesUntil(store, schedules, appliedMs, nowMs), nowMs];
  let hasChanged = false;
  for (const beverageId of beverageIds)
    if (store.kegs.beverages.byId(beverageId) !== null)
      for (const ms of instants) hasChanged = applyAt(store, schedules, beverageId, ms) || hasChanged;
  if (hasChanged || instants.length > 1) store.kegs.priceSchedules.setAppliedMs(nowMs);
  return hasChanged;
}

/** Schedules that change hold from now on only: what was before is settled. Call it before the change, in its transaction. */
export function recomputeSchedules(store: Store, now: Moment): void {
  applySchedules(store, now);
  store.kegs.priceSchedules.setAppliedMs(Math.round(now.wallMs));
}

/** Writes the lists of a beverage again whose ordinary prices were set from a time on. Call it in that transaction. */
export function applyToBeverage(store: Store, beverageId: number, sinceMs: number, now: Moment): void {
  const schedules = store.kegs.priceSchedules.all();
  const nowMs = Math.round(now.wallMs);
  for (const ms of [sinceMs, ...changesUntil(store, schedules, sinceMs, nowMs), nowMs])
    applyAt(store, schedules, beverageId, ms);
}

const changesUntil = (store: Store, schedules: readonly PriceSchedule[], fromMs: number, toMs: number) =>
  scheduleChanges(schedules, { fromMs, toMs }, store.site.read().timeZone);

/** Writes the list of an instant unless the one before it has the same prices; returns whether it was written. */
function applyAt(store: Store, schedules: readonly PriceSchedule[], beverageId: number, ms: number): boolean {
  const newestMs = store.kegs.priceLists.newestSinceMs(beverageId);
  const ordinary = store.kegs.priceLists.ordinary(beverageId);
  const schedule = activeSchedule(schedules, ms, store.site.read().timeZone);
  const sizes = new Map(store.kegs.servingSizes.all().map(({ id, volumeMl }) => [id, volumeMl]));
  const wanted = scheduledPrices(ordinary, schedule, beverageId, sizes);
  const isScheduled = !haveSamePrices(wanted, ordinary);
  const current = store.kegs.priceLists.current(beverageId);
  if (haveSamePrices(wanted, current)) return false;
  store.kegs.priceLists.set(
    beverageId,
    newestMs === null ? ms : Math.max(ms, newestMs + 1),
    wanted,
    isScheduled,
  );
  return true;
}

const haveSamePrices = (one: readonly SizePrice[], other: readonly SizePrice[]): boolean =>
  one.length === other.length &&
  one.every((price, i) => price.sizeId === other[i]!.sizeId && price.priceMinor === other[i]!.priceMinor);
