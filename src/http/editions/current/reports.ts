import Type, { type Static } from 'typebox';
import { csvLine } from '../../../core/csv.ts';
import { KegError } from '../../../core/keg-error.ts';
import type { Amounts, BusinessSettings, DayReport } from '../../../engine/engine.ts';
import { actorIn } from '../../actor.ts';
import { defineRawRoute, defineRoute, type Route } from '../../route.ts';
import { Closed, Id, IsoSeconds, isoSeconds, Maybe, Nullable, named, Open, TotalMl } from '../../schemas.ts';

const DateText = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', description: 'A date, `YYYY-MM-DD`.' });
const Count = Type.Integer({ minimum: 0 });

const amounts = {
  drinks: Count,
  poured_ml: TotalMl,
  spills: Count,
  spilled_ml: TotalMl,
  held: Type.Integer({ minimum: 0, description: 'Pours that wait for review; counted nowhere else.' }),
  held_ml: TotalMl,
  revenue: Nullable(
    Type.Number({ minimum: 0, description: 'At the prices of the time, in the currency; null without any.' }),
  ),
};

const DayJson = named(
  'BusinessDay',
  Closed({
    date: DateText,
    since: IsoSeconds,
    until: IsoSeconds,
    is_over: Type.Boolean(),
    currency: Type.String({ description: 'ISO 4217.' }),
    ...amounts,
    taps: Type.Array(
      Closed({
        tap_id: Nullable(Type.String({ description: 'Null: a tap that is gone, or none.' })),
        name: Nullable(Type.String()),
        ...amounts,
      }),
    ),
    kegs: Type.Array(Closed({ keg_id: Nullable(Id), beverage: Nullable(Type.String()), ...amounts })),
  }),
);

const HourMinute = Type.String({
  pattern: '^(0\\d|1[0-2]):[0-5]\\d$',
  description: 'When the business day ends, by the clocks of the bar: `00:00` to `12:00`.',
});

const settingFields = {
  day_ends: HourMinute,
  nightly_backups: Type.Boolean({ description: 'Make a backup when the business day ends.' }),
  currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' }),
};
const SettingsJson = named('BusinessSettings', Closed(settingFields));

const PriceJson = Closed({
  tap_id: Type.String(),
  serving_ml: Nullable(Type.Number({ description: 'A serving, millilitres.' })),
  price: Nullable(Type.Number({ description: 'What a serving costs, in the currency.' })),
});

