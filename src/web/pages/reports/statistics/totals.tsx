import { toHref } from '../../../app/routing.ts';

/** A figure with its label. */
export interface Total {
  readonly label: string;
  readonly value: string;
  /** Path of the page of what the figure is about. */
  readonly path?: string;
}

/** A card of figures. */
export function Totals({ totals }: { readonly totals: readonly Total[] }) {
  return (
    <dl class="totals card">
      {totals.map(({ label, value, path }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{path === undefined ? value : <a href={toHref(path)}>{value}</a>}</dd>
        </div>
      ))}
    </dl>
  );
}
