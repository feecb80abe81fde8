import { useId } from 'preact/hooks';
import { toHref } from '../app/routing.ts';
import '../styles/reports/reports.css';

/** What a cell without an amount shows. */
export const noFigure = '–';

export interface FigureRow {
  readonly key: string;
  readonly label: string;
  /** The label leads to this page. */
  readonly path?: string;
}

export interface FigureColumn<R extends FigureRow> {
  readonly name: string;
  /** The text of a cell; `noFigure` without an amount. */
  format(row: R): string;
}

interface FigureTableProps<R extends FigureRow> {
  readonly title: string;
  /** Header of the first column. */
  readonly rowHeader: string;
  readonly columns: readonly FigureColumn<R>[];
  readonly rows: readonly R[];
}

/** A table of figures; on a phone each row is a block with labelled figures. */
export function FigureTable<R extends FigureRow>({ title, rowHeader, columns, rows }: FigureTableProps<R>) {
  const id = useId();
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
                <th scope="row">{row.path ? <a href={toHref(row.path)}>{row.label}</a> : row.label}</th>
                {columns.map(({ name, format }) => {
                  const figure = format(row);
                  return (
                    <td key={name} class="figure" data-label={name} data-none={figure === noFigure}>
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
