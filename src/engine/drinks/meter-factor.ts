import type { Moment } from '../../core/clock/moment.ts';
import { type FactorPrior, uGuessedFactor } from '../../core/measurement/meter-knowledge.ts';
import { coverage, uUnknownFactor } from '../../core/measurement/uncertainty.ts';
import type { MeterConfig } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import type { Recalibration } from './corrections/calibrate.ts';

type FactorFields = Pick<MeterConfig, 'id' | 'ticksPerMl' | 'calibrated' | 'uFactor'>;
type NewFactor = Required<Pick<Recalibration, 'ticksPerMl' | 'method'>> &
  Pick<Recalibration, 'measured'> & { readonly uFactor: number | null };

/** No measurement is more exact than this, as a share. */
const leastU = 0.0005;

/** What was known of a meter's factor before its evidence. */
export function readPrior(store: Store, meter: FactorFields): FactorPrior {
  const { priorTicksPerMl, uPrior, uModel } = store.meterEvidence.state(meter.id)!;
  if (priorTicksPerMl !== null && uPrior !== null) return { ticksPerMl: priorTicksPerMl, uFactor: uPrior };
  const uFactor = meter.calibrated ? (meter.uFactor ?? uModel ?? uUnknownFactor) : uGuessedFactor;
  return { ticksPerMl: meter.ticksPerMl, uFactor: Math.max(leastU, uFactor) };
}

/**
 * Sets a meter's factor. One that was measured or learned belongs to its evidence; with any other the meter starts to learn anew,
 * since it may be another meter.
 */
export function setMeterFactor(store: Store, meter: FactorFields, factor: NewFactor): void {
  const { ticksPerMl, uFactor, method, measured } = factor;
  const hasEvidence = method === 'evidence' || (method === 'pours' && measured !== undefined);
  if (!hasEvidence) store.meters.calibrate(meter.id, ticksPerMl, uFactor);
  else store.meterEvidence.setFactor(meter.id, { ticksPerMl, uFactor }, readPrior(store, meter));
}

/**
 * Stores what the measured pours of a calibration say, and begins the chart of deviations anew. Call it in the transaction of the
 * calibration.
 */
export function addPourEvidence(
  store: Store,
  meter: FactorFields,
  { calibrationId, ...recalibration }: Omit<Recalibration, 'kegId'> & { readonly calibrationId: number },
  now: Moment,
): void {
  const { method, measured, uncertainty, keepsChart = false } = recalibration;
  if (method === 'pours' && measured !== undefined) {
    const id = store.meterEvidence.add({
      meterId: meter.id,
      kind: 'pours',
      ticks: measured.ticks,
      volumeMl: measured.volumeMl,
      u: Math.min(1, Math.max(leastU, (uncertainty ?? coverage * uUnknownFactor) / coverage)),
      fillGroup: null,
      timeMs: Math.max(0, Math.round(now.wallMs)),
      kegId: null,
      calibrationId,
      isFit: true,
      isDry: false,
    });
    store.provisionalTimes.note('meter_evidence', id, now);
  }
  if (!keepsChart) store.meterEvidence.startChart(meter.id, store.meterEvidence.newestId(meter.id));
}