/** What the bar did on each business day, and what that is reckoned by. For staff. */
export const reportRoutes: readonly Route[] = [
  defineRoute({
    id: 'listBusinessDays',
    method: 'get',
    path: '/reports/days',
    summary: 'What was poured, spilled and held on the last business days, the newest first',
    access: 'staff',
    accepts: {
      query: Open({
        last: Maybe(DateText),
        limit: Maybe(Type.Integer({ minimum: 1, maximum: 31, default: 7, description: 'How many days.' })),
      }),
    },
    replies: { status: 200, body: Closed({ days: Type.Array(DayJson) }) },
    run: ({ engine, now }, { query }) => ({ days: engine.reports.days(query, now).map(dayJson) }),
  }),
  defineRoute({
    id: 'getBusinessDay',
    method: 'get',
    path: '/reports/days/{date}',
    summary: 'What was poured, spilled and held on one business day, by tap and by keg',
    access: 'staff',
    accepts: { params: Open({ date: DateText }) },
    replies: { status: 200, body: Closed({ day: DayJson }) },
    run: ({ engine, now }, { params }) => ({ day: dayJson(engine.reports.day(params.date, now)) }),
  }),
  defineRawRoute({
    id: 'getBusinessDayCsv',
    method: 'get',
    path: '/reports/days/{date}/csv',
    summary: 'The same for a spreadsheet',
    access: 'staff',
    accepts: { params: Open({ date: DateText }) },
    mediaType: 'text/csv',
    send({ engine, now }, { response }, { params: { date } }) {
      const text = dayCsv(engine.reports.day(date, now));
      response
        .writeHead(200, {
          'Content-Type': 'text/csv; charset=utf-8',
          'Content-Length': Buffer.byteLength(text),
          'Content-Disposition': `attachment; filename="tapster-${date}.csv"`,
        })
        .end(text);
    },
  }),
  defineRoute({
    id: 'getBusinessSettings',
    method: 'get',
    path: '/admin/business',
    summary: 'When the business day ends, the currency, and whether a backup is made every night',
    access: 'staff',
    accepts: {},
    replies: { status: 200, body: Closed({ business: SettingsJson }) },
    run: ({ engine }) => ({ business: settingsJson(engine.reports.settings()) }),
  }),
  defineRoute({
    id: 'changeBusinessSettings',
    method: 'patch',
    path: '/admin/business',
    summary: 'Change when the business day ends, the currency, and whether a backup is made every night',
    access: 'staff',
    accepts: {
      body: Closed({
        day_ends: Maybe(settingFields.day_ends),
        nightly_backups: Maybe(settingFields.nightly_backups),
        currency: Maybe(settingFields.currency),
      }),
    },
    replies: { status: 200, body: Closed({ business: SettingsJson }) },
    run(context, { body }) {
      const { day_ends: ends, nightly_backups: nightlyBackups, currency } = body;
      const wanted = {
        ...(ends === undefined ? {} : { dayEndsMinutes: minutesOf(ends) }),
        ...(nightlyBackups === undefined ? {} : { nightlyBackups }),
        ...(currency === undefined ? {} : { currency }),
      };
      const changed = context.engine.reports.changeSettings(wanted, actorIn(context), context.now);
      return { business: settingsJson(changed) };
    },
  }),
  defineRoute({
    id: 'listPrices',
    method: 'get',
    path: '/admin/prices',
    summary: 'What a serving costs at each tap',
    access: 'staff',
    accepts: {},
    replies: { status: 200, body: Closed({ currency: Type.String(), prices: Type.Array(PriceJson) }) },
    run: ({ engine }) => ({
      currency: engine.reports.settings().currency,
      prices: engine.taps.list().map(({ tap }) => priceJson(tap.id, engine.reports.price(tap.id))),
    }),
  }),
  defineRoute({
    id: 'setPrice',
    method: 'put',
    path: '/admin/prices/{id}',
    summary: 'Say what a serving costs at a tap from now on; null for both takes the price away',
    access: 'staff',
    accepts: {
      params: Open({ id: Id }),
      body: Closed({
        serving_ml: Nullable(Type.Number({ minimum: 1, maximum: 100_000, unit: 'mL' })),
        price: Nullable(Type.Number({ minimum: 0, maximum: 1_000_000 })),
      }),
    },
    replies: { status: 200, body: Closed({ price: PriceJson }) },
    run(context, { params: { id }, body }) {
      const { serving_ml: servingMl, price } = body;
      if ((servingMl === null) !== (price === null)) {
        const missing = servingMl === null ? 'serving_ml' : 'price';
        throw new KegError('invalid_request', 'A price needs its serving, and a serving its price.', {
          fields: { [missing]: 'must not be null alone' },
        });
      }
      const wanted =
        servingMl === null || price === null ? null : { servingMl, cents: Math.round(price * 100) };
      context.engine.reports.setPrice(id, wanted, actorIn(context), context.now);
      return { price: priceJson(id, context.engine.reports.price(id)) };
    },
  }),
  defineRoute({
    id: 'getReportMail',
    method: 'get',
    path: '/admin/report-mail',
    summary: 'Whether the report of each business day is mailed to you',
    access: 'staff',
    accepts: {},
    replies: { status: 200, body: Closed({ daily_report: Type.Boolean() }) },
    run: ({ engine, user }) => ({ daily_report: engine.reports.wantsMail(user!) }),
  }),
  defineRoute({
    id: 'setReportMail',
    method: 'put',
    path: '/admin/report-mail',
    summary: 'Ask for the report of each business day by mail, or ask for it no more',
    access: 'staff',
    accepts: { body: Closed({ daily_report: Type.Boolean() }) },
    replies: { status: 200, body: Closed({ daily_report: Type.Boolean() }) },
    run({ engine, user }, { body: { daily_report: wants } }) {
      engine.reports.setWantsMail(user!, wants);
      return { daily_report: engine.reports.wantsMail(user!) };
    },
  }),
];

const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

const settingsJson = (settings: BusinessSettings): Static<typeof SettingsJson> => ({
  day_ends: [Math.floor(settings.dayEndsMinutes / 60), settings.dayEndsMinutes % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':'),
  nightly_backups: settings.nightlyBackups,
  currency: settings.currency,
});

const priceJson = (tapId: number, price: { servingMl: number; cents: number } | null) => ({
  tap_id: String(tapId),
  serving_ml: price?.servingMl ?? null,
  price: price === null ? null : price.cents / 100,
});

const amountsJson = (sums: Amounts) => ({
  drinks: sums.drinks,
  poured_ml: sums.pouredMl,
  spills: sums.spills,
  spilled_ml: sums.spilledMl,
  held: sums.held,
  held_ml: sums.heldMl,
  revenue: sums.cents === null ? null : sums.cents / 100,
});

const dayJson = (report: DayReport): Static<typeof DayJson> => ({
  date: report.day.date,
  since: isoSeconds(report.day.sinceMs),
  until: isoSeconds(report.day.untilMs),
  is_over: report.isOver,
  currency: report.currency,
  ...amountsJson(report),
  taps: report.taps.map((tap) => ({
    tap_id: tap.tapId === null ? null : String(tap.tapId),
    name: tap.name,
    ...amountsJson(tap),
  })),
  kegs: report.kegs.map((keg) => ({ keg_id: keg.kegId, beverage: keg.beverage, ...amountsJson(keg) })),
});

/** One line for the whole day, one for each tap and each keg. */
function dayCsv(report: DayReport): string {
  const line = (what: string, id: number | null, name: string | null, sums: Amounts) =>
    csvLine([report.day.date, what, id, name, ...Object.values(amountsJson(sums)), report.currency]);
  return [
    csvLine(['date', 'of', 'id', 'name', ...Object.keys(amountsJson(report)), 'currency']),
    line('day', null, null, report),
    ...report.taps.map((tap) => line('tap', tap.tapId, tap.name, tap)),
    ...report.kegs.map((keg) => line('keg', keg.kegId, keg.beverage, keg)),
  ].join('');
}
