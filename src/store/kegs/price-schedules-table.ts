import type { PriceSchedule, SchedulePrice } from '../../core/kegs/price-schedules.ts';
import type { Database } from '../database.ts';

interface ScheduleRow {
  id: number;
  name: string;
  is_enabled: number;
  weekdays: number;
  starts_minutes: number;
  ends_minutes: number;
  first_on: string | null;
  last_on: string | null;
  percent_off: number;
}

type WrittenRow = Omit<ScheduleRow, 'id'>;

/** A new schedule comes after all others. */
const nextOrder = '(SELECT coalesce(max(sort_order) + 1, 0) FROM price_schedules)';

/** Prices that replace the ordinary ones at times. */
export function priceSchedulesTable(db: Database) {
  const all = db.prepare<[], ScheduleRow>('SELECT * FROM price_schedules ORDER BY sort_order, id');
  const prices = db.prepare<[number], { beverage_id: number; serving_size_id: number; price_minor: number }>(
    `SELECT beverage_id, serving_size_id, price_minor FROM schedule_prices WHERE schedule_id = ?
     ORDER BY beverage_id, serving_size_id`,
  );
  const insert = db
    .prepare<WrittenRow, number>(
      `INSERT INTO price_schedules (name, is_enabled, weekdays, starts_minutes, ends_minutes, first_on, last_on, percent_off, sort_order)
       VALUES (@name, @is_enabled, @weekdays, @starts_minutes, @ends_minutes, @first_on, @last_on, @percent_off, ${nextOrder})
       RETURNING id`,
    )
    .pluck();
  const update = db.prepare<WrittenRow & { id: number }>(
    `UPDATE price_schedules SET name = @name, is_enabled = @is_enabled, weekdays = @weekdays,
       starts_minutes = @starts_minutes, ends_minutes = @ends_minutes, first_on = @first_on, last_on = @last_on,
       percent_off = @percent_off WHERE id = @id`,
  );
  const remove = db.prepare<[number]>('DELETE FROM price_schedules WHERE id = ?');
  const setOrder = db.prepare<[order: number, id: number]>(
    'UPDATE price_schedules SET sort_order = ? WHERE id = ?',
  );
  const removePrices = db.prepare<[number]>('DELETE FROM schedule_prices WHERE schedule_id = ?');
  const addPrice = db.prepare<SchedulePrice & { scheduleId: number }>(
    `INSERT INTO schedule_prices (schedule_id, beverage_id, serving_size_id, price_minor)
     VALUES (@scheduleId, @beverageId, @sizeId, @priceMinor)`,
  );
  const applied = db.prepare<[], number>('SELECT applied_ms FROM price_schedule_state').pluck();
  const setApplied = db.prepare<[number]>('UPDATE price_schedule_state SET applied_ms = ?');
  const setPrices = (scheduleId: number, list: readonly SchedulePrice[]) => {
    removePrices.run(scheduleId);
    for (const price of list) addPrice.run({ ...price, scheduleId });
  };
  return {
    /** Of several that hold, the first counts. */
    all: (): readonly PriceSchedule[] =>
      all.all().map((row) => ({
        id: row.id,
        name: row.name,
        isEnabled: row.is_enabled === 1,
        weekdays: [1, 2, 3, 4, 5, 6, 7].filter((day) => (row.weekdays >> (day - 1)) & 1),
        startsMinutes: row.starts_minutes,
        endsMinutes: row.ends_minutes,
        firstOn: row.first_on,
        lastOn: row.last_on,
        percentOff: row.percent_off,
        prices: prices.all(row.id).map((price) => ({
          beverageId: price.beverage_id,
          sizeId: price.serving_size_id,
          priceMinor: price.price_minor,
        })),
      })),
    add(schedule: Omit<PriceSchedule, 'id'>): number {
      const id = insert.get(toRow(schedule))!;
      setPrices(id, schedule.prices);
      return id;
    },
    change(schedule: PriceSchedule): void {
      update.run({ id: schedule.id, ...toRow(schedule) });
      setPrices(schedule.id, schedule.prices);
    },
    remove: (id: number): void => void remove.run(id),
    /** `ids` of all of them. */
    sort(ids: readonly number[]): void {
      for (const [order, id] of ids.entries()) setOrder.run(order, id);
    },
    /** Until when the price lists follow the schedules, Unix milliseconds. */
    appliedMs: (): number => applied.get()!,
    setAppliedMs: (ms: number): void => void setApplied.run(ms),
  };
}

const toRow = (schedule: Omit<PriceSchedule, 'id'>): WrittenRow => ({
  name: schedule.name,
  is_enabled: Number(schedule.isEnabled),
  weekdays: schedule.weekdays.reduce((bits, day) => bits | (1 << (day - 1)), 0),
  starts_minutes: schedule.startsMinutes,
  ends_minutes: schedule.endsMinutes,
  first_on: schedule.firstOn,
  last_on: schedule.lastOn,
  percent_off: schedule.percentOff,
});
