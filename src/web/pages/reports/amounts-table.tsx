import { useId } from 'preact/hooks';
import type { HouseMessage } from '../../../http/live/shapes.ts';
import { toHref } from '../../current-path.ts';
import { inWords, volume } from '../../format.ts';
import { money } from '../../money.ts';
import { words } from '../../words/reports.ts';
import { locale } from '../../words/say.ts';
import type { Amounts } from './spans.ts';

/** One line: what it is about, where that has a page, and its sums. */
export interface AmountsRow extends Amounts {
  readonly key: string;
  readonly label: string;
  readonly path?: string;
}

interface AmountsTableProps {
  readonly title: string;
  /** What the lines are about: taps, kegs, days. */
  readonly of: string;
  readonly rows: readonly AmountsRow[];
  readonly currency: string;
  readonly app: HouseMessage;
}

const whole = new Intl.NumberFormat(locale);
const none = '–';

/** Sums side by side. Columns in which nobody has anything are left out; on a phone the rest is moved sideways. */
export function AmountsTable({ title, of, rows, currency, app }: AmountsTableProps) {
  const id = useId();
  const ml = (amount: number) => (amount === 0 ? none : inWords(volume(amount, app)));
  const columns = [
    { name: words.drinks, show: (row: Amounts) => whole.format(row.drinks), has: () => true },
    { name: words.poured, show: (row: Amounts) => ml(row.poured_ml), has: () => true },
    {
      name: words.spilled,
      show: (row: Amounts) => ml(row.spilled_ml),
      has: (row: Amounts) => row.spills > 0,
    },
    { name: words.held, show: (row: Amounts) => ml(row.held_ml), has: (row: Amounts) => row.held > 0 },
    {
      name: words.takings,
      show: (row: Amounts) => (row.revenue === null ? none : money(row.revenue, currency)),
      has: (row: Amounts) => row.revenue !== null,
    },
  ].filter(({ has }) => rows.some(has));
  return (
    <div class="group">
      <h3 id={id}>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled must be reached by keyboard */}
      <section class="card amounts-box" aria-labelledby={id} tabIndex={0}>
        <table class="amounts">
          <thead>
            <tr>
              <th scope="col">{of}</th>
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
                <th scope="row">{row.path ? <a href={toHref(row.path)}>{row.label}</a> : row.label}</th>
                {columns.map(({ name, show }) => (
                  <td key={name} class="figure">
                    {show(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
