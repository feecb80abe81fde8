import Type, { type Static, type TSchema } from 'typebox';
import { formatTimeOfDay } from '../../../core/clock/business-days.ts';
import { maxPriceMinor } from '../../../core/kegs/money.ts';
import {
  maxScheduleName,
  maxSchedulePrices,
  maxSchedules,
  type PriceSchedule,
} from '../../../core/kegs/price-schedules.ts';
import type { ScheduleFields } from '../../../engine/engine.ts';
import { AnyId, toId } from '../../routes/input-values.ts';
import { defineRoute } from '../../routes/route.ts';
import { actorContext } from '../../routes/route-context.ts';
import { CalendarDate, Closed, errorWords, Id, Nullable, named, Open } from '../../routes/schemas.ts';
import { PriceMinor } from '../../routes/serving-price.ts';
import { correctionFields, correctionIdOf } from '../shared/correction-id.ts';
import { PagingJson, wholeListPaging } from '../shared/paging.ts';

const timeOfDay = (description: string) =>
  Type.String({
    pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
    description: `${description}, \`HH:MM\` in the site’s time zone.`,
    ...errorWords('must be a time of day from 00:00 to 23:59', { name: 'time_of_day' }),
  });

const fields = {
  name: Type.String({ minLength: 1, maxLength: maxScheduleName, description: 'Name, `Happy hour`.' }),
  is_enabled: Type.Boolean({ description: 'False: it never holds.' }),
  weekdays: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
    minItems: 1,
    maxItems: 7,
    description: 'Days on which it starts, 1 is Monday.',
    ...errorWords('must have at least one day, from 1 (Monday) to 7', { name: 'weekdays' }),
  }),
  starts: timeOfDay('When it starts'),
  ends: timeOfDay('When it ends; not after the start: on the next day'),
  first_on: Nullable({ ...CalendarDate, description: 'First day on which it starts; null: without limit.' }),
  last_on: Nullable({ ...CalendarDate, description: 'Last day on which it starts; null: without limit.' }),
  percent_off: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: 'Off all ordinary prices, in percent; prices of its own come first.',
  }),
};
const prices = <BeverageId extends TSchema>(BeverageId: BeverageId) =>
  Type.Array(
    Closed(
      {
        beverage_id: BeverageId,
        serving_size_id: { ...Id, description: 'Id of the serving size.' },
        price_minor: { ...PriceMinor, maximum: maxPriceMinor },
      },
      { description: 'Price of a serving size of a beverage.' },
    ),
    { maxItems: maxSchedulePrices, description: 'Prices of its own, each size of a beverage once.' },
  );

const ScheduleJson = named(
  'PriceSchedule',
  Closed(
    {
      id: { ...Id, description: 'Id of the price schedule.' },
      ...fields,
      prices: prices(Type.String({ description: 'Id of the beverage, as text.' })),
    },
    { description: 'Prices that replace the ordinary ones at times.' },
  ),
);
const FieldsJson = Closed(
  { ...fields, prices: prices({ ...AnyId, description: 'Id of the beverage.' }) },
  { description: 'A price schedule.' },
);
const params = Open({ id: Id });
const reply = Closed({ price_schedule: ScheduleJson, ...correctionFields });

const listPriceSchedules = defineRoute({
  id: 'listPriceSchedules',
  method: 'get',
  path: '/price-schedules',
  summary: 'List the price schedules: happy hours, weekdays, events',
  description: `Of several that hold the first one counts. At most ${maxSchedules}.`,
  access: 'staff',
  accepts: {},
  replies: {
    status: 200,
    body: Closed({
      paging: PagingJson,
      active_schedule_id: Nullable({
        ...Id,
        description: 'Id of the one that holds now; null: the ordinary prices hold.',
      }),
      price_schedules: Type.Array(ScheduleJson, { description: 'The price schedules.' }),
    }),
  },
  run({ engine, now }) {
    const schedules = engine.kegs.priceSchedules.list();
    return {
      paging: wholeListPaging(schedules),
      active_schedule_id: engine.kegs.priceSchedules.active(now)?.schedule.id ?? null,
      price_schedules: schedules.map(scheduleJson),
    };
  },
});

