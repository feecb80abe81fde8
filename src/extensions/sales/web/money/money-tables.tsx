import type { Result } from '../../../../web/api/client.ts';
import {
  formatPriceMinor,
  formatQuantity,
  formatServing,
  formatShare,
  type Units,
  volume,
} from '../../../../web/app/format.ts';
import { type FigureRow, FigureTable, noFigure } from '../../../../web/components/figure-table.tsx';
import { locale, t } from '../../../../web/locales/locale.ts';
import { formatAmount, kindText } from '../sales-data.ts';

type Money = Result<'GET /reports/money'>['money'];

interface TableProps {
  readonly currency: string;
  readonly units: Units;
}

const numberFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const formatMl = (ml: number, units: Units): string =>
  ml === 0 ? noFigure : formatQuantity(volume(ml, units));

interface BeverageMoneyTableProps extends TableProps {
  readonly beverages: Money['beverages'];
}

/** Income, cost and margin of each beverage. */
export function BeverageMoneyTable({ beverages, currency, units }: BeverageMoneyTableProps) {
  type Row = FigureRow & Money['beverages'][number];
  return (
    <FigureTable<Row>
      title={t('balance.byBeverage')}
      rowHeader={t('balance.beverage')}
      columns={[
        { name: t('balance.poured'), format: (row) => formatMl(row.poured_ml, units) },
        {
          name: t('money.income'),
          format: (row) =>
            row.income_from === 'prices'
              ? t('money.atPrices', { sum: formatAmount(row.income_minor, currency) })
              : formatAmount(row.income_minor, currency),
        },
        { name: t('money.cost'), format: (row) => formatAmount(row.cost_minor, currency) },
        { name: t('money.waste'), format: (row) => formatAmount(row.waste_minor, currency) },
        { name: t('money.margin'), format: (row) => formatAmount(row.margin_minor, currency) },
        {
          name: t('money.pourCost'),
          format: (row) => (row.pour_cost === null ? noFigure : formatShare(row.pour_cost)),
        },
      ]}
      rows={beverages.map((row) => ({
        ...row,
        key: row.beverage_id,
        label: row.name,
        path: `/beers/${row.beverage_id}`,
      }))}
    />
  );
}

interface TillTableProps {
  readonly till: Money['till'];
  readonly currency: string;
}

/** What tills recorded, by kind. */
export function TillTable({ till, currency }: TillTableProps) {
  type Row = FigureRow & Money['till'][number];
  return (
    <FigureTable<Row>
      title={t('money.till')}
      rowHeader={t('sales.kind')}
      columns={[
        { name: t('money.lines'), format: (row) => numberFormat.format(row.lines) },
        { name: t('money.servings'), format: (row) => numberFormat.format(row.servings) },
        { name: t('money.income'), format: (row) => formatPriceMinor(row.net_minor, currency) },
      ]}
      rows={till.map((row) => ({ ...row, key: row.kind, label: kindText(row.kind) }))}
    />
  );
}

interface LeftInKegsTableProps extends TableProps {
  readonly kegs: Money['left_in_kegs'];
}

/** Kegs that ended with beer in them. */
export function LeftInKegsTable({ kegs, currency, units }: LeftInKegsTableProps) {
  type Row = FigureRow & Money['left_in_kegs'][number];
  return (
    <FigureTable<Row>
      title={t('money.leftInKegs')}
      rowHeader={t('reports.keg')}
      columns={[
        { name: t('money.left'), format: (row) => formatMl(row.left_ml, units) },
        { name: t('money.cost'), format: (row) => formatAmount(row.cost_minor, currency) },
      ]}
      rows={kegs.map((row) => ({
        ...row,
        key: String(row.keg_id),
        label: t('reports.kegOf', { beverage: row.beverage, id: row.keg_id }),
        path: `/kegs/${row.keg_id}`,
      }))}
    />
  );
}

interface ServingTableProps extends TableProps {
  readonly servings: Money['servings'];
}

/** What each serving earns at its present price. */
export function ServingTable({ servings, currency, units }: ServingTableProps) {
  type Row = FigureRow & Money['servings'][number];
  return (
    <FigureTable<Row>
      title={t('money.byServing')}
      rowHeader={t('money.serving')}
      columns={[
        { name: t('money.price'), format: (row) => formatPriceMinor(row.price_minor, currency) },
        { name: t('money.netPrice'), format: (row) => formatPriceMinor(row.net_price_minor, currency) },
        { name: t('money.cost'), format: (row) => formatAmount(row.cost_minor, currency) },
        { name: t('money.margin'), format: (row) => formatAmount(row.margin_minor, currency) },
        {
          name: t('money.marginShare'),
          format: (row) =>
            row.margin_minor === null || row.net_price_minor === 0
              ? noFigure
              : formatShare(row.margin_minor / row.net_price_minor),
        },
      ]}
      rows={servings.map((row) => ({
        ...row,
        key: `${row.beverage_id} ${row.serving_size_id}`,
        label: `${row.beverage} · ${formatServing(row.liquid_ml, units)}`,
      }))}
    />
  );
}
