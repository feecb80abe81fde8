import type { WiredMeter } from '../../api/operations.ts';

/** A relay that clicks makes one edge or two; a sip of beer makes more. */
const leastEdges = 4;

/** Edges of each meter when the listening began. */
export type Baseline = ReadonlyMap<string, number>;

/** A meter that has moved since then. */
export interface Ticking {
  readonly meter: WiredMeter;
  readonly edges: number;
  /** True when what moves it is no beer. */
  readonly isNoise: boolean;
}

const edgesOf = ({ ticks, refused }: WiredMeter): number => ticks + refused;
const isNoise = ({ shape }: WiredMeter): boolean => shape === 'bounce' || shape === 'stray';

export const baselineOf = (meters: readonly WiredMeter[]): Baseline =>
  new Map(meters.map((meter) => [meter.name, edgesOf(meter)]));

/** Which meters have ticked since `from`, the busiest first and noise last; one that came later counts from nothing. */
export function tickingSince(from: Baseline, meters: readonly WiredMeter[]): readonly Ticking[] {
  return meters
    .map((meter) => ({
      meter,
      edges: edgesOf(meter) - (from.get(meter.name) ?? 0),
      isNoise: isNoise(meter),
    }))
    .filter(({ edges }) => edges >= leastEdges)
    .toSorted((a, b) => Number(a.isNoise) - Number(b.isNoise) || b.edges - a.edges);
}
