import type { ComponentChildren } from 'preact';
import { formatQuantity, type Units, volume } from '../../app/format.ts';

/** A row of a list of volumes. */
export interface ShareRow {
  readonly key: string | number;
  readonly name: ComponentChildren;
  readonly volumeMl: number;
  readonly note?: string;
}

interface ShareRowsProps {
  readonly rows: readonly ShareRow[];
  readonly units: Units;
  readonly label: string;
}

/** A list of volumes, each with a bar in proportion to the largest. */
export function ShareRows({ rows, units, label }: ShareRowsProps) {
  const largest = Math.max(1, ...rows.map(({ volumeMl }) => volumeMl));
  return (
    <ul class="rows shares" aria-label={label}>
      {rows.map(({ key, name, volumeMl, note }) => (
        <li key={key}>
          <div class="row-text">
            <p class="row-name">{name}</p>
            {note !== undefined && <p class="soft">{note}</p>}
          </div>
          <p class="row-figure">{formatQuantity(volume(volumeMl, units))}</p>
          <meter class="share" min={0} max={largest} value={volumeMl} aria-hidden="true" />
        </li>
      ))}
    </ul>
  );
}
