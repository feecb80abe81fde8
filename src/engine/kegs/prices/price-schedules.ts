import { AppError } from '../../../core/app-error.ts';
import { formatTimeOfDay } from '../../../core/clock/business-days.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import { maxPriceMinor } from '../../../core/kegs/money.ts';
import {
  findActive,
  maxBackMs,
  maxScheduleName,
  maxSchedulePrices,
  maxSchedules,
  type PriceSchedule,
  scheduleChanges,
} from '../../../core/kegs/price-schedules.ts';
import type { ActorContext } from '../../shared/actor-context.ts';
import {
  requireFound,
  validateDate,
  validateNumber,
  validateText,
  validationError,
} from '../../shared/bounds.ts';
import { change, type EngineParts } from '../../shared/parts.ts';
import { type Corrected, correctableRecordChange } from '../record-corrections.ts';
import { scheduleRows } from '../record-rows.ts';
import { applySchedules, recomputeSchedules } from './apply-schedules.ts';
import { requireSyncedClock } from './prices.ts';

/** A schedule as staff write it. */
export type ScheduleFields = Omit<PriceSchedule, 'id'>;

/** Prices that replace the ordinary ones at times. A change holds from now on: earlier drinks keep their prices. */
export function createPriceSchedules(parts: EngineParts) {
  const { store } = parts;
  /** Until when the lists are known to follow, and by which time zone; saves looking at the days since the last change each minute. */
  let applied = { ms: 0, zone: '' };

  /** For the live state, which every pour renews. */
  const known = store.cachedUntilChange(() => store.kegs.priceSchedules.all());

  const snapshot = (id: number) => {
    const all = store.kegs.priceSchedules.all();
    const schedule = all.find((one) => one.id === id);
    if (schedule === undefined) return null;
    const { prices, weekdays, startsMinutes, endsMinutes, ...fields } = schedule;
    return {
      ...fields,
      sortOrder: all.indexOf(schedule) + 1,
      weekdays: weekdays.join(', '),
      starts: formatTimeOfDay(startsMinutes),
      ends: formatTimeOfDay(endsMinutes),
      prices: prices.length,
    };
  };
  const correctable = <T>(
    action: string,
    id: number | (() => number),
    context: ActorContext,
    work: () => T,
  ): Corrected<T> =>
    correctableRecordChange(
      parts,
      context,
      { action, kind: 'price_schedule', id, snapshot },
      () => scheduleRows(store),
      () => {
        requireSyncedClock(context.now);
        recomputeSchedules(store, context.now);
        const result = work();
        applySchedules(store, context.now);
        return result;
      },
    );
  const requireSchedule = (id: number): PriceSchedule =>
    requireFound(
      store.kegs.priceSchedules.all().find((one) => one.id === id) ?? null,
      `price schedule ${id}`,
    );

  return {
    /** Of several that hold, the first counts. */
    list: (): readonly PriceSchedule[] => store.kegs.priceSchedules.all(),

    /** The schedule that holds now, with its end; null for the ordinary prices, and before the clock is set. */
    active: (now: Moment) =>
      now.synced ? findActive(known(), now.wallMs, store.site.read().timeZone) : null,

    add(fields: ScheduleFields, context: ActorContext): Corrected<PriceSchedule> {
      let id = 0;
      return correctable(
        'price_schedule.created',
        () => id,
        context,
        () => {
          if (store.kegs.priceSchedules.all().length >= maxSchedules) throw tooManyError();
          id = store.kegs.priceSchedules.add(validateSchedule(parts, fields));
          return requireSchedule(id);
        },
      );
    },

    /** Replaces all fields. Throws `not_found`. */
    change: (id: number, fields: ScheduleFields, context: ActorContext): Corrected<PriceSchedule> =>
      correctable('price_schedule.changed', id, context, () => {
        requireSchedule(id);
        store.kegs.priceSchedules.change({ id, ...validateSchedule(parts, fields) });
        return requireSchedule(id);
      }),

    /** Moves it to a place in the list, 1 to the number of schedules. Throws `not_found`. */
    move: (id: number, place: number, context: ActorContext): Corrected<PriceSchedule> =>
      correctable('price_schedule.moved', id, context, () => {
        const moved = requireSchedule(id);
        const others = store.kegs.priceSchedules.all().filter((one) => one.id !== id);
        const bounds = { min: 1, max: others.length + 1, whole: true };
        const ids = others
          .toSpliced(validateNumber('place', place, bounds) - 1, 0, moved)
          .map((one) => one.id);
        store.kegs.priceSchedules.sort(ids);
        return requireSchedule(id);
      }),

    remove: (id: number, context: ActorContext): Corrected<void> =>
      correctable('price_schedule.deleted', id, context, () => {
        store.kegs.priceSchedules.remove(requireSchedule(id).id);
      }),

    /**
     * Writes the lists of schedules that began or ended since the last call, also when the time zone was changed or the clock was set back.
     * Called about once a minute.
     */
    applyWhenDue(now: Moment): void {
      if (!now.synced) return;
      const fromMs = Math.max(applied.ms, store.kegs.priceSchedules.appliedMs());
      const zone = store.site.read().timeZone;
      const span = { fromMs: Math.max(fromMs, now.wallMs - maxBackMs), toMs: now.wallMs };
      const hasOtherTime = zone !== applied.zone || now.wallMs < applied.ms;
      if (hasOtherTime || scheduleChanges(store.kegs.priceSchedules.all(), span, zone).length > 0)
        change(parts, () => applySchedules(store, now));
      applied = { ms: now.wallMs, zone };
    },
  };
}

