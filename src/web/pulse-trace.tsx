import { say } from './words/say.ts';

const width = 300;
const height = 60;

/** Flow over the time of one pour, from its tick series `<ms>:<ticks>`; nothing where the source kept none. */
export function PulseTrace({ series }: { readonly series: string | null }) {
  const points = (series ?? '')
    .split(/[\s,;]+/)
    .map((entry) => entry.split(':').map(Number))
    .filter((entry): entry is [number, number] => entry.length === 2 && entry.every(Number.isFinite));
  if (points.length < 2) return null;
  const lastMs = Math.max(1, points.at(-1)![0]);
  const most = Math.max(1, ...points.map(([, ticks]) => ticks));
  const bar = Math.max(1, width / Math.max(points.length, 40));
  return (
    <svg
      class="trace"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={say.heldFlow}
    >
      {points.map(([ms, ticks]) => {
        const tall = (ticks / most) * height;
        return (
          <rect
            key={ms}
            x={(ms / lastMs) * (width - bar)}
            y={height - tall}
            width={bar * 0.85}
            height={tall}
          />
        );
      })}
    </svg>
  );
}
