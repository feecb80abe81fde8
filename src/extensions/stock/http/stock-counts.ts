import Type, { type Static } from 'typebox';
import { roundMl } from '../../../core/measurement/round-ml.ts';
import { correctionFields, correctionIdOf } from '../../../http/current/shared/correction-id.ts';
import { CsvDialect, sendCsv } from '../../../http/current/shared/csv-dialect.ts';
import {
  PageQuery,
  PagingJson,
  pagingJson,
  toPageRequest,
  wholeListPaging,
} from '../../../http/current/shared/paging.ts';
import { AnyId, toId } from '../../../http/routes/input-values.ts';
import { defineRawRoute, defineRoute, type Route } from '../../../http/routes/route.ts';
import { actorContext } from '../../../http/routes/route-context.ts';
import {
  Closed,
  Id,
  IsoSeconds,
  isoSeconds,
  Maybe,
  Nullable,
  named,
  Open,
  TotalMl,
} from '../../../http/routes/schemas.ts';
import {
  countReasons,
  maxCountedKegs,
  maxCountLines,
  maxCountNote,
  type StockCount,
  sumDifferences,
} from '../core/stock-count.ts';
import type { CountSheetLine } from '../engine/stock-services.ts';
import type { StockParts } from './parts.ts';

const kegs = (description: string) => Type.Integer({ minimum: 0, maximum: maxCountedKegs, description });
const fullMl = { ...TotalMl, description: 'Volume of a full keg in millilitres.' };
const reasonText =
  'Why kegs are missing or were found: `returned` to the supplier, `spoiled`, `given_away`, `not_recorded` (tapped or delivered without an entry), or `unknown`.';
const Reason = Type.Enum([...countReasons], { description: reasonText });
const beverageName = Type.String({ description: 'Name of the beverage.' });
const sizeName = Type.String({ description: 'Name of the size.' });

const CountSheetLineJson = named(
  'CountSheetLine',
  Closed(
    {
      beverage_id: Type.String({ description: 'Id of the beverage, as text.' }),
      beverage: beverageName,
      keg_type: Type.String({ description: 'Key of the keg size.' }),
      size: sizeName,
      full_volume_ml: fullMl,
      expected: kegs('Kegs in stock by the records.'),
      locations: Type.Array(Type.String(), { description: 'Where they stand.' }),
    },
    { description: 'Kegs that are alike, to be counted.' },
  ),
);

const StockCountJson = named(
  'StockCount',
  Closed(
    {
      id: Id,
      time: { ...IsoSeconds, description: 'UTC time of the count.' },
      username: Nullable(Type.String({ description: 'Who entered it; null for a key.' })),
      note: Type.String({ description: 'What staff noted.' }),
      is_adjusted: Type.Boolean({ description: 'True when missing kegs were ended and found ones added.' }),
      missing: kegs('Kegs that were missing.'),
      found: kegs('Kegs that were not in the records.'),
      value_minor: Type.Integer({
        description:
          'Cost of the differences in the smallest unit of the currency, negative for missing kegs; without those whose cost is not known.',
      }),
      kegs_without_value: kegs('Missing and found kegs whose cost is not known.'),
      lines: Type.Array(
        Closed(
          {
            beverage_id: Nullable(
              Type.String({ description: 'Id of the beverage, as text; null after it was deleted.' }),
            ),
            beverage: beverageName,
            size: sizeName,
            full_volume_ml: fullMl,
            expected: kegs('Kegs in stock by the records.'),
            counted: kegs('Kegs that were counted.'),
            reason: Nullable(
              Type.Enum([...countReasons], { description: `${reasonText} Null where both agree.` }),
            ),
            value_minor: Nullable(
              Type.Integer({
                description:
                  'Cost of the difference in the smallest unit of the currency; null where it is not known.',
              }),
            ),
          },
          { description: 'Kegs of one kind. Names are those of the time of the count.' },
        ),
        { description: 'The kinds that were counted.' },
      ),
    },
    { description: 'A count of the kegs in stock, with the differences from the records.' },
  ),
);

const getCountSheet = ({ servicesOf }: StockParts) =>
  defineRoute({
    id: 'getCountSheet',
    method: 'get',
    path: '/stock-counts/sheet',
    summary: 'The kegs in stock by beverage and size, to be counted',
    description: 'Kegs on taps are not counted: their level is.',
    access: 'staff',
    accepts: {},
    replies: {
      status: 200,
      body: Closed({
        lines: Type.Array(CountSheetLineJson, { description: 'By beverage and size.' }),
        paging: PagingJson,
      }),
    },
    run({ engine }) {
      const lines = servicesOf(engine).counts.sheet().map(sheetLineJson);
      return { lines, paging: wholeListPaging(lines) };
    },
  });

const listStockCounts = ({ servicesOf }: StockParts) =>
  defineRoute({
    id: 'listStockCounts',
    method: 'get',
    path: '/stock-counts',
    summary: 'List the counts of the stock',
    description: 'The newest first.',
    access: 'staff',
    accepts: { query: PageQuery },
    replies: {
      status: 200,
      body: Closed({
        stock_counts: Type.Array(StockCountJson, { description: 'The counts.' }),
        paging: PagingJson,
      }),
    },
    run({ engine, addressWith }, { query }) {
      const page = servicesOf(engine).counts.list(toPageRequest(query));
      return { stock_counts: page.items.map(stockCountJson), paging: pagingJson(page, addressWith) };
    },
  });

