import type { Drift } from './drift.ts';
import { type AssessedEvidence, rejectAbove } from './meter-learning.ts';

/** Wear, dirt, gas and leaks change a factor by less, as a share; another meter or another keg size by more. */
const maxGradualChange = 0.1;
/** Pieces of later evidence that show together that a contradiction was one wrong keg. */
const agreeingPieces = 2;

type ComparedEvidence = Pick<AssessedEvidence, 'deviation' | 'difference' | 'isAccepted'>;

/** Whether evidence differs by more than wear, dirt, gas or a leak explains, however uncertain it is. */
export const isBeyondGradual = ({ difference }: Pick<AssessedEvidence, 'difference'>): boolean =>
  Math.abs(difference) > maxGradualChange;

/** Whether one piece of evidence contradicts all that was known before it. */
export const isContradiction = (one: Pick<AssessedEvidence, 'deviation' | 'difference'>): boolean =>
  isBeyondGradual(one) && Math.abs(one.deviation) > rejectAbove;

/**
 * The contradiction that stands; null without one. It is found with the first piece of evidence that contradicts, and stands until two
 * later pieces are accepted: then the factor of before holds, and it was one wrong keg. It also ends when staff discard the evidence and
 * when the chart begins anew, because the piece is not in `steps` then. The newest one gives the direction, and `at` is the first one
 * that stands in this direction.
 */
export function findContradiction(steps: readonly ComparedEvidence[]): Drift | null {
  const accepted = steps.flatMap(({ isAccepted }, i) => (isAccepted ? [i] : []));
  const isStanding = (at: number): boolean => accepted.filter((i) => i > at).length < agreeingPieces;
  const standing = steps.flatMap((step, i) => (isContradiction(step) && isStanding(i) ? [i] : []));
  const newest = standing.at(-1);
  if (newest === undefined) return null;
  const sign = Math.sign(steps[newest]!.difference);
  const at = standing.find((i) => Math.sign(steps[i]!.difference) === sign)!;
  return { direction: sign > 0 ? 'high' : 'low', at };
}
