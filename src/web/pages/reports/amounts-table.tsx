import type { SnapshotMessage } from '../../../http/live/shapes.ts';
import type { BusinessSpan } from '../../api/generated.ts';
import { formatMoney, formatQuantity, formatShare, volume } from '../../app/format.ts';
import { type FigureRow, FigureTable, noFigure } from '../../components/figure-table.tsx';
import { locale, t } from '../../locales/locale.ts';

/** Totals of a tap, a keg or a day. */
type Amounts = Omit<BusinessSpan['days'][number], 'date'>;

/** One row: label, optional link and totals. */
type AmountsRow = FigureRow & Amounts;

interface AmountsTableProps {
  readonly title: string;
  /** Header of the first column: tap, keg or day. */
  readonly rowHeader: string;
  readonly rows: readonly AmountsRow[];
  readonly currency: string;
  readonly snapshot: SnapshotMessage;
}

const integerFormat = new Intl.NumberFormat(locale);

/** A table of totals. Columns without any amount are left out; on a phone each row is a block with labelled figures. */
export function AmountsTable({ title, rowHeader, rows, currency, snapshot }: AmountsTableProps) {
  const formatMl = (amount: number) => (amount === 0 ? noFigure : formatQuantity(volume(amount, snapshot)));
  const columns = [
    {
      name: t('reports.drinks'),
      format: (row: Amounts) => integerFormat.format(row.drinks),
      isShown: () => true,
    },
    { name: t('reports.poured'), format: (row: Amounts) => formatMl(row.poured_ml), isShown: () => true },
    {
      name: t('reports.uncertainty'),
      format: (row: Amounts) =>
        row.poured_ml === 0 ? noFigure : `±${formatShare(row.poured_uncertainty_ml / row.poured_ml)}`,
      isShown: (row: Amounts) => row.poured_ml > 0,
    },
    {
      name: t('reports.spilled'),
      format: (row: Amounts) => formatMl(row.spilled_ml),
      isShown: (row: Amounts) => row.spills > 0,
    },
    {
      name: t('reports.held'),
      format: (row: Amounts) => formatMl(row.held_ml),
      isShown: (row: Amounts) => row.held > 0,
    },
    {
      name: t('reports.takings'),
      format: (row: Amounts) => (row.revenue === null ? noFigure : formatMoney(row.revenue, currency)),
      isShown: (row: Amounts) => row.revenue !== null,
    },
    {
      name: t('reports.unpricedColumn'),
      format: (row: Amounts) => formatMl(row.unpriced_ml),
      // Without any price the column would repeat the poured volume.
      isShown: (row: Amounts) => row.unpriced > 0 && rows.some(({ revenue }) => revenue !== null),
    },
  ].filter(({ isShown }) => rows.some(isShown));
  return <FigureTable<AmountsRow> title={title} rowHeader={rowHeader} columns={columns} rows={rows} />;
}
