import type { DriftPoint } from '../../core/measurement/drift.ts';
import type { DriftCause } from '../../core/measurement/drift-cause.ts';
import type { FactorPrior } from '../../core/measurement/meter-knowledge.ts';
import type { FlowMeter } from '../../core/records.ts';
import type { StoredEvidence } from '../../store/taps/meter-evidence-table.ts';

/** What became of a piece of evidence. */
export type EvidenceState =
  | 'used'
  | 'incomplete' // some of the keg's beer or ticks are not known
  | 'rejected' // too far from all the others
  | 'discarded' // by staff
  | 'outdated'; // older than the meter as it is now

/** A piece of evidence of a meter, with what the learning made of it. */
export interface EvidenceItem extends StoredEvidence {
  readonly state: EvidenceState;
  /** Difference from what was expected, as a multiple of its standard deviation; null where it was not compared. */
  readonly deviation: number | null;
  /** Null where it is not in the chart. */
  readonly chart: DriftPoint | null;
}

/** A meter that counts more or less per litre than it did: a drift of several pieces of evidence, or one that contradicts. */
export interface MeterDrift {
  readonly direction: 'high' | 'low';
  readonly cause: DriftCause;
  /** Time of the evidence that raised the alarm, Unix milliseconds. */
  readonly sinceMs: number;
}

/** What is known of a meter's factor. */
export interface MeterKnowledge {
  readonly meter: FlowMeter;
  readonly prior: FactorPrior;
  /** Null without evidence. */
  readonly learned: (FactorPrior & { readonly isOffered: boolean }) | null;
  readonly drift: MeterDrift | null;
  /** Oldest first. */
  readonly evidence: readonly EvidenceItem[];
}
