import type { WiredMeter } from '../../api/operations.ts';

/** A relay that clicks makes one edge or two; a sip of beer makes more. */
const minEdges = 4;

/** Edges of each meter when the listening began. */
export type Baseline = ReadonlyMap<string, number>;

/** A meter that has moved since then. */
export interface ActiveMeter {
  readonly meter: WiredMeter;
  readonly edges: number;
  /** True when what moves it is no beer. */
  readonly isNoise: boolean;
}

const countEdges = ({ ticks, refused }: WiredMeter): number => ticks + refused;
const isNoise = ({ shape }: WiredMeter): boolean => shape === 'bounce' || shape === 'stray';

export const toBaseline = (meters: readonly WiredMeter[]): Baseline =>
  new Map(meters.map((meter) => [meter.name, countEdges(meter)]));

/** Which meters have ticked since `from`, the busiest first and noise last; one that came later counts from nothing. */
export function findActiveMeters(baseline: Baseline, meters: readonly WiredMeter[]): readonly ActiveMeter[] {
  return meters
    .map((meter) => ({
      meter,
      edges: countEdges(meter) - (baseline.get(meter.name) ?? 0),
      isNoise: isNoise(meter),
    }))
    .filter(({ edges }) => edges >= minEdges)
    .toSorted((a, b) => Number(a.isNoise) - Number(b.isNoise) || b.edges - a.edges);
}
