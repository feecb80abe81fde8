import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { toHref } from '../../../app/routing.ts';
import { locale, t } from '../../../locales/locale.ts';
import '../../../styles/reports/chart.css';
import { dayAndHour } from './local-day.ts';
import { isOnlyPoint } from './only-point.ts';
import { timeSpan } from './time-span.ts';

/** Height of every chart, CSS pixels. */
const height = 240;

/** One point of a chart and its row in the table; `y` null leaves a gap. */
export interface Point {
  /** Unix seconds on a time axis, else the bar's index from 0. */
  readonly x: number;
  readonly y: number | null;
  /** Row header in the table. */
  readonly name: string;
  /** Formatted value with its unit. */
  readonly value: string;
  /** Path of the page of what the row is about. */
  readonly path?: string;
}

interface ChartProps {
  /** Text alternative for screen readers. */
  readonly label: string;
  readonly points: readonly Point[];
  readonly kind: 'line' | 'steps' | 'bars';
  /** Unit shown at the y axis. */
  readonly unit: string;
  /** Header of the table's first column. */
  readonly nameHeader: string;
  /** Header of the second column; volume by default. */
  readonly valueHeader?: string;
  readonly timeZone: string;
  /** Labels below the bars; without them the x axis shows times. */
  readonly barNames?: readonly string[];
}

/** A chart in the page's colours, and the same values as a table. */
export function Chart(props: ChartProps) {
  const { label, points, nameHeader, unit, valueHeader = t('common.volume') } = props;
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = container.current;
    if (!element) return;
    let plot = createPlot(element, props);
    const recreate = () => {
      plot.destroy();
      plot = createPlot(element, props);
    };
    const themeObserver = new MutationObserver(recreate);
    themeObserver.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const resizeObserver = new ResizeObserver(() => {
      const width = element.clientWidth;
      if (width > 0 && width !== plot.width) plot.setSize({ width, height });
    });
    resizeObserver.observe(element);
    return () => {
      themeObserver.disconnect();
      resizeObserver.disconnect();
      plot.destroy();
    };
  }, [points, props.kind, unit]);
  return (
    <figure class="chart">
      <div ref={container} class="chart-box" role="img" aria-label={label} />
      <details class="chart-table">
        <summary>{t('common.asTable')}</summary>
        <DataTable points={points} nameHeader={nameHeader} valueHeader={valueHeader} label={label} />
      </details>
    </figure>
  );
}

function DataTable({
  points,
  nameHeader,
  valueHeader,
  label,
}: Pick<ChartProps, 'points' | 'nameHeader' | 'valueHeader' | 'label'>): JSX.Element {
  return (
    // A box that scrolls must be reachable by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is, only with a tabindex.
    <section class="table-box" aria-label={label} tabIndex={0}>
      <table>
        <caption class="visually-hidden">{label}</caption>
        <thead>
          <tr>
            <th scope="col">{nameHeader}</th>
            <th scope="col" class="figure">
              {valueHeader}
            </th>
          </tr>
        </thead>
        <tbody>
          {points.map(({ x, name, value, path }) => (
            <tr key={x}>
              <th scope="row">{path === undefined ? name : <a href={toHref(path)}>{name}</a>}</th>
              <td class="figure">{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function createPlot(element: HTMLElement, { points, kind, unit, timeZone, barNames }: ChartProps): uPlot {
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const line = color('--brass-line');
  const font = `${style.fontSize} ${style.fontFamily}`;
  const axis = { stroke: color('--ink-soft'), font, grid: { stroke: color('--line'), width: 1 } };
  const paths =
    kind === 'bars'
      ? uPlot.paths.bars?.({ size: [0.7, 64], radius: 0.15 })
      : kind === 'steps'
        ? uPlot.paths.stepped?.({ align: 1 })
        : undefined;
  const options: uPlot.Options = {
    width: Math.max(200, element.clientWidth),
    height,
    legend: { show: false },
    cursor: { show: false },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), timeZone),
    scales: {
      x:
        barNames === undefined
          ? { time: true, range: timeRange(points) }
          : { time: false, range: [-0.5, barNames.length - 0.5] },
      ...(kind !== 'line' && { y: { range: rangeFromZero } }),
    },
    axes: [
      {
        ...axis,
        ...(barNames === undefined
          ? { values: (_plot, ticks) => timeLabels(ticks, timeZone) }
          : {
              grid: { show: false },
              ticks: { show: false },
              splits: () => barNames.map((_name, index) => index),
              values: (plot) => thinLabels(barNames, plot.width),
            }),
      },
      {
        ...axis,
        size: axisWidth(unit),
        values: (_plot, ticks) => ticks.map((tick) => `${numberFormat.format(tick)} ${unit}`),
      },
    ],
    series: [
      {},
      {
        stroke: line,
        width: kind === 'bars' ? 0 : 2.5,
        fill: kind === 'line' ? 'transparent' : kind === 'bars' ? line : `${line}33`,
        points: {
          show: isOnlyPoint(
            kind,
            points.map(({ y }) => y),
          ),
          size: 8,
          fill: line,
        },
        ...(paths && { paths }),
      },
    ],
  };
  return new uPlot(options, [points.map(({ x }) => x), points.map(({ y }) => y)], element);
}

/** Ticks may be a quarter of a litre apart. */
const numberFormat = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 });

/** Width of the y axis: a unit such as mL/s needs more than one such as L. */
const axisWidth = (unit: string): number => (unit.length > 2 ? 84 : 64);

/** Range of the time axis; for a single reading uPlot would choose years. */
function timeRange(points: readonly Point[]): uPlot.Range.MinMax {
  const now = Date.now() / 1000;
  return timeSpan(points[0]?.x ?? now, points.at(-1)?.x ?? now, now);
}

/** Volume axes start at 0; an empty chart still gets a scale. */
const rangeFromZero = (_plot: uPlot, _min: number | null, max: number | null): uPlot.Range.MinMax => [
  0,
  max === null || max <= 0 ? 1 : max * 1.08,
];

/** Every label where the width allows it, else every second, third … */
function thinLabels(barNames: readonly string[], width: number): string[] {
  const capacity = Math.max(1, Math.floor((width - 64) / 62));
  const step = Math.ceil(barNames.length / capacity);
  return barNames.map((name, index) => (index % step === 0 ? name : ''));
}

/** Labels of the time axis: days when the ticks are a day or more apart, else times of day, and the day at midnight. */
function timeLabels(ticks: readonly number[], timeZone: string): string[] {
  const isByDay = (ticks[1] ?? 0) - (ticks[0] ?? 0) >= 86_400;
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone });
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone });
  const isMidnight = (ms: number) => ms % 3_600_000 === 0 && dayAndHour(ms, timeZone).hour === 0;
  return ticks.map((tick) => (isByDay || isMidnight(tick * 1000) ? day : time).format(tick * 1000));
}
