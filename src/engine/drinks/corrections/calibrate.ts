import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../core/app-error.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import type { MeterCurve } from '../../../core/measurement/meter-curve.ts';
import { type MeterFactor, pourVolume, withFactor } from '../../../core/measurement/pour-volume.ts';
import { coverage } from '../../../core/measurement/uncertainty.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { FlowMeter, Keg } from '../../../core/records.ts';
import type { CorrectionRow } from '../../../store/drinks/corrections-table.ts';
import type { Row } from '../../../store/drinks/rows-table.ts';
import type { Store } from '../../../store/store.ts';
import { updateEvidenceAfter } from '../../kegs/keg-evidence.ts';
import { recomputeKeg } from '../../kegs/placement/place-drinks.ts';
import { systemActor, writeAudit } from '../../shared/audit.ts';
import { maxVolumeMl, requireFound, validateCurve, validateTicksPerMl } from '../../shared/bounds.ts';
import { addCorrection } from '../../shared/corrections/add-correction.ts';
import { change, type EngineParts } from '../../shared/parts.ts';
import {
  addPourEvidence,
  isNewestEvidence,
  type Recalibration,
  setMeterFactor,
  toPourEvidence,
} from '../meter-factor.ts';
import { recomputeSessions } from '../sessions/recompute-sessions.ts';
import type { WithActor } from './correct.ts';

/** Effect of a new calibration on a keg's drinks. */
export interface CalibrationPreview {
  readonly meter: FlowMeter;
  /** Current value of the meter. */
  readonly beforeTicksPerMl: number;
  readonly ticksPerMl: number;
  /** Current curve of the meter, and the new one. */
  readonly beforeCurve: MeterCurve | null;
  readonly curve: MeterCurve | null;
  /** Null when past drinks do not change. */
  readonly keg: Keg | null;
  /** Number of drinks whose volume changes; the newest 100 are listed. */
  readonly drinkCount: number;
  readonly drinks: readonly {
    readonly drinkId: number;
    readonly beforeMl: number;
    readonly afterMl: number;
  }[];
  /** Totals of all drinks that change. */
  readonly beforeMl: number;
  readonly afterMl: number;
}

/** An applied calibration; its id undoes it as a whole. */
export interface AppliedCalibration extends CalibrationPreview {
  /** Null when nothing changed. */
  readonly correctionId: number | null;
}

const maxListed = 100;

/** The columns of a meter that a calibration sets. */
const calibrationColumns = [
  'id',
  'ticks_per_ml',
  'calibrated',
  'u_factor',
  'measured_hz',
  'measured_ticks',
  'u_lag_s',
  'curve',
  'prior_ticks_per_ml',
  'u_prior',
  'evidence_after',
  'chart_after',
] as const;

/** Computes what `calibrate` would do, without changing anything. */
export function previewCalibration(
  { store }: EngineParts,
  meterId: number,
  recalibration: Recalibration,
): CalibrationPreview {
  return store.snapshot(() => computePreview(store, meterId, recalibration).preview);
}

/**
 * Sets a meter's calibration. With a keg, recomputes the volumes of its drinks that come from that meter's
 * ticks; volumes stated by a controller, a request or a person stay.
 */
export function calibrate(
  parts: EngineParts,
  meterId: number,
  { actor, ...recalibration }: Recalibration & WithActor,
  now: Moment,
): AppliedCalibration {
  const { store } = parts;
  const { ticksPerMl: newFactor, curve: newCurve, uncertainty, method = 'entered' } = recalibration;
  const { measured, measuredBy } = recalibration;
  const uFactor = uncertainty === undefined ? null : uncertainty / coverage;
  return change(parts, () => {
    const { preview, changes } = computePreview(store, meterId, recalibration);
    const { meter, ticksPerMl, keg } = preview;
    const isSameFactor =
      newFactor === undefined ||
      (meter.ticksPerMl === ticksPerMl && meter.calibrated && meter.uFactor === uFactor);
    const isSameCurve = newCurve === undefined || isDeepStrictEqual(meter.curve, preview.curve);
    const pours = toPourEvidence(recalibration, preview);
    // Pours that confirm the factor are evidence, too, but only once.
    const isSame = isSameFactor && isSameCurve && (pours === null || isNewestEvidence(store, meterId, pours));
    if (changes.length === 0 && isSame) return { ...preview, correctionId: null };
    const before = readCalibration(store, meterId);
    // Kegs were counted by the curve of their time.
    if (!isSameCurve) store.taps.meters.startLearning(meterId);
    if (newFactor !== undefined)
      setMeterFactor(store, meter, {
        ticksPerMl,
        uFactor,
        method,
        ...omitUndefined({ measured, measuredBy }),
      });
    if (newCurve !== undefined) store.taps.meters.setCurve(meterId, preview.curve, ticksPerMl);
    const after = readCalibration(store, meterId);
    const id = writeAudit(
      store,
      {
        actor: actor ?? systemActor,
        action: 'meter.calibrated',
        subject: { kind: 'flow_meter', id: meterId },
        before: {
          ticks_per_ml: meter.ticksPerMl,
          uncertainty: toUncertainty(meter),
          ...toAuditCurve(meter.curve, preview),
          volume_ml: preview.beforeMl,
        },
        after: {
          ticks_per_ml: ticksPerMl,
          uncertainty: newFactor === undefined ? toUncertainty(meter) : (uncertainty ?? null),
          method,
          ...toAuditCurve(preview.curve, preview),
          ...(measured && { pours: measured.pours }),
          volume_ml: preview.afterMl,
          keg_id: keg?.id ?? null,
          drinks: changes.length,
        },
      },
      now,
    );
    addCorrection(parts, {
      id,
      kind: 'calibration',
      before: JSON.stringify(before),
      after: JSON.stringify(after),
    });
    if (pours !== null) addPourEvidence(store, meterId, { ...pours, calibrationId: id }, now);
    if (!recalibration.keepsChart)
      store.taps.meterEvidence.startChart(meterId, store.taps.meterEvidence.newestId(meterId));
    for (const { drinkId, beforeMl, afterMl } of changes) {
      store.drinks.corrections.addCorrectedDrink(id, drinkId, { beforeMl, afterMl });
      store.drinks.setComputedVolume(drinkId, afterMl);
    }
    recomputeAll(
      store,
      changes.map(({ drinkId }) => drinkId),
    );
    return {
      ...preview,
      meter: store.taps.meters.byId(meterId)!,
      keg: keg && store.kegs.byId(keg.id),
      correctionId: id,
    };
  });
}

