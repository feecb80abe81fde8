import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import Type from 'typebox';
import { csvLine } from '../../../core/text/csv.ts';
import type { Engine, ExportValue } from '../../../engine/engine.ts';
import { CsvDialect } from '../../../http/current/shared/csv-dialect.ts';
import { defineRawRoute, defineRoute, type Route } from '../../../http/routes/route.ts';
import { actorContext } from '../../../http/routes/route-context.ts';
import { CalendarDate, Closed, errorWords, Maybe, Open } from '../../../http/routes/schemas.ts';
import { balanceRows, balanceWorkbook } from '../engine/balance/balance-rows.ts';
import type { BalanceView } from '../engine/balance/balance-view.ts';
import { findingJson } from './balance-finding-views.ts';
import { BalanceJson, balanceJson, MonthJson, monthJson } from './balance-views.ts';
import type { SalesRouteParts } from './route-parts.ts';

const SpanQuery = Open({
  first: Maybe({ ...CalendarDate, description: 'First business day, `YYYY-MM-DD`; `last` unless given.' }),
  last: Maybe({ ...CalendarDate, description: 'Last business day, `YYYY-MM-DD`; today unless given.' }),
});

const MonthParams = Open({
  month: Type.String({
    pattern: '^\\d{4}-(0[1-9]|1[0-2])$',
    description: 'A month, `YYYY-MM`.',
    ...errorWords('must be a month, YYYY-MM'),
  }),
});

const mediaTypes = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

const toFinding = ({ servicesOf }: SalesRouteParts, engine: Engine, { currency, beverages }: BalanceView) =>
  findingJson(
    servicesOf(engine),
    currency,
    (id) =>
      beverages.find(({ beverageId }) => beverageId === id)?.name ??
      engine.kegs.catalogue.beverage(id)?.name ??
      null,
  );

const toCell = (value: ExportValue | undefined) =>
  value instanceof Date ? value.toISOString() : (value ?? null);

/** Poured against sold, for staff. */
export const balanceRoutes = (parts: SalesRouteParts): readonly Route[] => [
  defineRoute({
    id: 'getSalesBalance',
    method: 'get',
    path: '/sales/balance',
    summary:
      'Compare what was poured with what was sold, from `first` to `last` (at most 92 days). Default: today',
    description:
      'By beverage, tap, week, day and hour of the week, with the uncertainty of each difference, and what to check. ' +
      '`poured_ml` is exactly the sum of what was rung up, spilled, lost by cleaning, dripped, and the difference. Nothing ' +
      'of it is by person, and nothing is a fiscal record.',
    access: 'staff',
    accepts: { query: SpanQuery },
    replies: { status: 200, body: Closed({ balance: BalanceJson }) },
    run({ engine, now }, { query }) {
      const view = parts.servicesOf(engine).balances.span(query, now);
      return { balance: balanceJson(view, toFinding(parts, engine, view)) };
    },
  }),
  defineRoute({
    id: 'getMonthBalance',
    method: 'get',
    path: '/sales/months/{month}',
    summary: 'Compare what was poured with what was sold in a month',
    description:
      'As `/sales/balance` for all business days of the month. `closed` has the frozen figures of a closed month, and what ' +
      'was corrected since.',
    access: 'staff',
    accepts: { params: MonthParams },
    replies: { status: 200, body: Closed({ month: MonthJson }) },
    run({ engine, now }, { params }) {
      const view = parts.servicesOf(engine).balances.month(params.month, now);
      return { month: monthJson(view, toFinding(parts, engine, view)) };
    },
  }),
  defineRoute({
    id: 'closeMonth',
    method: 'post',
    path: '/sales/months/{month}/close',
    summary: 'Close a month: its figures are frozen, and later corrections are shown beside them',
    description:
      'A month that is not over, or is closed already, is a 409. Written to the audit log; `reopen` undoes it.',
    access: 'staff',
    accepts: { params: MonthParams },
    replies: { status: 200, body: Closed({ month: MonthJson }) },
    errors: { conflict: ['month_closed', 'month_runs'] },
    run(context, { params }) {
      const view = parts.servicesOf(context.engine).balances.closeMonth(params.month, actorContext(context));
      return { month: monthJson(view, toFinding(parts, context.engine, view)) };
    },
  }),
  defineRoute({
    id: 'reopenMonth',
    method: 'post',
    path: '/sales/months/{month}/reopen',
    summary: 'Open a closed month again: its frozen figures are dropped',
    description: 'A month that is not closed is a 404. Written to the audit log.',
    access: 'staff',
    accepts: { params: MonthParams },
    replies: { status: 200, body: Closed({ month: MonthJson }) },
    run(context, { params }) {
      const view = parts.servicesOf(context.engine).balances.reopenMonth(params.month, actorContext(context));
      return { month: monthJson(view, toFinding(parts, context.engine, view)) };
    },
  }),
  defineRawRoute({
    id: 'getSalesBalanceFile',
    method: 'get',
    path: '/sales/balance/{file}',
    summary: 'Get poured against sold from `first` to `last` as CSV or as a workbook',
    description: 'One line for the total, and for each beverage, tap, week and day. At most 92 days.',
    access: 'staff',
    accepts: {
      params: Open({ file: Type.Enum(['balance.csv', 'balance.xlsx'], { description: 'The format.' }) }),
      query: Open({ ...SpanQuery.properties, dialect: Maybe(CsvDialect) }),
    },
    mediaType: 'text/csv',
    otherMediaTypes: [mediaTypes.xlsx],
    async send(
      { engine, now },
      { request, response },
      { params: { file }, query: { dialect = 'standard', ...query } },
    ) {
      const view = parts.servicesOf(engine).balances.span(query, now);
      const format = file === 'balance.csv' ? 'csv' : 'xlsx';
      const { columns, rows } = balanceRows(view);
      const name = `tapster-balance-${view.first}${view.first === view.last ? '' : `-to-${view.last}`}.${format}`;
      const pieces: Uint8Array[] = [];
      if (format === 'csv') {
        const signs = engine.reports.exports.csvDialect(dialect);
        const lines = [columns, ...rows.map((row) => columns.map((column) => toCell(row[column])))];
        pieces.push(Buffer.from(signs.byteOrderMark + lines.map((cells) => csvLine(cells, signs)).join('')));
      } else {
        for await (const piece of balanceWorkbook({ columns, rows }, () => yieldToEventLoop()))
          pieces.push(piece);
      }
      const content = Buffer.concat(pieces);
      response.writeHead(200, {
        'Content-Type': mediaTypes[format],
        'Content-Length': content.length,
        'Content-Disposition': `attachment; filename="${name}"`,
      });
      response.end(request.method === 'HEAD' ? undefined : content);
    },
  }),
];
