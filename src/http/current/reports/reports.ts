import Type from 'typebox';
import { defineRawRoute, defineRoute, type Route } from '../../routes/route.ts';
import { CalendarDate, Closed, Maybe, Open } from '../../routes/schemas.ts';
import { CsvDialect, sendCsvText } from '../shared/csv-dialect.ts';
import { PagingJson } from '../shared/paging.ts';
import { DayJson, dayJson, daysCsv, SpanJson, spanJson } from './report-views.ts';

const SpanQuery = Open({
  first: Maybe({ ...CalendarDate, description: 'First business day, `YYYY-MM-DD`; `last` unless given.' }),
  last: Maybe({ ...CalendarDate, description: 'Last business day, `YYYY-MM-DD`; today unless given.' }),
});

/** Reports by business day, for staff. */
export const reportRoutes: readonly Route[] = [
  defineRoute({
    id: 'listBusinessDays',
    method: 'get',
    path: '/reports/days',
    summary: 'List the totals of the last business days, newest first',
    description:
      'The list begins with today and ends with the day of the first drink or spill; `last` is the newest day to list. ' +
      'A business day ends at the time set by staff, not at midnight, and has the offset that the zone had then.',
    access: 'staff',
    accepts: {
      query: Open({
        last: Maybe({
          ...CalendarDate,
          description: 'Newest day to list, `YYYY-MM-DD`; today unless given.',
        }),
        limit: Maybe(Type.Integer({ minimum: 1, maximum: 31, default: 7, description: 'Number of days.' })),
      }),
    },
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        days: Type.Array(DayJson, { description: 'Newest first.' }),
      }),
    },
    run({ engine, now, addressWith }, { query }) {
      const { items, total, limit, olderLast, newerLast } = engine.reports.days(query, now);
      const address = (last: string | null) => last && addressWith({ last });
      return {
        paging: { total, limit, pos: 0, next: address(olderLast), prev: address(newerLast) },
        days: items.map(dayJson),
      };
    },
  }),
  defineRoute({
    id: 'getBusinessDay',
    method: 'get',
    path: '/reports/days/{date}',
    summary: 'Get the totals of a business day, by tap and by keg',
    description:
      'For a day that is not over, the totals so far. Includes drinks and spills by tap and by keg, held pours ' +
      'apart, and the revenue at the prices of that time, without tax.',
    access: 'staff',
    accepts: { params: Open({ date: CalendarDate }) },
    replies: { status: 200, body: Closed({ day: DayJson }) },
    run: ({ engine, now }, { params }) => ({ day: dayJson(engine.reports.day(params.date, now)) }),
  }),
  defineRawRoute({
    id: 'getBusinessDayCsv',
    method: 'get',
    path: '/reports/days/{date}/csv',
    summary: 'Get the totals of a business day as CSV',
    description: 'One line for the day, one for each tap and one for each keg.',
    access: 'staff',
    accepts: { params: Open({ date: CalendarDate }), query: Open({ dialect: Maybe(CsvDialect) }) },
    mediaType: 'text/csv',
    send({ engine, now }, { response }, { params: { date }, query: { dialect = 'standard' } }) {
      const text = daysCsv([engine.reports.day(date, now)], engine.reports.exports.csvDialect(dialect));
      sendCsvText(response, `tapster-${date}`, text);
    },
  }),
  defineRoute({
    id: 'getBusinessSpan',
    method: 'get',
    path: '/reports/span',
    summary:
      'Get the totals of the days from `first` to `last` (at most 92), together and by day. Default: today',
    description:
      '`first` and `last` are both included. More than 92 days, or a `first` after `last`, are a 400.',
    access: 'staff',
    accepts: { query: SpanQuery },
    replies: { status: 200, body: Closed({ span: SpanJson }) },
    run: ({ engine, now }, { query }) => ({ span: spanJson(engine.reports.span(query, now)) }),
  }),
  defineRawRoute({
    id: 'getBusinessSpanCsv',
    method: 'get',
    path: '/reports/span/csv',
    summary: 'Get the totals of the days from `first` to `last` as CSV',
    description: 'One line for each day, and for each of its taps and kegs. At most 92 days.',
    access: 'staff',
    accepts: { query: Open({ ...SpanQuery.properties, dialect: Maybe(CsvDialect) }) },
    mediaType: 'text/csv',
    send({ engine, now }, { response }, { query: { dialect = 'standard', ...query } }) {
      const { days } = engine.reports.span(query, now);
      const [first, last] = [days[0]!.day.date, days.at(-1)!.day.date];
      const text = daysCsv(days, engine.reports.exports.csvDialect(dialect));
      sendCsvText(response, `tapster-${first}${first === last ? '' : `-to-${last}`}`, text);
    },
  }),
];
