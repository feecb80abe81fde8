import type { Moment } from '../../../core/clock/moment.ts';
import type { EndedPour } from '../../../core/pours/pour.ts';
import { normalizeTickSeries } from '../../../core/pours/tick-series.ts';
import type { Store } from '../../../store/store.ts';
import { resolveGrantUser } from '../../access/grants.ts';
import { findKegs } from '../../kegs/placement/keg-spans.ts';
import { maxDurationMs, maxTicks, maxVolumeMl, validatePourId } from '../../shared/bounds.ts';
import type { EngineParts } from '../../shared/parts.ts';
import type { FlowKegs } from '../../taps/meter-facts.ts';
import { toCountedTime } from '../tap-losses.ts';
import { measurePour } from './measured-pour.ts';
import { toEndTime, toFlowEnd } from './pour-time.ts';
import {
  type FlowEnd,
  findPlacementDoubt,
  type PreparedDrink,
  toInstant,
  toPlacement,
} from './prepared-drink.ts';

/** The drink of a pour that our own meters counted. Adds its ticks to the total of its meter. */
export function toCountedDrink(
  parts: EngineParts,
  pour: EndedPour,
  source: 'pin' | 'serial',
  now: Moment,
): PreparedDrink {
  const { store, hooks } = parts;
  const meter = store.taps.meters.byName(pour.meter);
  const end = toEndTime(pour, now);
  const tapId = meter?.tapId ?? null;
  const flowEnd = toFlowEnd(pour, end);
  const setAside = hooks.judgePour({ tapId, ...flowEnd });
  const origin = {
    meter,
    source,
    isSetAside: setAside !== null,
    kegs: findFlowKegs(store, tapId, flowEnd),
  };
  const measured = measurePour(parts, pour, origin);
  const { ticks, volumeMl } = measured;
  if (meter !== null) store.taps.meters.count(meter.id, ticks, toCountedTime(now));
  else store.taps.meters.countWithoutMeter(pour.meter, ticks);
  // Whoever pours now did not pour unobserved ticks.
  const owner = pour.unobserved ? { userId: null, authToken: null } : resolveGrantUser(store, pour);
  const doubt = pour.doubts[0] ?? measured.doubt ?? findPlacementDoubt(tapId, volumeMl);
  const poured = {
    tapId,
    ticks,
    gasTicks: measured.gasTicks,
    foamTicks: measured.foamTicks,
    volumeMl: Math.min(volumeMl, maxVolumeMl),
    durationMs: clampWhole(pour.durationMs, maxDurationMs),
    series: normalizeTickSeries(pour.series),
  };
  const placement = toPlacement(store, poured, flowEnd, setAside === null ? doubt : setAside.reason);
  return {
    tapId,
    kegId: placement.kegId,
    parts: placement.parts,
    isKegAssigned: placement.isKegAssigned,
    heldReason: placement.heldReason,
    userId: owner.userId,
    claimedUsername: null,
    authToken: owner.authToken,
    ticks,
    volumeMl: poured.volumeMl,
    volumeGiven: false,
    pourTimeMs: end.pourTimeMs,
    timeCertain: end.timeCertain,
    bootId: end.bootId,
    endMonoMs: end.endMonoMs,
    durationMs: poured.durationMs,
    series: poured.series,
    gasTicks: measured.gasTicks,
    foamTicks: measured.foamTicks,
    gasOnsetMs: measured.gasOnsetMs,
    pourId: validatePourId(pour.pourId),
    meter: pour.meter,
    ticksLost: pour.ticksLost === null ? null : clampWhole(pour.ticksLost, maxTicks),
    rejectedEdges: clampWhole(pour.rejectedEdges, maxTicks),
    rateDefault: measured.rateDefault,
    shout: null,
    recovered: pour.recovered,
    flowWhileShut: pour.flowWhileShut ?? false,
    source,
    isSetAside: setAside !== null,
    setAside,
  };
}

/** The kegs that a flow came from first and last. */
function findFlowKegs(
  store: Store,
  tapId: number | null,
  { durationMs, ...end }: FlowEnd & { readonly durationMs: number },
): FlowKegs | null {
  if (tapId === null) return null;
  const kegs = findKegs(store, tapId, { end: toInstant(end), durationMs, pairs: null });
  return { first: kegs[0]!.kegId, last: kegs.at(-1)!.kegId };
}

function clampWhole(value: number, max: number): number {
  return Number.isFinite(value) ? Math.min(Math.max(Math.round(value), 0), max) : 0;
}
