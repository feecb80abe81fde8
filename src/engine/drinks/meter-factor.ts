import type { Moment } from '../../core/clock/moment.ts';
import type { MeterCurve } from '../../core/measurement/meter-curve.ts';
import { usualMlPerS } from '../../core/measurement/pour-starts.ts';
import type { MeterFactor } from '../../core/measurement/pour-volume.ts';
import { coverage, type MeasuredBy, uUnknownFactor } from '../../core/measurement/uncertainty.ts';
import type { MeterConfig } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import type { NewEvidence } from '../../store/taps/meter-evidence-table.ts';
import { leastU, readPrior } from '../kegs/meter-uncertainty.ts';

/** Where a factor comes from. */
export type CalibrationMethod = 'entered' | 'sheet' | 'pours' | 'evidence';

/** The measured pours of a calibration, added up. */
export interface MeasuredSum {
  readonly pours: number;
  readonly ticks: number;
  readonly volumeMl: number;
  /** Their mean rate, ticks per second; absent: that of an open tap. */
  readonly hz?: number;
  /** Ticks that each had besides its volume, with the half width of their 95 % interval; absent unless their sizes differ enough. */
  readonly offset?: { readonly ticks: number; readonly uncertainty: number };
}

export interface Recalibration {
  /** Ticks per millilitre, 0.001 to 1000; absent: unchanged, with its uncertainty. */
  readonly ticksPerMl?: number;
  /** Factors at several rates; null: one factor for all; absent: the present curve, scaled to the new factor. */
  readonly curve?: MeterCurve | null;
  /** Half width of the 95 % interval of the factor as a share; absent where nobody measured it. */
  readonly uncertainty?: number;
  /** Default `entered`. */
  readonly method?: CalibrationMethod;
  /** With the method `pours`. */
  readonly measured?: MeasuredSum;
  /** With the method `evidence`: the mean of the pours of its kegs; absent: as before. */
  readonly measuredBy?: MeasuredBy;
  /** True: the chart of the meter's deviations goes on; default false. */
  readonly keepsChart?: boolean;
  /** The keg whose past drinks change; null: only later pours are affected. */
  readonly kegId: number | null;
}

type FactorFields = Pick<MeterConfig, 'id' | 'ticksPerMl' | 'calibrated' | 'uFactor' | 'measuredBy'>;
type NewFactor = Required<Pick<Recalibration, 'ticksPerMl' | 'method'>> &
  Pick<Recalibration, 'measured' | 'measuredBy'> & { readonly uFactor: number | null };

/**
 * Sets a meter's factor. One that was measured or learned belongs to its evidence; with any other the meter starts to learn anew,
 * since it may be another meter.
 */
export function setMeterFactor(store: Store, meter: FactorFields, factor: NewFactor): void {
  const { ticksPerMl, uFactor, method, measured } = factor;
  const hasEvidence = method === 'evidence' || (method === 'pours' && measured !== undefined);
  if (!hasEvidence) store.taps.meters.calibrate(meter.id, ticksPerMl, uFactor);
  else {
    const { measuredBy = meter.measuredBy } = factor;
    const learned = measured === undefined ? { measuredBy, uLagS: null } : toMeasuredBy(measured, ticksPerMl);
    store.taps.meterEvidence.setFactor(
      meter.id,
      { ticksPerMl, uFactor, ...learned },
      readPrior(store, meter),
    );
  }
}

/** No wheel lags longer. */
const maxLagS = 1;

/** The mean of measured pours, and the lag that pours of several sizes show: a meter may have less of it than others. */
function toMeasuredBy(
  { pours, ticks, hz: measuredHz, offset }: MeasuredSum,
  ticksPerMl: number,
): { readonly measuredBy: MeasuredBy; readonly uLagS: number | null } {
  const hz = measuredHz ?? usualMlPerS * ticksPerMl;
  return {
    measuredBy: { hz, ticks: ticks / pours },
    uLagS:
      offset === undefined
        ? null
        : Math.min(maxLagS, Math.hypot(offset.ticks, offset.uncertainty / coverage) / hz),
  };
}

/** What measured pours say of a factor. */
type PourEvidence = Pick<NewEvidence, 'ticks' | 'volumeMl' | 'u'>;

/**
 * What the measured pours of a calibration say; null without any. With a curve they may have been at several rates, and the
 * factor is that of the usual one.
 */
export function toPourEvidence(
  { ticksPerMl: newFactor, method, measured, uncertainty }: Omit<Recalibration, 'kegId'>,
  { ticksPerMl, curve }: MeterFactor,
): PourEvidence | null {
  if (method !== 'pours' || measured === undefined || (curve !== null && newFactor === undefined))
    return null;
  const { ticks, volumeMl } = measured;
  return {
    ticks: curve === null ? ticks : Math.max(1, Math.round(ticksPerMl * volumeMl)),
    volumeMl,
    u: Math.min(1, Math.max(leastU, (uncertainty ?? coverage * uUnknownFactor) / coverage)),
  };
}

/** Whether the same pours were the last that the meter learned from: a request that is repeated, or a second click. */
export function isNewestEvidence(store: Store, meterId: number, pours: PourEvidence): boolean {
  const [newest] = store.taps.meterEvidence.newest(meterId, 1);
  return (
    newest?.kind === 'pours' &&
    !newest.isDiscarded &&
    newest.ticks === pours.ticks &&
    newest.volumeMl === pours.volumeMl
  );
}

/** Stores what the measured pours of a calibration say. Call it in the transaction of the calibration. */
export function addPourEvidence(
  store: Store,
  meterId: number,
  pours: PourEvidence & { readonly calibrationId: number },
  now: Moment,
): void {
  const id = store.taps.meterEvidence.add({
    ...pours,
    meterId,
    kind: 'pours',
    fillGroup: null,
    timeMs: Math.max(0, Math.round(now.wallMs)),
    kegId: null,
    isFit: true,
  });
  store.provisionalTimes.note('meter_evidence', id, now);
}
