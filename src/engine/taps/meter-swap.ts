import { AppError } from '../../core/app-error.ts';
import type { FlowMeter } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import type { ActorContext } from '../shared/actor-context.ts';
import { requireFound, validationError } from '../shared/bounds.ts';
import type { EngineParts } from '../shared/parts.ts';
import { correctableDeviceChange } from './device-corrections.ts';

/** Two taps whose meters were mixed up. */
export interface MeterSwap {
  readonly tapId: number;
  readonly otherTapId: number;
  /**
   * True when only the cables were swapped, so that each meter is still in the line of its tap but counts at the other port: the factors
   * and curves are exchanged between the ports, too. Default false: they stay with the meters.
   */
  readonly exchangesFactors?: boolean | undefined;
}

/**
 * Exchanges the meters of two taps; where one has none, the other's moves. Past drinks stay. What contradicted is explained, so the charts
 * of deviations begin anew. Rates of a tap that were counted at a port before say nothing of it now. Undone as a whole, except that the
 * taps learn their rates again.
 */
export function swapMeters(
  parts: EngineParts,
  { tapId, otherTapId, exchangesFactors = false }: MeterSwap,
  context: ActorContext,
): void {
  const { store } = parts;
  const taps = [tapId, otherTapId].map((id) => requireFound(store.taps.byId(id), `tap ${id}`));
  if (tapId === otherTapId) throw validationError('tap', 'must be another tap', { name: 'different' });
  const snapshot = () => ({
    taps: taps.map(({ id, name }) => `${name}: ${toText(store.taps.meters.byTap(id))}`).join(', '),
  });
  const subject = { action: 'tap.meters_swapped', kind: 'tap', id: tapId, snapshot } as const;
  correctableDeviceChange(parts, context, subject, () => {
    const [meter = null, other = null] = taps.map(({ id }) => store.taps.meters.byTap(id));
    if (meter === null && other === null) throw noMetersError();
    for (const { id } of taps) store.taps.meters.unbindTap(id);
    if (meter !== null) store.taps.meters.bind(meter.id, otherTapId);
    if (other !== null) store.taps.meters.bind(other.id, tapId);
    if (exchangesFactors && meter !== null && other !== null) {
      setFactorOf(store, meter.id, other);
      setFactorOf(store, other.id, meter);
    }
    for (const one of [meter, other])
      if (one !== null)
        store.taps.meterEvidence.startChart(one.id, store.taps.meterEvidence.newestId(one.id));
    for (const { id } of taps) store.taps.rates.forget(id, Math.max(0, Math.round(context.now.wallMs)));
  });
}

/** The evidence of the port is that of the meter which was there before. */
function setFactorOf(store: Store, id: number, other: FlowMeter): void {
  const { ticksPerMl, curve } = other;
  store.taps.meters.restoreCalibration({ ...other, id });
  store.taps.meters.setCurve(id, curve, ticksPerMl);
  store.taps.meters.startLearning(id);
}

const toText = (meter: FlowMeter | null): string =>
  meter === null ? '–' : `${meter.name} (${Number(meter.ticksPerMl.toPrecision(6))})`;

const noMetersError = () =>
  new AppError('conflict', 'Neither tap has a meter.', { reason: { name: 'no_meters' } });
