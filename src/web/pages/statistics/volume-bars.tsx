import { useMemo } from 'preact/hooks';
import type { HouseMessage } from '../../../http/live/shapes.ts';
import { inWords, volume } from '../../format.ts';
import { Chart } from './chart.tsx';
import { inUnits } from './volume-axis.ts';

/** One bar: its name and its millilitres. */
export interface VolumeBar {
  readonly name: string;
  readonly ml: number;
}

interface VolumeBarsProps {
  readonly label: string;
  /** What the bars are of: days, hours, people. */
  readonly of: string;
  readonly bars: readonly VolumeBar[];
  readonly app: HouseMessage;
}

/** Volumes side by side, in the units of the house. */
export function VolumeBars({ label, of, bars, app }: VolumeBarsProps) {
  const { unit, factor } = inUnits(app, Math.max(0, ...bars.map(({ ml }) => ml)));
  const key = JSON.stringify([bars, unit]);
  const points = useMemo(
    () => bars.map(({ name, ml }, x) => ({ x, y: ml * factor, name, value: inWords(volume(ml, app)) })),
    [key],
  );
  return (
    <Chart
      kind="bars"
      label={label}
      of={of}
      unit={unit}
      points={points}
      names={bars.map(({ name }) => name)}
      timeZone={app.time_zone}
    />
  );
}
