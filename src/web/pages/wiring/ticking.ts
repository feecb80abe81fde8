import type { WiredMeter } from '../../api/operations.ts';

/** A relay that clicks makes one edge or two; a sip of beer makes more. */
const leastEdges = 4;

/** Edges of each meter when the listening began. */
export type Baseline = ReadonlyMap<string, number>;

/** A meter that has moved since then. */
export interface Ticking {
  readonly meter: WiredMeter;
  readonly edges: number;
}

const edgesOf = ({ ticks, refused }: WiredMeter): number => ticks + refused;

export const baselineOf = (meters: readonly WiredMeter[]): Baseline =>
  new Map(meters.map((meter) => [meter.name, edgesOf(meter)]));

/** Which meters have ticked since `from`, the busiest first; one that came later counts from nothing. */
export function tickingSince(from: Baseline, meters: readonly WiredMeter[]): readonly Ticking[] {
  return meters
    .map((meter) => ({ meter, edges: edgesOf(meter) - (from.get(meter.name) ?? 0) }))
    .filter(({ edges }) => edges >= leastEdges)
    .toSorted((a, b) => b.edges - a.edges);
}