function validateSchedule({ store }: EngineParts, fields: ScheduleFields): ScheduleFields {
  const minutes = (field: string, value: number) =>
    validateNumber(field, value, { min: 0, max: 1_439, whole: true });
  const day = (field: string, value: string | null) => (value === null ? null : validateDate(field, value));
  const { firstOn, lastOn } = {
    firstOn: day('first_on', fields.firstOn),
    lastOn: day('last_on', fields.lastOn),
  };
  if (firstOn !== null && lastOn !== null && lastOn < firstOn)
    throw validationError('last_on', 'must not be before the first day', { name: 'day_order' });
  if (fields.weekdays.length === 0 || fields.weekdays.some((one) => !(one >= 1 && one <= 7)))
    throw validationError('weekdays', 'must have at least one day, from 1 (Monday) to 7', {
      name: 'weekdays',
    });
  if (fields.prices.length > maxSchedulePrices)
    throw validationError('prices', `must have at most ${maxSchedulePrices} prices`);
  const sizeIds = new Set(store.kegs.servingSizes.all().map(({ id }) => id));
  const seen = new Set<string>();
  const prices = fields.prices.map(({ beverageId, sizeId, priceMinor }) => {
    if (store.kegs.beverages.byId(beverageId) === null)
      throw validationError('beverage_id', 'must be the id of a beverage', {
        name: 'exists',
        what: 'beverage',
      });
    if (!sizeIds.has(sizeId))
      throw validationError('serving_size_id', 'must be the id of a serving size', {
        name: 'exists',
        what: 'serving_size',
      });
    const key = `${beverageId} ${sizeId}`;
    if (seen.has(key)) throw validationError('prices', 'must have each size of a beverage once');
    seen.add(key);
    const limits = { min: 0, max: maxPriceMinor, whole: true };
    return { beverageId, sizeId, priceMinor: validateNumber('price_minor', priceMinor, limits) };
  });
  return {
    name: validateText('name', fields.name, { max: maxScheduleName }),
    isEnabled: fields.isEnabled,
    weekdays: [...new Set(fields.weekdays)].sort(),
    startsMinutes: minutes('starts', fields.startsMinutes),
    endsMinutes: minutes('ends', fields.endsMinutes),
    firstOn,
    lastOn,
    percentOff: validateNumber('percent_off', fields.percentOff, { min: 0, max: 100, whole: true }),
    prices,
  };
}

const tooManyError = (): AppError =>
  new AppError('conflict', `There are ${maxSchedules} price schedules: delete one first.`, {
    reason: { name: 'too_many_schedules', most: maxSchedules },
  });
