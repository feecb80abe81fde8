import Type, { type Static } from 'typebox';
import { roundMl } from '../../../core/measurement/round-ml.ts';
import { CsvDialect, sendCsv } from '../../../http/current/shared/csv-dialect.ts';
import { uncertaintyField } from '../../../http/current/shared/drink-views.ts';
import { defineRawRoute, defineRoute, type Route } from '../../../http/routes/route.ts';
import {
  CalendarDate,
  Closed,
  Id,
  Maybe,
  Nullable,
  named,
  Open,
  TotalMl,
} from '../../../http/routes/schemas.ts';
import { bestBeforeWarningDays, oldAfterDays } from '../core/keg-stock.ts';
import { leadDays, reviewDays, useDays } from '../core/reorder.ts';
import type { Stock, StockKeg } from '../engine/stock-services.ts';
import type { StockParts } from './parts.ts';
import { PurchaseJson, purchaseJson } from './purchases.ts';

const BeverageId = Type.String({ description: 'Id of the beverage, as text.' });
const minor = (description: string) =>
  Type.Integer({ minimum: 0, description: `${description}, in the smallest unit of the currency.` });

const StockKegJson = named(
  'StockKeg',
  Closed(
    {
      keg_id: Id,
      beverage_id: BeverageId,
      beverage: Type.String({ description: 'Name of the beverage.' }),
      size: Type.String({ description: 'Name of its size.' }),
      state: Type.Enum(['available', 'on_tap', 'finished'], { description: 'State of the keg.' }),
      tap: Nullable(Type.String({ description: 'Name of its tap; null: it is on none.' })),
      full_ml: { ...TotalMl, description: 'Volume of the full keg in millilitres.' },
      left_ml: { ...TotalMl, description: 'What is left in millilitres, at least 0.' },
      left_uncertainty_ml: uncertaintyField('`left_ml`'),
      days_on_tap: Nullable(
        Type.Integer({ minimum: 0, description: 'Whole days on its tap; null: it is on none.' }),
      ),
      cost_left_minor: Nullable(minor('Cost of what is left; null where the cost is not known')),
      warning: Nullable(
        Type.Enum(['past_best_before', 'best_before_soon', 'long_on_tap', 'old'], {
          description: `\`best_before_soon\`: at most ${bestBeforeWarningDays} days before that day; \`long_on_tap\`: longer on its tap than \`max_days_on_tap\` of the business settings; \`old\`: filled more than ${oldAfterDays} days ago, without such a day.`,
        }),
      ),
      purchase: PurchaseJson,
    },
    { description: 'A keg with what it cost and how long it keeps.' },
  ),
);

const StockBeverageJson = named(
  'StockBeverage',
  Closed(
    {
      beverage_id: BeverageId,
      name: Type.String({ description: 'Name of the beverage.' }),
      kegs_in_stock: Type.Integer({ minimum: 0, description: 'Kegs that are on no tap.' }),
      left_ml: { ...TotalMl, description: 'What is left in stock and on taps, in millilitres.' },
      cost_left_minor: minor('Cost of what is left in kegs with a known cost'),
      daily_ml: {
        ...TotalMl,
        description: `Poured and spilled a day in millilitres, mean of the last ${useDays} days.`,
      },
      runs_out_on: Nullable({
        ...CalendarDate,
        description: 'Day on which the last keg runs out at this rate; null: not within a year.',
      }),
      order_by: Nullable({
        ...CalendarDate,
        description: `Latest day to order, ${leadDays} days before it runs out and not before today; null: there is enough.`,
      }),
      order_kegs: Type.Integer({
        minimum: 0,
        description: `Kegs that are missing for the next ${leadDays + reviewDays} days.`,
      }),
    },
    { description: 'What is left of a beverage, and when to order it.' },
  ),
);

const StockJson = named(
  'Stock',
  Closed(
    {
      today: { ...CalendarDate, description: 'The current business day.' },
      currency: Type.String({ description: 'Currency of all amounts, ISO 4217.' }),
      kegs: Type.Array(StockKegJson, {
        description:
          'Kegs in stock, in the order in which they should be used (earliest best-before day, then the one that came first), then kegs on taps; at most 1000 of each.',
      }),
      deposits_out: Type.Array(StockKegJson, {
        description: 'Ended kegs whose deposit has not come back.',
      }),
      beverages: Type.Array(StockBeverageJson, { description: 'By name.' }),
      cost_left_minor: minor('Cost of what is left in kegs with a known cost'),
      kegs_without_cost: Type.Integer({ minimum: 0, description: 'Kegs without a known cost.' }),
      deposit_minor: minor('Deposits that are out'),
    },
    { description: 'Kegs in stock and on taps.' },
  ),
);

