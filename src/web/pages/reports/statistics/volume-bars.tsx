import { useMemo } from 'preact/hooks';
import type { SnapshotMessage } from '../../../../http/live/shapes.ts';
import { formatQuantity, volume } from '../../../app/format.ts';
import { volumeAxis } from '../../../app/volume-units.ts';
import { Chart } from './chart.tsx';

/** One bar: label and volume. */
export interface VolumeBar {
  readonly name: string;
  readonly ml: number;
  /** Path of the page of what the bar is about; a link in the table. */
  readonly path?: string;
}

interface VolumeBarsProps {
  readonly label: string;
  /** Header of the table's first column: day, hour, user. */
  readonly nameHeader: string;
  readonly bars: readonly VolumeBar[];
  readonly snapshot: SnapshotMessage;
}

/** Bar chart of volumes in the site's units. */
export function VolumeBars({ label, nameHeader, bars, snapshot }: VolumeBarsProps) {
  const { unit, factor } = volumeAxis(snapshot, Math.max(0, ...bars.map(({ ml }) => ml)));
  const key = JSON.stringify([bars, unit]);
  const points = useMemo(
    () =>
      bars.map(({ name, ml, path }, x) => ({
        x,
        y: ml * factor,
        name,
        value: formatQuantity(volume(ml, snapshot)),
        ...(path !== undefined && { path }),
      })),
    [key],
  );
  return (
    <Chart
      kind="bars"
      label={label}
      nameHeader={nameHeader}
      unit={unit}
      points={points}
      barNames={bars.map(({ name }) => name)}
      timeZone={snapshot.time_zone}
    />
  );
}
