import Type, { type Static } from 'typebox';
import { defineRawRoute, defineRoute } from '../../routes/route.ts';
import type { RouteContext } from '../../routes/route-context.ts';
import {
  CalendarDate,
  Closed,
  errorWords,
  Maybe,
  Nullable,
  named,
  Open,
  TempC,
  TextId,
} from '../../routes/schemas.ts';
import { CsvDialect, sendCsv } from '../shared/csv-dialect.ts';
import { PagingJson, wholeListPaging } from '../shared/paging.ts';

const hours = (description: string) => Type.Integer({ minimum: 0, maximum: 25, 'x-unit': 'h', description });

const DayJson = Closed(
  {
    date: { ...CalendarDate, description: 'The day at the bar.' },
    min_c: Nullable({ ...TempC, description: 'Lowest reading, °C; null without any.' }),
    mean_c: Nullable({ ...TempC, description: 'Mean of the readings, °C; null without any.' }),
    max_c: Nullable({ ...TempC, description: 'Highest reading, °C; null without any.' }),
    readings: Type.Integer({ minimum: 0, description: 'Number of readings.' }),
    hours_above: hours('Hours with a reading above the limit.'),
    hours_missing: hours('Hours that are over and have no reading.'),
  },
  { description: 'A day.' },
);

const SheetJson = named(
  'TemperatureSheet',
  Closed(
    {
      sensor_id: { ...TextId, description: 'Id of the thermo sensor, as text.' },
      sensor_name: Type.String({ description: 'Name of the thermo sensor.' }),
      days: Type.Array(DayJson, { description: 'The days of the month until today.' }),
    },
    { description: 'The temperatures of a sensor in a month.' },
  ),
);

const params = Open({
  month: Type.String({
    pattern: '^[12][0-9]{3}-(0[1-9]|1[0-2])$',
    description: 'The month, `YYYY-MM`.',
    ...errorWords('must be a month such as 2026-05'),
  }),
});
const limitField = {
  limit_c: Maybe(
    Type.Number({
      minimum: -50,
      maximum: 125,
      'x-unit': '°C',
      description:
        'Above it a reading is outside the limit. Default: the limit of the alarm `too_warm`, if there is one.',
    }),
  ),
};

/** Temperatures by month. */
export const getTemperatureSheets = defineRoute({
  id: 'getTemperatureSheets',
  method: 'get',
  path: '/temperature-sheets/{month}',
  summary: 'Get the temperatures of all thermo sensors in a month by day',
  description:
    'Lowest, mean and highest reading, hours outside the limit and gaps, as food hygiene rules want them (HACCP).',
  access: 'staff',
  accepts: { params, query: Open(limitField) },
  replies: {
    status: 200,
    body: Closed({
      paging: PagingJson,
      limit_c: Nullable({ ...TempC, description: 'The limit, °C; null for none.' }),
      temperature_sheets: Type.Array(SheetJson, { description: 'One for each sensor.' }),
    }),
  },
  run(context, { params: { month }, query }) {
    const limitC = query.limit_c ?? context.engine.notifications.alarms.settings().tooWarmC;
    const sheets = readSheets(context, month, limitC);
    return { paging: wholeListPaging(sheets), limit_c: limitC, temperature_sheets: sheets };
  },
});

/** The same as CSV. */
export const getTemperatureSheetsCsv = defineRawRoute({
  id: 'getTemperatureSheetsCsv',
  method: 'get',
  path: '/temperature-sheets/{month}/csv',
  summary: 'Get the temperatures of a month as CSV',
  description: 'One row for each sensor and day.',
  access: 'staff',
  accepts: { params, query: Open({ ...limitField, dialect: Maybe(CsvDialect) }) },
  mediaType: 'text/csv',
  send(context, { response }, { params: { month }, query }) {
    const limitC = query.limit_c ?? context.engine.notifications.alarms.settings().tooWarmC;
    const csv = context.engine.reports.exports.csvDialect(query.dialect ?? 'standard');
    const head = [
      'sensor',
      'date',
      'min_c',
      'mean_c',
      'max_c',
      'readings',
      'limit_c',
      'hours_above',
      'hours_missing',
    ];
    const rows = readSheets(context, month, limitC).flatMap(({ sensor_name: name, days }) =>
      days.map((day) => [
        name,
        day.date,
        day.min_c,
        day.mean_c,
        day.max_c,
        day.readings,
        limitC,
        day.hours_above,
        day.hours_missing,
      ]),
    );
    sendCsv(response, `temperatures-${month}`, [head, ...rows], csv);
  },
});

function readSheets(
  { engine, now }: Pick<RouteContext, 'engine' | 'now'>,
  month: string,
  limitC: number | null,
): Static<typeof SheetJson>[] {
  return engine.temperatures.sheets.sheet({ month, limitC }, now).map(({ sensorId, name, days }) => ({
    sensor_id: String(sensorId),
    sensor_name: name,
    days: days.map((day) => ({
      date: day.date,
      min_c: round(day.minC),
      mean_c: round(day.meanC),
      max_c: round(day.maxC),
      readings: day.readings,
      hours_above: day.hoursAbove,
      hours_missing: day.hoursMissing,
    })),
  }));
}

const round = (tempC: number | null): number | null =>
  tempC === null ? null : Math.round(tempC * 100) / 100;
