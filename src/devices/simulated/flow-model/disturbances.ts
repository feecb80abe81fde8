import type { Random } from './random.ts';
import type { Disturbance } from './scenario.ts';

/** An edge that follows another by bounce is at most one of so many. */
const mostBounces = 3;

/** The edges that a disturbance adds to those of the wheel. */
export function disturb(disturbance: Disturbance, wheel: readonly number[], random: Random): number[] {
  switch (disturbance.kind) {
    case 'burst':
      return burst(disturbance, random);
    case 'mains':
      return mains(disturbance, random);
    case 'bounce':
      return bounce(disturbance, wheel, random);
  }
}

/** The edges of another line that a cable picks up: a share of them, a little later. */
export function crosstalk(
  stampsMs: ArrayLike<number>,
  { share, lagMs }: { readonly share: number; readonly lagMs: number },
  random: Random,
): Float64Array {
  const picked: number[] = [];
  for (let i = 0; i < stampsMs.length; i++) {
    if (random.next() < share) picked.push(stampsMs[i]! + lagMs * random.next());
  }
  return Float64Array.from(picked).sort();
}

/** Merges edges of two sources into one line. */
export const mergeEdges = (a: ArrayLike<number>, b: ArrayLike<number>): Float64Array =>
  Float64Array.from([...Array.from(a), ...Array.from(b)]).sort();

function burst({ atMs, durationMs, hz }: Extract<Disturbance, { kind: 'burst' }>, random: Random): number[] {
  const edges: number[] = [];
  const endMs = atMs + durationMs;
  for (let at = atMs + random.exponential(1_000 / hz); at < endMs; at += random.exponential(1_000 / hz)) {
    edges.push(at);
  }
  return edges;
}

function mains({ atMs, durationMs, hz }: Extract<Disturbance, { kind: 'mains' }>, random: Random): number[] {
  const periodMs = 1_000 / hz;
  const first = atMs + random.between(0, periodMs);
  const count = Math.max(0, Math.ceil((atMs + durationMs - first) / periodMs));
  return Array.from({ length: count }, (_, i) => first + i * periodMs);
}

function bounce(
  { share, withinMs }: Extract<Disturbance, { kind: 'bounce' }>,
  wheel: readonly number[],
  random: Random,
): number[] {
  return wheel.flatMap((at) => {
    const edges: number[] = [];
    while (edges.length < mostBounces && random.next() < share) edges.push(at + random.between(0, withinMs));
    return edges;
  });
}
