import fc from 'fast-check';
import { expect, test } from 'vitest';
import { activeSchedule, scheduledPrices } from '../../../../src/core/kegs/price-schedules.ts';
import { insertDrink } from '../../../kit/drinks/insert-drink.ts';
import { propertyRuns } from '../../../kit/slow.ts';
import { at, hour, minute, openBar, openingMs } from '../../bar.ts';

const timeZone = 'Europe/Berlin';
/** Friday before the clocks go back. */
const startMs = Date.UTC(2026, 9, 23, 10) - openingMs;
const days = 4;

const schedule = fc.record({
  name: fc.constant('Happy hour'),
  isEnabled: fc.boolean(),
  weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
  startsMinutes: fc.integer({ min: 0, max: 1_439 }),
  endsMinutes: fc.integer({ min: 0, max: 1_439 }),
  firstOn: fc.constantFrom(null, '2026-10-24'),
  lastOn: fc.constantFrom(null, '2026-10-25'),
  percentOff: fc.integer({ min: 0, max: 100 }),
  prices: fc.constant([]),
});
const afterMs = fc.integer({ min: 0, max: days * 24 * 60 }).map((minutes) => minutes * minute);

test('every drink has the price of the schedule that holds at its time, whenever the daemon looks', () => {
  fc.assert(
    fc.property(
      fc.array(schedule, { minLength: 1, maxLength: 3 }),
      fc.array(afterMs, { maxLength: 6 }),
      fc.uniqueArray(afterMs, { minLength: 1, maxLength: 12 }),
      (schedules, ticks, pours) => {
        const { engine, store, keg, left } = openBar();
        const context = { actor: { userId: null, via: 'console' as const }, now: at(startMs - hour) };
        store.site.write({ ...store.site.read(), timeZone });
        engine.kegs.prices.setServingSizes([{ id: null, volumeMl: 500, name: '', names: {} }], context);
        const sizeId = engine.kegs.prices.servingSizes()[0]!.id;
        engine.kegs.prices.setOfBeverage(keg.beverageId, [{ sizeId, priceMinor: 437 }], context);
        const ordinary = engine.kegs.prices.ofBeverage(keg.beverageId);
        for (const one of schedules) engine.kegs.priceSchedules.add(one, context);
        for (const time of pours)
          insertDrink(store, { tap: left.id, ticks: 1, volumeMl: 500 }, at(startMs + time));
        for (const time of [...ticks].sort((one, other) => one - other))
          engine.kegs.priceSchedules.applyWhenDue(at(startMs + time));
        engine.kegs.priceSchedules.applyWhenDue(at(startMs + days * 24 * hour));
        const known = engine.kegs.priceSchedules.list();
        const sizes = new Map([[sizeId, 500]]);
        for (const time of pours) {
          const ms = openingMs + startMs + time;
          const holds = activeSchedule(known, ms, timeZone);
          const [price] = scheduledPrices(ordinary, holds, keg.beverageId, sizes);
          const { revenueMinor } = store.reports.poured({ sinceMs: ms, untilMs: ms + 1 })[0]!;
          expect(revenueMinor).toBeCloseTo(price!.priceMinor, 6);
        }
      },
    ),
    { numRuns: propertyRuns(60) },
  );
});
