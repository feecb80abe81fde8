import type { Moment } from '../../core/clock/moment.ts';
import { defaultTicksPerMl } from '../../core/pours/calibration.ts';
import type { FlowMeter } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import type { ActorContext } from '../shared/actor-context.ts';
import { requireFound, validateTicksPerMl } from '../shared/bounds.ts';
import type { EngineParts } from '../shared/parts.ts';
import { correctableDeviceChange } from './device-corrections.ts';

/** Another meter at the port of a meter. */
export interface MeterReplacement {
  /** Its factor, 0.001 to 1000; absent while nobody knows it. */
  readonly ticksPerMl?: number | undefined;
}

/**
 * Another meter took the place of this one: its factor, curve and evidence say nothing of the new one, nor do the ticks per second of its
 * tap's beer. Without a factor it counts by that of the settings file or model, or the default, and is uncalibrated: its prior is then
 * that of a guess, so that the first keg teaches it. Past drinks stay. Can be undone, except that the tap learns its rate again.
 */
export function replaceMeter(
  parts: EngineParts,
  id: number,
  { ticksPerMl: newFactor }: MeterReplacement,
  context: ActorContext,
): FlowMeter {
  const { store } = parts;
  const subject = { action: 'flow_meter.replaced', kind: 'flow_meter', id } as const;
  return correctableDeviceChange(parts, context, subject, () => {
    const meter = requireFound(store.taps.meters.byId(id), `flow meter ${id}`);
    const calibrated = newFactor !== undefined;
    const ticksPerMl = calibrated
      ? validateTicksPerMl(newFactor)
      : (store.taps.meters.declaredTicksPerMl(id) ?? defaultTicksPerMl);
    forgetMeasured(store, { ...meter, ticksPerMl, calibrated }, context.now);
    return store.taps.meters.byId(id)!;
  });
}

/**
 * What was measured of one meter says nothing of another: its curve, the uncertainty of its factor, its evidence, and the ticks per second
 * of its tap's beer. The factor stays as given. Call it in a transaction.
 */
export function forgetMeasured(
  { taps }: Store,
  { id, tapId, ticksPerMl, calibrated }: Pick<FlowMeter, 'id' | 'tapId' | 'ticksPerMl' | 'calibrated'>,
  { wallMs }: Moment,
): void {
  const calibration = { id, ticksPerMl, calibrated, uFactor: null, measuredBy: null, uLagS: null };
  taps.meters.restoreCalibration(calibration);
  taps.meters.setCurve(id, null, ticksPerMl);
  taps.meters.startLearning(id);
  if (tapId !== null) taps.rates.forget(tapId, Math.max(0, Math.round(wallMs)));
}
