import {
  type FactorPrior,
  factorUncertainty,
  learnMeter,
  uGuessedFactor,
} from '../../core/measurement/meter-knowledge.ts';
import type { LearnedFactor } from '../../core/measurement/meter-learning.ts';
import { usualMlPerS } from '../../core/measurement/pour-starts.ts';
import { driftSince, type MeterUncertainty, uUnknownFactor } from '../../core/measurement/uncertainty.ts';
import type { MeterConfig } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import type { StoredEvidence } from '../../store/taps/meter-evidence-table.ts';

/** More than a meter gets in a year; older evidence hardly counts. */
export const maxEvidence = 100;

/** No measurement is more exact than this, as a share. */
export const leastU = 0.0005;

/** What the evidence of a meter says of its factor. */
interface FactorEvidence {
  readonly learned: LearnedFactor<StoredEvidence>;
  /** When the newest of it was measured, Unix milliseconds. */
  readonly newestMs: number;
}

/** By store: a filter over all evidence of a meter takes longer than to read it. */
const evidenceByStore = new WeakMap<Store, () => Map<number, FactorEvidence | null>>();

/**
 * What is known of a meter for the uncertainty of what it poured at `atMs`. What was learned since counts at once, also while nobody has
 * applied it; a factor ages from its newest evidence on.
 */
export function toMeterUncertainty(store: Store, meter: MeterConfig, atMs: number): MeterUncertainty {
  const { ticksPerMl, uLagS, leastMlPerS, curve } = meter;
  // A factor whose uncertainty is known was measured, if by nothing else that is known then by litres.
  const byLitres = { hz: usualMlPerS * ticksPerMl, ticks: 1_000 * ticksPerMl };
  const measuredBy = meter.measuredBy ?? (meter.uFactor === null ? null : byLitres);
  const evidence = findEvidence(store, meter);
  const uFactor =
    evidence === null
      ? (meter.uFactor ?? uUnknownFactor)
      : Math.hypot(factorUncertainty(evidence.learned, ticksPerMl), driftSince(evidence.newestMs, atMs));
  const points = curve?.points ?? [];
  const curveHz = points.length > 1 ? ([points[0]!.hz, points.at(-1)!.hz] as const) : null;
  return { ticksPerMl, uFactor, measuredBy, uLagS, leastMlPerS, curveHz };
}

/** What was known of a meter's factor before its evidence. */
export function readPrior(
  store: Store,
  meter: Pick<MeterConfig, 'id' | 'ticksPerMl' | 'calibrated' | 'uFactor'>,
): FactorPrior {
  const { priorTicksPerMl, uPrior, uModel } = store.taps.meterEvidence.state(meter.id)!;
  if (priorTicksPerMl !== null && uPrior !== null) return { ticksPerMl: priorTicksPerMl, uFactor: uPrior };
  const uFactor = meter.calibrated ? (meter.uFactor ?? uModel ?? uUnknownFactor) : uGuessedFactor;
  return { ticksPerMl: meter.ticksPerMl, uFactor: Math.max(leastU, uFactor) };
}

/** The evidence from which a meter learns. */
export const isUsable =
  (evidenceAfter: number) =>
  (one: StoredEvidence): boolean =>
    one.id > evidenceAfter && one.isFit && !one.isDiscarded;

function findEvidence(store: Store, meter: MeterConfig): FactorEvidence | null {
  let known = evidenceByStore.get(store);
  if (known === undefined) {
    known = store.cachedUntilChange(() => new Map<number, FactorEvidence | null>());
    evidenceByStore.set(store, known);
  }
  const byMeter = known();
  const cached = byMeter.get(meter.id);
  if (cached !== undefined) return cached;
  const found = readEvidence(store, meter);
  byMeter.set(meter.id, found);
  return found;
}

function readEvidence(store: Store, meter: MeterConfig): FactorEvidence | null {
  const { evidenceAfter } = store.taps.meterEvidence.state(meter.id)!;
  const usable = store.taps.meterEvidence.newest(meter.id, maxEvidence).filter(isUsable(evidenceAfter));
  if (usable.length === 0) return null;
  const learned = learnMeter(usable, readPrior(store, meter));
  return { learned, newestMs: Math.max(...usable.map(({ timeMs }) => timeMs)) };
}