/**
 * Undoes a calibration and its volume changes. Throws `conflict` when the meter was calibrated again since.
 */
export function undoCalibration(store: Store, { id, before, after }: CorrectionRow): void {
  const [previous, applied] = [JSON.parse(before) as Row, JSON.parse(after) as Row];
  const meterId = Number(previous.id);
  const meter = store.taps.meters.byId(meterId);
  if (meter === null) {
    throw new AppError('conflict', 'This cannot be undone: the flow meter is gone.', {
      reason: { name: 'meter_gone' },
    });
  }
  const isSameCurve = readCalibration(store, meterId).curve === (applied.curve ?? null);
  if (meter.ticksPerMl !== applied.ticks_per_ml || !isSameCurve) {
    throw new AppError(
      'conflict',
      `This cannot be undone: meter "${meter.name}" was calibrated again since; it has ${meter.ticksPerMl} ticks/mL.`,
      { reason: { name: 'calibrated_since', meter: meter.name } },
    );
  }
  store.taps.meterEvidence.removeByCalibration(id);
  store.drinks.rows.update('flow_meters', meterId, previous);
  if ((previous.curve ?? null) !== (applied.curve ?? null))
    updateEvidenceAfter(store, meterId, Number(applied.evidence_after));
  const drinks = store.drinks.corrections.recalibrated(id);
  for (const { drinkId, beforeMl } of drinks) {
    if (store.drinks.byId(drinkId) !== null) store.drinks.setComputedVolume(drinkId, beforeMl);
  }
  recomputeAll(
    store,
    drinks.map(({ drinkId }) => drinkId),
  );
}

function computePreview(store: Store, meterId: number, { kegId, ...calibration }: Recalibration) {
  const meter = requireFound(store.taps.meters.byId(meterId), `flow meter ${meterId}`);
  const calibrated = toCalibrated(meter, calibration);
  const keg = kegId === null ? null : requireFound(store.kegs.byId(kegId), `keg ${kegId}`);
  const computed = keg === null ? [] : store.drinks.computedVolumes(keg.id, meter.name);
  const changes = computed
    .map((drink) => ({
      drinkId: drink.id,
      beforeMl: drink.volumeMl,
      afterMl: Math.min(pourVolume(calibrated, drink), maxVolumeMl),
    }))
    .filter(({ beforeMl, afterMl }) => beforeMl !== afterMl);
  const sum = (of: (one: (typeof changes)[number]) => number) =>
    changes.reduce((total, one) => total + of(one), 0);
  const preview: CalibrationPreview = {
    meter,
    beforeTicksPerMl: meter.ticksPerMl,
    ticksPerMl: calibrated.ticksPerMl,
    beforeCurve: meter.curve,
    curve: calibrated.curve,
    keg,
    drinkCount: changes.length,
    drinks: changes.slice(0, maxListed),
    beforeMl: sum(({ beforeMl }) => beforeMl),
    afterMl: sum(({ afterMl }) => afterMl),
  };
  return { preview, changes };
}

/** What the meter will compute volumes by. */
function toCalibrated(
  meter: FlowMeter,
  { ticksPerMl = meter.ticksPerMl, curve }: Pick<Recalibration, 'ticksPerMl' | 'curve'>,
): MeterFactor {
  const scaled = withFactor(meter, validateTicksPerMl(ticksPerMl));
  return curve === undefined ? scaled : { ...scaled, curve: curve && validateCurve(curve) };
}

/** A curve for the audit log, while the meter has one before or after. */
function toAuditCurve(curve: MeterCurve | null, { beforeCurve, curve: afterCurve }: CalibrationPreview) {
  if (beforeCurve === null && afterCurve === null) return {};
  const points = curve?.points.map(({ hz, ticksPerMl }) => ({ hz, ticks_per_ml: ticksPerMl }));
  return { curve: curve && { points, offset_ticks: curve.offsetTicks } };
}

function readCalibration(store: Store, meterId: number): Row {
  const row = store.drinks.rows.byKey('flow_meters', meterId)!;
  return Object.fromEntries(calibrationColumns.map((column) => [column, row[column]!]));
}

/** Half width of the 95 % interval of a meter's factor as a share; null where nobody measured it. */
const toUncertainty = ({ uFactor }: FlowMeter): number | null =>
  uFactor === null ? null : coverage * uFactor;

function recomputeAll(store: Store, drinkIds: readonly number[]): void {
  const drinks = drinkIds.flatMap((id) => store.drinks.byId(id) ?? []);
  for (const id of new Set(drinks.map(({ kegId }) => kegId))) if (id !== null) recomputeKeg(store, id);
  for (const id of new Set(drinks.map(({ sessionId }) => sessionId))) {
    if (id !== null) recomputeSessions(store, [id]);
  }
}
