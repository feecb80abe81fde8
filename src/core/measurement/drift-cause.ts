import { isBeyondGradual, isContradiction } from './contradiction.ts';
import { type Drift, slack } from './drift.ts';
import type { AssessedEvidence } from './meter-learning.ts';

/** What most likely makes a meter's evidence deviate, for staff to look at. */
export type DriftCause =
  | 'keg_size' // one kind of keg only
  | 'other_meter' // more than 10 %: another meter, another keg size, or two meters swapped
  | 'loss_before_meter' // kegs only, not the measured pours: beer is lost on the way to the meter
  | 'worn_or_dirty' // fewer ticks per litre
  | 'gas_or_noise'; // more ticks per litre

type ChartedEvidence = Pick<AssessedEvidence, 'deviation' | 'difference' | 'evidence'>;

/** The likely cause of a drift; `steps` are those of the chart. */
export function findDriftCause(steps: readonly ChartedEvidence[], { direction, at }: Drift): DriftCause {
  const sign = direction === 'high' ? 1 : -1;
  const drifted = steps.slice(0, at + 1).filter(({ deviation }) => sign * deviation > slack);
  const first = steps.indexOf(drifted[0]!);
  // What is far off to the other side does not agree with the meter.
  const agreeing = steps.filter(
    (one, i) => i > first && sign * one.deviation <= slack && !isContradiction(one),
  );
  if (isOneKind(drifted, agreeing)) return 'keg_size';
  if (drifted.filter(isBeyondGradual).length * 2 > drifted.length) return 'other_meter';
  if (direction === 'high') return 'gas_or_noise';
  const isKegsOnly = drifted.length > 0 && drifted.every(({ evidence }) => evidence.kind !== 'pours');
  return isKegsOnly && agreeing.some(({ evidence }) => evidence.kind === 'pours')
    ? 'loss_before_meter'
    : 'worn_or_dirty';
}

/** The likely cause of a contradiction; `steps` are those of the chart. */
export function findContradictionCause(
  steps: readonly ChartedEvidence[],
  { direction }: Pick<Drift, 'direction'>,
): DriftCause {
  const sign = direction === 'high' ? 1 : -1;
  const contradicting = steps.filter((one) => isContradiction(one) && sign * one.deviation > 0);
  const first = steps.indexOf(contradicting[0]!);
  const agreeing = steps.filter((one, i) => i > first && !isContradiction(one));
  return isOneKind(contradicting, agreeing) ? 'keg_size' : 'other_meter';
}

/** Whether all that deviate are of one kind of keg, and another kind of the same weeks agrees with the meter. */
function isOneKind(deviating: readonly ChartedEvidence[], agreeing: readonly ChartedEvidence[]): boolean {
  const groups = new Set(deviating.map(({ evidence }) => evidence.fillGroup));
  const [group] = groups;
  if (groups.size !== 1 || group === null) return false;
  return agreeing.some(({ evidence: { fillGroup } }) => fillGroup !== null && fillGroup !== group);
}
