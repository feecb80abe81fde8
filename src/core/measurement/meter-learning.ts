/** Kinds of evidence of a meter's factor that the base finds. */
export const baseEvidenceKinds = [
  'pours', // calibration pours, combined into one factor
  'weighed_keg', // a keg that was weighed at the start, at the end, or both
  'emptied_keg', // a keg that ran dry, by its stated volume
] as const;

/** What a piece of evidence is about a meter's factor: also what an extension adds, as other programs read it. */
export type EvidenceKind = (typeof baseEvidenceKinds)[number] | 'scale'; // pours of a keg that stood on a scale

/** One measurement of a meter's factor. */
export interface Evidence {
  readonly kind: EvidenceKind;
  readonly ticks: number;
  readonly volumeMl: number;
  /** Standard uncertainty, as a share. */
  readonly u: number;
  /**
   * Kegs of one size and brewery are filled alike, too much or too little, and those on one scale are weighed alike; null where nothing is
   * shared.
   */
  readonly fillGroup: string | null;
  /** Unix milliseconds. */
  readonly timeMs: number;
}

/** A piece of evidence with what the learning made of it. */
export interface AssessedEvidence<T extends Evidence = Evidence> {
  readonly evidence: T;
  /** Difference from what was expected before it, as a multiple of its standard deviation. */
  readonly deviation: number;
  /** The same difference as a share: -0.5 is half of the ticks. */
  readonly difference: number;
  /** False when it differs too much from what was known: it is not used. */
  readonly isAccepted: boolean;
}

/** A factor from all evidence. */
export interface LearnedFactor<T extends Evidence = Evidence> {
  readonly ticksPerMl: number;
  /** Standard uncertainty, as a share. */
  readonly uFactor: number;
  readonly steps: readonly AssessedEvidence<T>[];
  /** What kegs of a group contain more than is stated, as a share; negative: less. */
  readonly fillBias: ReadonlyMap<string, number>;
}

interface Prior {
  readonly ticksPerMl: number;
  /** Standard uncertainty before any evidence, as a share. */
  readonly uFactor: number;
}

/** Kegs of a brewery hold what is stated, give or take this share. */
const uFillBias = 0.005;
/** Random walk of the factor: bearings wear and scale settles. */
export const uDriftPerMonth = 0.003;
export const monthMs = 30.44 * 24 * 3_600_000;
/** Evidence further from what is expected is wrong: another keg size, a keg swapped without being reported. */
export const rejectAbove = 3;

/** Difference from the present factor from which a new one is worth offering, as a share. */
const minOffer = 0.005;

/**
 * Kalman filter of the logarithm of the factor and of the fill bias of each group of kegs. `y = ln(ticks / volume)` is `ln K`,
 * for an emptied keg plus the bias of its group: a keg with more beer than stated gives more ticks. Evidence is taken in the
 * order of its times.
 */
export function learnFactor<T extends Evidence>(
  evidence: readonly T[],
  prior: Prior,
  nowMs: number = Number.NEGATIVE_INFINITY,
): LearnedFactor<T> {
  const ordered = evidence
    .filter(({ ticks, volumeMl }) => ticks > 0 && volumeMl > 0)
    .toSorted((a, b) => a.timeMs - b.timeMs);
  const groups = [...new Set(ordered.flatMap(({ fillGroup }) => fillGroup ?? []))];
  const filter = createFilter(prior, groups.length);
  const steps: AssessedEvidence<T>[] = [];
  let lastMs = ordered[0]?.timeMs ?? nowMs;
  for (const one of ordered) {
    filter.wait(one.timeMs - lastMs);
    lastMs = one.timeMs;
    const group = one.fillGroup === null ? null : 1 + groups.indexOf(one.fillGroup);
    steps.push({ evidence: one, ...filter.update(Math.log(one.ticks / one.volumeMl), one.u, group) });
  }
  filter.wait(Math.max(0, nowMs - lastMs));
  return {
    ticksPerMl: Math.exp(filter.x[0]!),
    uFactor: Math.sqrt(filter.p[0]![0]!),
    steps,
    fillBias: new Map(groups.map((group, i) => [group, filter.x[i + 1]!])),
  };
}

/** Whether a learned factor differs enough from the present one to be offered. */
export function isWorthOffering(learned: Prior, ticksPerMl: number): boolean {
  const difference = Math.abs(learned.ticksPerMl / ticksPerMl - 1);
  return difference > Math.max(minOffer, 2 * learned.uFactor);
}

/** State and covariance: the factor's logarithm first, then one bias per group. */
function createFilter(prior: Prior, groupCount: number) {
  const size = 1 + groupCount;
  const x = [Math.log(prior.ticksPerMl), ...Array<number>(groupCount).fill(0)];
  const p = Array.from({ length: size }, (_, i) =>
    Array.from({ length: size }, (_, j) => (i !== j ? 0 : i === 0 ? prior.uFactor ** 2 : uFillBias ** 2)),
  );
  return {
    x,
    p,
    wait(ms: number): void {
      if (Number.isFinite(ms)) p[0]![0]! += (uDriftPerMonth ** 2 * ms) / monthMs;
    },
    update(y: number, u: number, group: number | null) {
      // What is measured is the sum of these parts of the state.
      const parts = group === null ? [0] : [0, group];
      const ph = p.map((row) => parts.reduce((sum, at) => sum + row[at]!, 0));
      const variance = parts.reduce((sum, at) => sum + ph[at]!, 0) + u ** 2;
      const innovation = y - parts.reduce((sum, at) => sum + x[at]!, 0);
      const deviation = innovation / Math.sqrt(variance);
      const isAccepted = Math.abs(deviation) <= rejectAbove;
      if (isAccepted) {
        for (const [i, one] of ph.entries()) {
          x[i]! += (one / variance) * innovation;
          for (const [j, other] of ph.entries()) p[i]![j]! -= (one * other) / variance;
        }
      }
      return { deviation, difference: Math.expm1(innovation), isAccepted };
    },
  };
}
