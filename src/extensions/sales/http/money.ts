import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import Type, { type Static } from 'typebox';
import { roundMl } from '../../../core/measurement/round-ml.ts';
import { CsvDialect, sendCsv } from '../../../http/current/shared/csv-dialect.ts';
import { defineRawRoute, defineRoute } from '../../../http/routes/route.ts';
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
import { type Money, marginMinor, pourCost } from '../core/money.ts';
import type { MoneyView } from '../engine/money.ts';
import type { SalesRouteParts } from './route-parts.ts';

const SpanQuery = Open({
  first: Maybe({ ...CalendarDate, description: 'First business day, `YYYY-MM-DD`; `last` unless given.' }),
  last: Maybe({ ...CalendarDate, description: 'Last business day, `YYYY-MM-DD`; today unless given.' }),
});

const BeverageId = Type.String({ description: 'Id of the beverage, as text.' });
const minor = (description: string) =>
  Type.Integer({ description: `${description}, in the smallest unit of the currency.` });

const moneyFields = {
  poured_ml: { ...TotalMl, description: 'Poured in millilitres.' },
  spilled_ml: { ...TotalMl, description: 'Spilled and lost by cleaning in millilitres.' },
  income_minor: Nullable(
    minor(
      'Without tax: what tills sold after discounts; where no till sold any of it, what was poured at the prices of the time; null: neither is known',
    ),
  ),
  cost_minor: Nullable(
    minor('Cost of what was poured from kegs with a known cost, without tax; null: none has one'),
  ),
  uncosted_ml: { ...TotalMl, description: 'Poured from kegs without a known cost, in millilitres.' },
  waste_minor: Nullable(minor('Cost of what was spilled and lost by cleaning; null: not known')),
  margin_minor: Nullable(
    minor(
      'Income less cost and waste, all without tax; null while a cost or the income is not known, or nobody said whether the amounts of a till contain tax',
    ),
  ),
  pour_cost: Nullable(
    Type.Number({
      minimum: 0,
      description: 'Cost of what was poured ÷ income; null where one is not known.',
    }),
  ),
};

const MoneyJson = named(
  'Money',
  Closed(
    {
      first: { ...CalendarDate, description: 'First business day.' },
      last: { ...CalendarDate, description: 'Last business day.' },
      is_over: Type.Boolean({ description: 'False while the last day still runs.' }),
      currency: Type.String({ description: 'Currency of all amounts, ISO 4217.' }),
      total: Closed(moneyFields, { description: 'Of all beverages.' }),
      beverages: Type.Array(
        Closed(
          {
            beverage_id: BeverageId,
            name: Type.String({ description: 'Name of the beverage.' }),
            income_from: Nullable(
              Type.Enum(['till', 'prices'], {
                description: 'Where its income is from; null: no income is known.',
              }),
            ),
            ...moneyFields,
          },
          { description: 'Income and cost of a beverage.' },
        ),
        { description: 'By id.' },
      ),
      till: Type.Array(
        Closed(
          {
            kind: Type.Enum(['sale', 'void', 'refund', 'comp', 'staff', 'sample'], {
              description: 'Kind of the lines.',
            }),
            lines: Type.Integer({ minimum: 0, description: 'Lines of tills.' }),
            servings: Type.Number({ description: 'Servings; negative for what was taken back.' }),
            net_minor: minor('After discounts, without tax'),
          },
          { description: 'Lines of tills of a kind.' },
        ),
        { description: 'Lines of beverages on tap, by kind.' },
      ),
      tax_unknown_tills: Type.Array(
        Closed(
          { id: Id, name: Type.String({ description: 'Name of the till.' }) },
          { description: 'A till.' },
        ),
        {
          description:
            'Tills of which nobody said whether their amounts contain tax (`included_tax_basis_points` of `PATCH /api/tills/{id}`), while one of them sold any of it.',
        },
      ),
      left_in_kegs: Type.Array(
        Closed(
          {
            keg_id: Id,
            beverage: Type.String({ description: 'Name of the beverage.' }),
            left_ml: { ...TotalMl, description: 'What was left in millilitres.' },
            cost_minor: Nullable(minor('Its cost; null: not known')),
          },
          { description: 'A keg that ended with beer in it.' },
        ),
        { description: 'Kegs that ended in these days with half a litre or more.' },
      ),
      servings: Type.Array(
        Closed(
          {
            beverage_id: BeverageId,
            beverage: Type.String({ description: 'Name of the beverage.' }),
            serving_size_id: Id,
            liquid_ml: { ...TotalMl, description: 'Beer in the serving in millilitres.' },
            price_minor: minor('Present price, as guests see it'),
            net_price_minor: minor(
              'Price without the tax in it: that of the serving, else that of the tills; none where their amounts are without tax',
            ),
            cost_minor: Nullable(
              minor('Cost of the beer, from the last keg with a known cost; null: not known'),
            ),
            margin_minor: Nullable(minor('Price without tax less cost; null: not known')),
          },
          { description: 'What a serving costs and earns.' },
        ),
        { description: 'Servings of these beverages that have a price.' },
      ),
    },
    { description: 'Income and cost of business days. Not a fiscal record.' },
  ),
);