const getStock = ({ servicesOf }: StockParts) =>
  defineRoute({
    id: 'getStock',
    method: 'get',
    path: '/stock',
    summary: 'The kegs in stock and on taps: what is left, its cost, dates, deposits, and what to order',
    description: 'For staff; what kegs cost is never shown to guests.',
    access: 'staff',
    accepts: {},
    replies: {
      status: 200,
      body: Closed({
        stock: StockJson,
        suppliers: Type.Array(Type.String(), { description: 'The last suppliers, newest first.' }),
      }),
    },
    run: ({ engine, now }) => ({
      stock: stockJson(servicesOf(engine).stock.view(now)),
      suppliers: [...servicesOf(engine).purchases.suppliers()],
    }),
  });

const getStockCsv = ({ servicesOf }: StockParts) =>
  defineRawRoute({
    id: 'getStockCsv',
    method: 'get',
    path: '/stock/csv',
    summary: 'The kegs in stock, on taps and with a deposit that is out, as CSV',
    description: 'One line for each keg. Amounts are in the smallest unit of the currency.',
    access: 'staff',
    accepts: { query: Open({ dialect: Maybe(CsvDialect) }) },
    mediaType: 'text/csv',
    send({ engine, now }, { response }, { query: { dialect = 'standard' } }) {
      const stock = servicesOf(engine).stock.view(now);
      const csv = engine.reports.exports.csvDialect(dialect);
      const rows = [...stock.kegs, ...stock.depositsOut].map((keg) => csvRow(keg, stock.currency));
      sendCsv(response, `tapster-stock-${stock.today}`, [csvColumns, ...rows], csv);
    },
  });

/** The stock of kegs, for staff. */
export const stockRoutes = (parts: StockParts): readonly Route[] => [getStock(parts), getStockCsv(parts)];

const csvColumns = [
  ...['keg_id', 'beverage', 'size', 'state', 'tap', 'location', 'supplier', 'batch', 'code'],
  ...['received_on', 'born_on', 'best_before', 'full_ml', 'left_ml', 'left_uncertainty_ml'],
  ...['cost_minor', 'cost_left_minor', 'deposit_minor', 'deposit_returned_on', 'currency'],
];

const csvRow = (keg: StockKeg, currency: string) => [
  ...[keg.kegId, keg.beverage, keg.size, keg.state, keg.tap],
  ...[keg.purchase.location, keg.purchase.supplier, keg.purchase.batch, keg.purchase.code],
  ...[keg.purchase.receivedOn, keg.purchase.bornOn, keg.purchase.bestBefore],
  ...[roundMl(keg.fullMl), roundMl(keg.leftMl), roundMl(keg.leftUncertaintyMl)],
  ...[keg.purchase.costMinor, keg.costLeftMinor, keg.purchase.depositMinor],
  ...[keg.purchase.depositReturnedOn, currency],
];

const stockKegJson = (keg: StockKeg): Static<typeof StockKegJson> => ({
  keg_id: keg.kegId,
  beverage_id: String(keg.beverageId),
  beverage: keg.beverage,
  size: keg.size,
  state: keg.state,
  tap: keg.tap,
  full_ml: roundMl(keg.fullMl),
  left_ml: roundMl(keg.leftMl),
  left_uncertainty_ml: roundMl(keg.leftUncertaintyMl),
  days_on_tap: keg.daysOnTap,
  cost_left_minor: keg.costLeftMinor,
  warning: keg.warning,
  purchase: purchaseJson(keg.purchase),
});

const stockJson = (stock: Stock): Static<typeof StockJson> => ({
  today: stock.today,
  currency: stock.currency,
  kegs: stock.kegs.map(stockKegJson),
  deposits_out: stock.depositsOut.map(stockKegJson),
  beverages: stock.beverages.map((beverage) => ({
    beverage_id: String(beverage.beverageId),
    name: beverage.name,
    kegs_in_stock: beverage.kegsInStock,
    left_ml: roundMl(beverage.leftMl),
    cost_left_minor: beverage.costLeftMinor,
    daily_ml: roundMl(beverage.dailyMl),
    runs_out_on: beverage.reorder?.runsOutOn ?? null,
    order_by: beverage.reorder?.orderBy ?? null,
    order_kegs: beverage.reorder?.orderKegs ?? 0,
  })),
  cost_left_minor: stock.costLeftMinor,
  kegs_without_cost: stock.kegsWithoutCost,
  deposit_minor: stock.depositMinor,
});
