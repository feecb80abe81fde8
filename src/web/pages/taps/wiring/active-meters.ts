import type { WiredMeter } from '../../../api/generated.ts';

/** A switching relay couples in one or two edges; a short pour makes more. */
const minEdges = 4;

/** Edges of each meter when the pour test started. */
export type Baseline = ReadonlyMap<string, number>;

/** A meter with new edges since the baseline. */
export interface ActiveMeter {
  readonly meter: WiredMeter;
  readonly edges: number;
  /** True when the edges look like bounce or interference, not like flow. */
  readonly isNoise: boolean;
}

const countEdges = ({ ticks, refused }: WiredMeter): number => ticks + refused;
const isNoise = ({ shape }: WiredMeter): boolean => shape === 'bounce' || shape === 'stray';

export const toBaseline = (meters: readonly WiredMeter[]): Baseline =>
  new Map(meters.map((meter) => [meter.name, countEdges(meter)]));

/** Meters with new edges since the baseline, most edges first, noise last; a meter added later counts from 0. */
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
