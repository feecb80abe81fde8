import { type Drift, slack } from './drift.ts';
import type { AssessedEvidence } from './meter-learning.ts';

/** What most likely makes a meter's evidence deviate, for staff to look at. */
export type DriftCause =
  | 'keg_size' // one kind of keg only
  | 'loss_before_meter' // kegs only, not the measured pours: beer is lost on the way to the meter
  | 'worn_or_dirty' // fewer ticks per litre
  | 'gas_or_noise'; // more ticks per litre

/** The likely cause of a drift; `steps` are those of the chart. */
export function findDriftCause(
  steps: readonly Pick<AssessedEvidence, 'deviation' | 'evidence'>[],
  { direction, at }: Pick<Drift, 'direction' | 'at'>,
): DriftCause {
  const sign = direction === 'high' ? 1 : -1;
  const drifted = steps.slice(0, at + 1).filter(({ deviation }) => sign * deviation > slack);
  const others = steps.filter(({ deviation }) => sign * deviation <= slack);
  const groups = new Set(drifted.map(({ evidence }) => evidence.fillGroup));
  const [group] = groups;
  const isOneKind = groups.size === 1 && group !== null;
  // Other kegs of the same weeks agree with the meter.
  const first = steps.indexOf(drifted[0]!);
  const agreeing = others.filter((one) => steps.indexOf(one) > first);
  if (isOneKind && agreeing.some(({ evidence }) => isOtherKeg(evidence.fillGroup, group))) return 'keg_size';
  if (direction === 'high') return 'gas_or_noise';
  const isKegsOnly = drifted.length > 0 && drifted.every(({ evidence }) => evidence.kind !== 'pours');
  return isKegsOnly && agreeing.some(({ evidence }) => evidence.kind === 'pours')
    ? 'loss_before_meter'
    : 'worn_or_dirty';
}

const isOtherKeg = (fillGroup: string | null, group: string | null | undefined): boolean =>
  fillGroup !== null && fillGroup !== group;