const getMoney = ({ servicesOf }: SalesRouteParts) =>
  defineRoute({
    id: 'getMoney',
    method: 'get',
    path: '/reports/money',
    summary: 'Income, cost and margin from `first` to `last` (at most 92 days). Default: today',
    description:
      'By beverage; with the margin of each serving, what tills recorded by kind, and what was left in ended kegs. Costs are those of ' +
      'the kegs (`PATCH /api/kegs/{id}/purchase`), without tax. All figures but the present prices are without tax. Nothing of it is a fiscal record.',
    access: 'staff',
    accepts: { query: SpanQuery },
    replies: { status: 200, body: Closed({ money: MoneyJson }) },
    run: ({ engine, now }, { query }) => ({ money: moneyJson(servicesOf(engine).money.span(query, now)) }),
  });

const getMoneyCsv = ({ servicesOf }: SalesRouteParts) =>
  defineRawRoute({
    id: 'getMoneyCsv',
    method: 'get',
    path: '/reports/money/csv',
    summary: 'Income, cost and margin from `first` to `last` as CSV, one line for each beverage and day',
    description:
      'For accountants: at most 92 days; days without anything have no line. Amounts are in the smallest unit of the currency, without tax. Not a fiscal record.',
    access: 'staff',
    accepts: { query: Open({ ...SpanQuery.properties, dialect: Maybe(CsvDialect) }) },
    mediaType: 'text/csv',
    async send({ engine, now }, { response }, { query: { dialect = 'standard', ...query } }) {
      const { days } = engine.reports.span(query, now);
      const csv = engine.reports.exports.csvDialect(dialect);
      const rows: (string | number | null)[][] = [];
      for (const {
        day: { date },
      } of days) {
        const view = servicesOf(engine).money.span({ first: date, last: date }, now);
        rows.push(...view.beverages.map((beverage) => csvRow(date, beverage, view.currency)));
        // A quarter of a year takes a Pi about a second.
        await yieldToEventLoop();
      }
      const [first, last] = [days[0]!.day.date, days.at(-1)!.day.date];
      sendCsv(response, `tapster-money-${first}-to-${last}`, [csvColumns, ...rows], csv);
    },
  });

/** Income and cost, for staff. */
export const moneyRoutes = (parts: SalesRouteParts) => [getMoney(parts), getMoneyCsv(parts)];

const csvColumns = [
  ...['date', 'beverage_id', 'beverage', 'poured_ml', 'spilled_ml', 'income_minor', 'income_from'],
  ...['cost_minor', 'uncosted_ml', 'waste_minor', 'margin_minor', 'currency'],
];

const csvRow = (date: string, beverage: MoneyView['beverages'][number], currency: string) => [
  ...[date, beverage.beverageId, beverage.name],
  ...[roundMl(beverage.pouredMl), roundMl(beverage.spilledMl), beverage.incomeMinor, beverage.incomeFrom],
  ...[beverage.costMinor, roundMl(beverage.uncostedMl), beverage.wasteMinor, marginMinor(beverage)],
  currency,
];

const sumsJson = (money: Money) => ({
  poured_ml: roundMl(money.pouredMl),
  spilled_ml: roundMl(money.spilledMl),
  income_minor: money.incomeMinor,
  cost_minor: money.costMinor,
  uncosted_ml: roundMl(money.uncostedMl),
  waste_minor: money.wasteMinor,
  margin_minor: marginMinor(money),
  pour_cost: pourCost(money),
});

const moneyJson = (view: MoneyView): Static<typeof MoneyJson> => ({
  first: view.first,
  last: view.last,
  is_over: view.isOver,
  currency: view.currency,
  total: sumsJson(view.total),
  beverages: view.beverages.map((beverage) => ({
    beverage_id: String(beverage.beverageId),
    name: beverage.name,
    income_from: beverage.incomeFrom,
    ...sumsJson(beverage),
  })),
  till: view.till.map(({ kind, lines, servings, netMinor }) => ({
    kind,
    lines,
    servings: Math.round(servings * 1_000) / 1_000,
    net_minor: netMinor,
  })),
  tax_unknown_tills: view.taxUnknownTills.map(({ id, name }) => ({ id, name })),
  left_in_kegs: view.leftInKegs.map(({ kegId, beverage, leftMl, costMinor }) => ({
    keg_id: kegId,
    beverage,
    left_ml: roundMl(leftMl),
    cost_minor: costMinor,
  })),
  servings: view.servings.map((serving) => ({
    beverage_id: String(serving.beverageId),
    beverage: serving.beverage,
    serving_size_id: serving.sizeId,
    liquid_ml: roundMl(serving.liquidMl),
    price_minor: serving.priceMinor,
    net_price_minor: serving.netPriceMinor,
    cost_minor: serving.costMinor,
    margin_minor: serving.marginMinor,
  })),
});
