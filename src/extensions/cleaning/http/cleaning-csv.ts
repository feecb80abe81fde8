import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { shownTimes, shownTimeText } from '../../../core/clock/shown-time.ts';
import { csvLine } from '../../../core/text/csv.ts';
import { CsvDialect } from '../../../http/current/shared/csv-dialect.ts';
import { defineRawRoute } from '../../../http/routes/route.ts';
import { Maybe, Open } from '../../../http/routes/schemas.ts';
import type { CleaningView } from '../engine/cleaning-log.ts';
import { logFilterFields, toLogFilter } from './cleaning-log.ts';
import { entryJson } from './cleaning-views.ts';
import type { FindsServices } from './route-parts.ts';

/** Cleanings that are read at once. */
const chunk = 200;

const columns = [
  'cleaning_id',
  'entry_id',
  'corrects_id',
  'holds',
  'written_time',
  'written_by',
  'tap',
  'beverage',
  'kind',
  'started_time',
  'ended_time',
  'cleaned_by',
  'checked_by',
  'agent',
  'concentration_percent',
  'temp_c',
  'contact_minutes',
  'method',
  'rinse_ph',
  'result',
  'note',
  'withdrawn',
  'beer_lost_ml',
  'cleaner_ml',
  'rinse_ml',
] as const;

/** The log as CSV, corrected entries too. */
export const getCleaningLogCsv = ({ servicesOf }: FindsServices) =>
  defineRawRoute({
    id: 'getCleaningLogCsv',
    method: 'get',
    path: '/cleaning-log.csv',
    summary: 'Export the cleaning log as CSV, newest first',
    description:
      'One row for each entry, also those that were corrected: `holds` is false for them. Times are in UTC, with `dialect=excel` in ' +
      'the site’s time zone.',
    access: 'staff',
    accepts: { query: Open({ ...logFilterFields, dialect: Maybe(CsvDialect) }) },
    errors: { not_found: ['not_found'] },
    mediaType: 'text/csv',
    async send(context, { request, response }, { query }) {
      const { engine } = context;
      const filter = toLogFilter(context, query);
      const csv = engine.reports.exports.csvDialect(query.dialect ?? 'standard');
      const toShownMs = shownTimes(engine.users.site().timeZone);
      const toTime = (iso: string) =>
        query.dialect === 'excel' ? shownTimeText(toShownMs(Date.parse(iso))) : iso;
      response.writeHead(200, {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': 'attachment; filename="cleaning-log.csv"',
      });
      response.write(csv.byteOrderMark + csvLine(columns, csv));
      let start = 0;
      while (request.method !== 'HEAD' && !response.destroyed) {
        const { items } = servicesOf(engine).cleanings.log({
          ...filter,
          limit: chunk,
          ...(start > 0 ? { start } : {}),
        });
        response.write(
          items
            .flatMap(toRows(toTime))
            .map((row) => csvLine(row, csv))
            .join(''),
        );
        start = (items.at(-1)?.id ?? 0) - 1;
        if (items.length < chunk || start < 1) break;
        await yieldToEventLoop();
      }
      response.end();
    },
  });

const toRows = (toTime: (iso: string) => string) => (view: CleaningView) =>
  view.entries.map((entry, i) => {
    const json = entryJson(entry);
    const holds = i === 0;
    return [
      view.id,
      json.id,
      json.corrects_id,
      String(holds),
      toTime(json.time),
      json.user_id,
      json.tap,
      json.beverage,
      json.kind,
      toTime(json.started_time),
      toTime(json.ended_time),
      json.cleaned_by,
      json.checked_by,
      json.agent,
      json.concentration_percent,
      json.temp_c,
      json.contact_minutes,
      json.method,
      json.rinse_ph,
      json.result,
      json.note,
      String(json.withdrawn),
      ...(holds
        ? [view.parts.beerMl, view.parts.cleanerMl, view.parts.rinseMl].map(round)
        : [null, null, null]),
    ];
  });

const round = (ml: number) => Math.round(ml * 100) / 100;
