import { useId } from 'preact/hooks';
import type { BalanceVerdict } from '../../../api/generated.ts';
import { formatQuantity, formatShare, type Units, volume } from '../../../app/format.ts';
import { t } from '../../../locales/locale.ts';
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

export interface BalanceRow extends Figures {
  readonly key: string;
  readonly label: string;
}

interface BalanceTableProps {
  readonly title: string;
  readonly rowHeader: string;
  readonly rows: readonly BalanceRow[];
  readonly currency: string;
  readonly units: Units;
}

const none = '–';

/** Poured, sold, named parts and difference of beers, taps or weeks. Columns without any amount are left out. */
export function BalanceTable({ title, rowHeader, rows, currency, units }: BalanceTableProps) {
  const id = useId();
  const formatMl = (ml: number) => (ml === 0 ? none : formatQuantity(volume(ml, units)));
  const given = ({ comps_ml, staff_ml, samples_ml }: Figures) => comps_ml + staff_ml + samples_ml;
  const lost = ({ spilled_ml, cleaning_ml, drips_ml }: Figures) => spilled_ml + cleaning_ml + drips_ml;
  const columns = [
    { name: t('balance.poured'), format: (row: Figures) => formatMl(row.poured_ml) },
    { name: t('balance.sold'), format: (row: Figures) => formatMl(row.sold_ml) },
    { name: t('balance.given'), format: (row: Figures) => formatMl(given(row)) },
    { name: t('balance.lost'), format: (row: Figures) => formatMl(lost(row)) },
    {
      name: t('balance.difference'),
      format: (row: Figures) => (row.poured_ml + row.sold_ml === 0 ? none : verdictText(row.verdict, units)),
    },
    { name: t('balance.value'), format: (row: Figures) => verdictMoney(row.verdict, currency) ?? none },
    {
      name: t('balance.yield'),
      format: (row: Figures) =>
        row.yield === undefined || row.yield === null ? none : formatShare(row.yield),
    },
  ].filter(({ format }) => rows.some((row) => format(row) !== none));
  return (
    <div class="group">
      <h3 id={id}>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section class="card amounts-box" aria-labelledby={id} tabIndex={0}>
        <table class="amounts">
          <thead>
            <tr>
              <th scope="col">{rowHeader}</th>
              {columns.map(({ name }) => (
                <th key={name} scope="col" class="figure">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key}>
                <th scope="row">{row.label}</th>
                {columns.map(({ name, format }) => {
                  const figure = format(row);
                  return (
                    <td key={name} class="figure" data-label={name} data-none={figure === none}>
                      {figure}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
