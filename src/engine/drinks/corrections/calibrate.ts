import { AppError } from '../../../core/app-error.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import { coverage } from '../../../core/measurement/uncertainty.ts';
import { volumeOfTicks } from '../../../core/pours/calibration.ts';
import type { FlowMeter, Keg } from '../../../core/records.ts';
import type { CorrectionRow } from '../../../store/drinks/corrections-table.ts';
import type { Row } from '../../../store/drinks/rows-table.ts';
import type { Store } from '../../../store/store.ts';
import { systemActor, writeAudit } from '../../shared/audit.ts';
import { maxVolumeMl, requireFound, validateTicksPerMl } from '../../shared/bounds.ts';
import { change, type EngineParts } from '../../shared/parts.ts';
import { recomputeKeg, recomputeSession } from '../apply-drink.ts';
import type { WithActor } from './correct.ts';

/** Effect of a new calibration on a keg's drinks. */
export interface CalibrationPreview {
  readonly meter: FlowMeter;
  /** Current value of the meter. */
  readonly beforeTicksPerMl: number;
  readonly ticksPerMl: number;
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

/** Where a factor comes from. */
export type CalibrationMethod = 'entered' | 'pours' | 'evidence';

/** The measured pours of a calibration, added up. */
export interface MeasuredSum {
  readonly pours: number;
  readonly ticks: number;
  readonly volumeMl: number;
}

export interface Recalibration {
  /** Ticks per millilitre, 0.001 to 1000. */
  readonly ticksPerMl: number;
  /** Half width of the 95 % interval of the factor as a share; absent where nobody measured it. */
  readonly uncertainty?: number;
  /** Default `entered`. */
  readonly method?: CalibrationMethod;
  /** With the method `pours`. */
  readonly measured?: MeasuredSum;
  /** The keg whose past drinks change; null: only later pours are affected. */
  readonly kegId: number | null;
}

const maxListed = 100;

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
  const { uncertainty, method = 'entered', measured } = recalibration;
  const uFactor = uncertainty === undefined ? null : uncertainty / coverage;
  return change(parts, () => {
    const { preview, changes } = computePreview(store, meterId, recalibration);
    const { meter, ticksPerMl, keg } = preview;
    if (
      changes.length === 0 &&
      meter.ticksPerMl === ticksPerMl &&
      meter.calibrated &&
      meter.uFactor === uFactor
    ) {
      return { ...preview, correctionId: null };
    }
    const before = readCalibration(store, meterId);
    store.meters.calibrate(meterId, ticksPerMl, uFactor);
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
          volume_ml: preview.beforeMl,
        },
        after: {
          ticks_per_ml: ticksPerMl,
          uncertainty: uncertainty ?? null,
          method,
          ...(measured && { pours: measured.pours }),
          volume_ml: preview.afterMl,
          keg_id: keg?.id ?? null,
          drinks: changes.length,
        },
      },
      now,
    );
    store.corrections.add({
      id,
      kind: 'calibration',
      before: JSON.stringify(before),
      after: JSON.stringify(after),
    });
    for (const { drinkId, beforeMl, afterMl } of changes) {
      store.corrections.addCorrectedDrink(id, drinkId, { beforeMl, afterMl });
      store.drinks.setComputedVolume(drinkId, afterMl);
    }
    recomputeAll(
      store,
      changes.map(({ drinkId }) => drinkId),
    );
    return {
      ...preview,
      meter: store.meters.byId(meterId)!,
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
  const meter = store.meters.byId(meterId);
  if (meter === null) {
    throw new AppError('conflict', 'This cannot be undone: the flow meter is gone.', {
      reason: { name: 'meter_gone' },
    });
  }
  if (meter.ticksPerMl !== applied.ticks_per_ml) {
    throw new AppError(
      'conflict',
      `This cannot be undone: meter "${meter.name}" was set to ${meter.ticksPerMl} ticks/mL since.`,
      { reason: { name: 'calibrated_since', meter: meter.name } },
    );
  }
  store.rows.update('flow_meters', meterId, previous);
  const drinks = store.corrections.recalibrated(id);
  for (const { drinkId, beforeMl } of drinks) {
    if (store.drinks.byId(drinkId) !== null) store.drinks.setComputedVolume(drinkId, beforeMl);
  }
  recomputeAll(
    store,
    drinks.map(({ drinkId }) => drinkId),
  );
}

function computePreview(store: Store, meterId: number, { ticksPerMl, kegId }: Recalibration) {
  const calibration = validateTicksPerMl(ticksPerMl);
  const meter = requireFound(store.meters.byId(meterId), `flow meter ${meterId}`);
  const keg = kegId === null ? null : requireFound(store.kegs.byId(kegId), `keg ${kegId}`);
  const computed = keg === null ? [] : store.drinks.computedVolumes(keg.id, meter.name);
  const changes = computed
    .map(({ id, beerTicks, volumeMl }) => ({
      drinkId: id,
      beforeMl: volumeMl,
      afterMl: Math.min(volumeOfTicks(beerTicks, calibration), maxVolumeMl),
    }))
    .filter(({ beforeMl, afterMl }) => beforeMl !== afterMl);
  const sum = (of: (one: (typeof changes)[number]) => number) =>
    changes.reduce((total, one) => total + of(one), 0);
  const preview: CalibrationPreview = {
    meter,
    beforeTicksPerMl: meter.ticksPerMl,
    ticksPerMl: calibration,
    keg,
    drinkCount: changes.length,
    drinks: changes.slice(0, maxListed),
    beforeMl: sum(({ beforeMl }) => beforeMl),
    afterMl: sum(({ afterMl }) => afterMl),
  };
  return { preview, changes };
}

/** The columns of a meter that a calibration sets. */
function readCalibration(store: Store, meterId: number): Row {
  const { id, ticks_per_ml, calibrated, u_factor } = store.rows.byKey('flow_meters', meterId)!;
  return { id: id!, ticks_per_ml: ticks_per_ml!, calibrated: calibrated!, u_factor: u_factor! };
}

/** Half width of the 95 % interval of a meter's factor as a share; null where nobody measured it. */
const toUncertainty = ({ uFactor }: FlowMeter): number | null =>
  uFactor === null ? null : coverage * uFactor;

function recomputeAll(store: Store, drinkIds: readonly number[]): void {
  const drinks = drinkIds.flatMap((id) => store.drinks.byId(id) ?? []);
  for (const id of new Set(drinks.map(({ kegId }) => kegId))) if (id !== null) recomputeKeg(store, id);
  for (const id of new Set(drinks.map(({ sessionId }) => sessionId))) {
    if (id !== null) recomputeSession(store, id);
  }
}
