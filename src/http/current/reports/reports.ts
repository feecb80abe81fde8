import type { ServerResponse } from 'node:http';
import Type from 'typebox';
import { defineRawRoute, defineRoute, type Route } from '../../routes/route.ts';
import { CalendarDate, Closed, Maybe, Open } from '../../routes/schemas.ts';
import { DayJson, dayJson, daysCsv, SpanJson, spanJson } from './report-views.ts';

const SpanQuery = Open({
  first: Maybe(CalendarDate),
  last: Maybe(CalendarDate),
});

/** Reports by business day, for staff. */
export const reportRoutes: readonly Route[] = [
  defineRoute({
    id: 'listBusinessDays',
    method: 'get',
    path: '/reports/days',
    summary: 'List the totals of the last business days, newest first',
    access: 'staff',
    accepts: {
      query: Open({
        last: Maybe(CalendarDate),
        limit: Maybe(Type.Integer({ minimum: 1, maximum: 31, default: 7, description: 'Number of days.' })),
      }),
    },
    replies: { status: 200, body: Closed({ days: Type.Array(DayJson) }) },
    run: ({ engine, now }, { query }) => ({ days: engine.reports.days(query, now).map(dayJson) }),
  }),
  defineRoute({
    id: 'getBusinessDay',
    method: 'get',
    path: '/reports/days/{date}',
    summary: 'Get the totals of a business day, by tap and by keg',
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
    access: 'staff',
    accepts: { params: Open({ date: CalendarDate }) },
    mediaType: 'text/csv',
    send({ engine, now }, { response }, { params: { date } }) {
      sendCsv(response, `tapster-${date}`, daysCsv([engine.reports.day(date, now)]));
    },
  }),
  defineRoute({
    id: 'getBusinessSpan',
    method: 'get',
    path: '/reports/span',
    summary:
      'Get the totals of the days from `first` to `last` (at most 92), together and by day. Default: today',
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
    access: 'staff',
    accepts: { query: SpanQuery },
    mediaType: 'text/csv',
    send({ engine, now }, { response }, { query }) {
      const { days } = engine.reports.span(query, now);
      const [first, last] = [days[0]!.day.date, days.at(-1)!.day.date];
      sendCsv(response, `tapster-${first}${first === last ? '' : `-to-${last}`}`, daysCsv(days));
    },
  }),
];

function sendCsv(response: ServerResponse, name: string, text: string): void {
  response
    .writeHead(200, {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
      'Content-Disposition': `attachment; filename="${name}.csv"`,
    })
    .end(text);
}