const addStockCount = ({ servicesOf }: StockParts) =>
  defineRoute({
    id: 'addStockCount',
    method: 'post',
    path: '/stock-counts',
    summary: 'Record a count of the kegs in stock, with the differences from the records',
    description:
      'Kinds that are not sent were not counted. With `adjust` missing kegs are ended, those first that should be used first, and found ones are ' +
      'added to the stock. Refused with 409 when the stock is not what `expected` says: it changed since the sheet was read. Written to the audit ' +
      'log, and can be undone as a whole until one of its kegs was put on a tap or changed.',
    access: 'staff',
    accepts: {
      body: Closed({
        lines: Type.Array(
          Closed({
            beverage_id: { ...AnyId, description: 'Id of the beverage.' },
            keg_type: Type.String({ minLength: 1, maxLength: 64, description: 'Key of the keg size.' }),
            full_volume_ml: Maybe(
              Type.Number({
                exclusiveMinimum: 0,
                maximum: 10_000_000,
                'x-unit': 'mL',
                description: 'Volume of a full keg in millilitres; that of the size unless given.',
              }),
            ),
            counted: kegs('Kegs that were counted.'),
            expected: Maybe(kegs('Kegs in stock by the sheet.')),
            reason: Maybe(Reason),
          }),
          { minItems: 1, maxItems: maxCountLines, description: 'Each kind of keg once.' },
        ),
        note: Maybe(Type.String({ maxLength: maxCountNote, description: 'Note for staff.' })),
        adjust: Maybe(
          Type.Boolean({
            default: true,
            description: 'Whether the records are made to agree with the count.',
          }),
        ),
      }),
    },
    errors: { conflict: ['stock_changed'] },
    replies: { status: 201, body: Closed({ stock_count: StockCountJson, ...correctionFields }) },
    run(context, { body: { lines, note, adjust = true } }) {
      const counted = lines.map((line) => ({
        beverageId: toId(line.beverage_id),
        sizeKey: line.keg_type,
        fullVolumeMl: line.full_volume_ml,
        counted: line.counted,
        expected: line.expected,
        reason: line.reason,
      }));
      const added = servicesOf(context.engine).counts.add(
        { lines: counted, note, isAdjusted: adjust },
        actorContext(context),
      );
      return { stock_count: stockCountJson(added.result), ...correctionIdOf(added) };
    },
  });

const getStockCountsCsv = ({ servicesOf }: StockParts) =>
  defineRawRoute({
    id: 'getStockCountsCsv',
    method: 'get',
    path: '/stock-counts/csv',
    summary: 'The counts of the stock as CSV',
    description:
      'One line for each counted kind of the last 1000 counts, the newest first. Amounts are in the smallest unit of the currency.',
    access: 'staff',
    accepts: { query: Open({ dialect: Maybe(CsvDialect) }) },
    mediaType: 'text/csv',
    send({ engine }, { response }, { query: { dialect = 'standard' } }) {
      const csv = engine.reports.exports.csvDialect(dialect);
      const { currency } = engine.reports.settings();
      const rows = servicesOf(engine)
        .counts.list({ limit: 1_000 })
        .items.flatMap((count) => csvRows(count, currency));
      sendCsv(response, 'tapster-stock-counts', [csvColumns, ...rows], csv);
    },
  });

/** Counts of the stock, for staff. */
export const stockCountRoutes = (parts: StockParts): readonly Route[] => [
  getCountSheet(parts),
  listStockCounts(parts),
  addStockCount(parts),
  getStockCountsCsv(parts),
];

const csvColumns = [
  ...['count_id', 'time', 'username', 'beverage', 'size', 'full_ml', 'expected', 'counted', 'difference'],
  ...['reason', 'value_minor', 'currency', 'is_adjusted', 'note'],
];

const csvRows = (count: StockCount, currency: string) =>
  count.lines.map((line) => [
    ...[
      count.id,
      isoSeconds(count.timeMs),
      count.username,
      line.beverage,
      line.size,
      roundMl(line.fullVolumeMl),
    ],
    ...[line.expected, line.counted, line.counted - line.expected, line.reason, line.valueMinor, currency],
    ...[count.isAdjusted, count.note],
  ]);

const sheetLineJson = (line: CountSheetLine): Static<typeof CountSheetLineJson> => ({
  beverage_id: String(line.beverageId),
  beverage: line.beverage,
  keg_type: line.sizeKey,
  size: line.size,
  full_volume_ml: line.fullVolumeMl,
  expected: line.expected,
  locations: [...line.locations],
});

function stockCountJson(count: StockCount): Static<typeof StockCountJson> {
  const { missing, found, valueMinor, withoutValue } = sumDifferences(count.lines);
  return {
    id: count.id,
    time: isoSeconds(count.timeMs),
    username: count.username,
    note: count.note,
    is_adjusted: count.isAdjusted,
    missing,
    found,
    value_minor: valueMinor,
    kegs_without_value: withoutValue,
    lines: count.lines.map((line) => ({
      beverage_id: line.beverageId === null ? null : String(line.beverageId),
      beverage: line.beverage,
      size: line.size,
      full_volume_ml: line.fullVolumeMl,
      expected: line.expected,
      counted: line.counted,
      reason: line.reason,
      value_minor: line.valueMinor,
    })),
  };
}