const addPriceSchedule = defineRoute({
  id: 'addPriceSchedule',
  method: 'post',
  path: '/price-schedules',
  summary: 'Add a price schedule',
  description:
    'It holds from now on: earlier drinks keep their prices. Written to the audit log, and can be undone.',
  access: 'staff',
  accepts: { body: FieldsJson },
  errors: { conflict: ['too_many_schedules', 'clock_not_set'] },
  replies: { status: 201, body: reply },
  run: (context, { body }) =>
    scheduleReply(context.engine.kegs.priceSchedules.add(toFields(body), actorContext(context))),
});

const changePriceSchedule = defineRoute({
  id: 'changePriceSchedule',
  method: 'put',
  path: '/price-schedules/{id}',
  summary: 'Replace a price schedule',
  description:
    'It holds from now on: earlier drinks keep their prices. Written to the audit log, and can be undone.',
  access: 'staff',
  accepts: { params, body: FieldsJson },
  errors: { conflict: ['clock_not_set'] },
  replies: { status: 200, body: reply },
  run: (context, { params: { id }, body }) =>
    scheduleReply(context.engine.kegs.priceSchedules.change(id, toFields(body), actorContext(context))),
});

const movePriceSchedule = defineRoute({
  id: 'movePriceSchedule',
  method: 'post',
  path: '/price-schedules/{id}/move',
  summary: 'Move a price schedule to another place in the list',
  description:
    'Of several that hold the first one counts, from now on: earlier drinks keep their prices. Written to the audit log, ' +
    'and can be undone.',
  access: 'staff',
  accepts: {
    params,
    body: Closed({
      place: Type.Integer({
        minimum: 1,
        maximum: maxSchedules,
        description: 'Its new place, 1 to the number of price schedules.',
      }),
    }),
  },
  errors: { conflict: ['clock_not_set'] },
  replies: { status: 200, body: reply },
  run: (context, { params: { id }, body: { place } }) =>
    scheduleReply(context.engine.kegs.priceSchedules.move(id, place, actorContext(context))),
});

const removePriceSchedule = defineRoute({
  id: 'removePriceSchedule',
  method: 'delete',
  path: '/price-schedules/{id}',
  summary: 'Delete a price schedule',
  description:
    'The ordinary prices hold at once; earlier drinks keep theirs. Written to the audit log, and can be undone.',
  access: 'staff',
  accepts: { params },
  errors: { conflict: ['clock_not_set'] },
  replies: { status: 200, body: Closed(correctionFields) },
  run: (context, { params: { id } }) =>
    correctionIdOf(context.engine.kegs.priceSchedules.remove(id, actorContext(context))),
});

/** Prices that replace the ordinary ones at times. */
export const priceScheduleRoutes = [
  listPriceSchedules,
  addPriceSchedule,
  changePriceSchedule,
  movePriceSchedule,
  removePriceSchedule,
];

const toMinutes = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

const toFields = (body: Static<typeof FieldsJson>): ScheduleFields => ({
  name: body.name,
  isEnabled: body.is_enabled,
  weekdays: body.weekdays,
  startsMinutes: toMinutes(body.starts),
  endsMinutes: toMinutes(body.ends),
  firstOn: body.first_on,
  lastOn: body.last_on,
  percentOff: body.percent_off,
  prices: body.prices.map((price) => ({
    beverageId: toId(price.beverage_id),
    sizeId: price.serving_size_id,
    priceMinor: price.price_minor,
  })),
});

const scheduleReply = (changed: {
  readonly result: PriceSchedule;
  readonly correctionId: number | null;
}) => ({ price_schedule: scheduleJson(changed.result), ...correctionIdOf(changed) });

const scheduleJson = (schedule: PriceSchedule): Static<typeof ScheduleJson> => ({
  id: schedule.id,
  name: schedule.name,
  is_enabled: schedule.isEnabled,
  weekdays: [...schedule.weekdays],
  starts: formatTimeOfDay(schedule.startsMinutes),
  ends: formatTimeOfDay(schedule.endsMinutes),
  first_on: schedule.firstOn,
  last_on: schedule.lastOn,
  percent_off: schedule.percentOff,
  prices: schedule.prices.map(({ beverageId, sizeId, priceMinor }) => ({
    beverage_id: String(beverageId),
    serving_size_id: sizeId,
    price_minor: priceMinor,
  })),
});
