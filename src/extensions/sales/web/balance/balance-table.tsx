import type { BalanceVerdict } from '../../../../web/api/generated.ts';
import { formatQuantity, formatShare, type Units, volume } from '../../../../web/app/format.ts';
import { type FigureRow, FigureTable, noFigure } from '../../../../web/components/figure-table.tsx';
import { t } from '../../../../web/locales/locale.ts';
import { verdictMoney, verdictText } from './verdict-text.ts';

/** The figures of a row. */
interface Figures {
  readonly poured_ml: number;
  readonly sold_ml: number;
  readonly comps_ml: number;
  readonly staff_ml: number;
  readonly samples_ml: number;
  readonly spilled_ml: number;
  readonly cleaning_ml: number;
  readonly drips_ml: number;
  readonly yield?: number | null;
  readonly verdict: BalanceVerdict;
}

type BalanceRow = FigureRow & Figures;

interface BalanceTableProps {
  readonly title: string;
  readonly rowHeader: string;
  readonly rows: readonly BalanceRow[];
  readonly currency: string;
  readonly units: Units;
}

/** Poured, sold, named parts and difference of beers, taps or weeks. Columns without any amount are left out. */
export function BalanceTable({ title, rowHeader, rows, currency, units }: BalanceTableProps) {
  const formatMl = (ml: number) => (ml === 0 ? noFigure : formatQuantity(volume(ml, units)));
  const given = ({ comps_ml, staff_ml, samples_ml }: Figures) => comps_ml + staff_ml + samples_ml;
  const lost = ({ spilled_ml, cleaning_ml, drips_ml }: Figures) => spilled_ml + cleaning_ml + drips_ml;
  const columns = [
    { name: t('balance.poured'), format: (row: Figures) => formatMl(row.poured_ml) },
    { name: t('balance.sold'), format: (row: Figures) => formatMl(row.sold_ml) },
    { name: t('balance.given'), format: (row: Figures) => formatMl(given(row)) },
    { name: t('balance.lost'), format: (row: Figures) => formatMl(lost(row)) },
    {
      name: t('balance.difference'),
      format: (row: Figures) =>
        row.poured_ml + row.sold_ml === 0 ? noFigure : verdictText(row.verdict, units),
    },
    { name: t('balance.value'), format: (row: Figures) => verdictMoney(row.verdict, currency) ?? noFigure },
    {
      name: t('balance.yield'),
      format: (row: Figures) =>
        row.yield === undefined || row.yield === null ? noFigure : formatShare(row.yield),
    },
  ].filter(({ format }) => rows.some((row) => format(row) !== noFigure));
  return <FigureTable<BalanceRow> title={title} rowHeader={rowHeader} columns={columns} rows={rows} />;
}
