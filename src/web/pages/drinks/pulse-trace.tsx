import { t } from '../../locales/locale.ts';

const width = 300;
const height = 60;

/** Ticks from `ms` after the first tick until the next step. */
interface TraceStep {
  readonly ms: number;
  readonly ticks: number;
}

/** Chart of the flow during a pour; renders nothing when the source has no tick times. */
export function PulseTrace({ series: points }: { readonly series: readonly TraceStep[] }) {
  if (points.length < 2) return null;
  const lastMs = Math.max(1, points.at(-1)!.ms);
  const maxTicks = Math.max(1, ...points.map(({ ticks }) => ticks));
  const barWidth = width / points.length;
  return (
    <svg
      class="trace"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('heldPours.flow')}
    >
      {points.map(({ ms, ticks }) => {
        const barHeight = (ticks / maxTicks) * height;
        return (
          <rect
            key={ms}
            x={(ms / lastMs) * (width - barWidth)}
            y={height - barHeight}
            width={barWidth * 0.85}
            height={barHeight}
          />
        );
      })}
    </svg>
  );
}
