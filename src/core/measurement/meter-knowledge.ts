import type { FlowMeter } from '../hardware-records.ts';
import {
  type AssessedEvidence,
  type Evidence,
  isWorthOffering,
  type LearnedFactor,
  learnFactor,
  rejectAbove,
} from './meter-learning.ts';
import { uUnknownFactor } from './uncertainty.ts';

/** A factor before any evidence. */
export interface FactorPrior {
  readonly ticksPerMl: number;
  /** Standard uncertainty as a share. */
  readonly uFactor: number;
}

/** Standard uncertainty of a factor that is a guess: that of another model may be twice or half of it. */
export const uGuessedFactor = 0.5;

/** One keg by its stated volume alone may be wrong; what was weighed counts alone. */
const minKegs = 2;

/** Whether somebody measured or chose its factor: that of its model is what the maker says of all meters of the kind. */
export const isCalibrated = (
  meter: Pick<FlowMeter, 'calibrated' | 'uFactor' | 'ticksPerMl' | 'modelTicksPerMl'>,
): boolean => meter.calibrated && (meter.uFactor !== null || meter.ticksPerMl !== meter.modelTicksPerMl);

/**
 * The factor from all evidence, robust against wrong pieces of it. Where measured pours contradict all that was known, the
 * meter was changed or cleaned: what is older is left out. Where one wrong piece makes others look wrong, it is left out itself.
 * `steps` begin with the first piece that is not left out as too old.
 */
export function learnMeter<T extends Evidence>(
  evidence: readonly T[],
  prior: FactorPrior,
  nowMs?: number,
): LearnedFactor<T> {
  const ordered = evidence
    .filter(({ ticks, volumeMl }) => ticks > 0 && volumeMl > 0)
    .toSorted((a, b) => a.timeMs - b.timeMs);
  const all = leaveOneOut(ordered, prior, nowMs);
  const restart = all.steps.findLastIndex(
    ({ isAccepted, evidence: { kind } }) => !isAccepted && kind === 'pours',
  );
  if (restart === -1 || !isOlderWrong(all.steps, restart)) return all;
  const rest = ordered.slice(restart);
  const { ticks, volumeMl } = rest[0]!;
  return leaveOneOut(
    rest,
    { ticksPerMl: ticks / volumeMl, uFactor: Math.max(prior.uFactor, uUnknownFactor) },
    nowMs,
  );
}

/** The newest pieces of evidence, which show a change before the learned factor follows it. */
const newestCount = 4;

/**
 * Standard uncertainty of the factor in use, as a share, by the evidence: that of the learned factor, its difference from the one in
 * use, and by how much the newest evidence differs from what was expected, as far as chance does not explain it. One wrong piece
 * counts no more than three standard deviations.
 */
export function factorUncertainty({ steps, ...learned }: LearnedFactor, ticksPerMl: number): number {
  const newest = steps.slice(-newestCount).map(({ deviation, difference }) => {
    const limited = Math.max(-rejectAbove, Math.min(rejectAbove, deviation));
    return {
      deviation: limited,
      change: deviation === 0 ? 0 : (Math.log1p(difference) * limited) / deviation,
    };
  });
  const mean = (of: (one: (typeof newest)[number]) => number) =>
    newest.reduce((sum, one) => sum + of(one), 0) / newest.length;
  // The mean of so many independent deviations has a variance of one over their number.
  const byChance = newest.length === 0 ? 1 : 1 / (newest.length * mean(({ deviation }) => deviation) ** 2);
  const change = byChance >= 1 ? 0 : mean((one) => one.change) * (1 - byChance);
  return Math.hypot(learned.uFactor, Math.log(learned.ticksPerMl / ticksPerMl) + change);
}

/** Whether a learned factor rests on enough evidence and differs enough from the present one to be offered. */
export function isOffered({ steps, ...learned }: LearnedFactor, ticksPerMl: number): boolean {
  const accepted = steps.filter(({ isAccepted }) => isAccepted).map(({ evidence }) => evidence);
  const isSupported = accepted.length >= minKegs || accepted.some(({ fillGroup }) => fillGroup === null);
  return isSupported && isWorthOffering(learned, ticksPerMl);
}

/** Whether the older evidence is wrong, and not the measured pours: what came later agrees with the older no more than they do. */
function isOlderWrong(steps: readonly AssessedEvidence[], at: number): boolean {
  const later = steps.slice(at + 1);
  return later.length === 0 || later.filter(({ isAccepted }) => !isAccepted).length * 2 >= later.length;
}

function leaveOneOut<T extends Evidence>(
  ordered: readonly T[],
  prior: FactorPrior,
  nowMs: number | undefined,
): LearnedFactor<T> {
  const all = learnFactor(ordered, prior, nowMs);
  const rejected = countRejected(all);
  if (rejected < 2) return all;
  let best = { learned: all, left: -1, rejected };
  for (const [left] of ordered.entries()) {
    const learned = learnFactor(ordered.toSpliced(left, 1), prior, nowMs);
    const others = countRejected(learned) + 1;
    if (others < best.rejected) best = { learned, left, rejected: others };
  }
  if (best.left === -1) return all;
  const { learned, left } = best;
  const out = {
    evidence: ordered[left]!,
    ...compareWithRest(ordered[left]!, learned),
    isAccepted: false,
  };
  return { ...learned, steps: learned.steps.toSpliced(left, 0, out) };
}

const countRejected = ({ steps }: LearnedFactor): number =>
  steps.filter(({ isAccepted }) => !isAccepted).length;

/** How far a piece of evidence is from all the others. */
function compareWithRest(
  { ticks, volumeMl, u, fillGroup }: Evidence,
  learned: LearnedFactor,
): Pick<AssessedEvidence, 'deviation' | 'difference'> {
  const bias = fillGroup === null ? 0 : (learned.fillBias.get(fillGroup) ?? 0);
  const difference = Math.log(ticks / volumeMl / learned.ticksPerMl) - bias;
  return { deviation: difference / Math.hypot(u, learned.uFactor), difference: Math.expm1(difference) };
}
