import type { Moment } from '../../../core/clock/moment.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { checkReportedVolume } from '../../../core/pours/pour-judgement.ts';
import type { MeterConfig } from '../../../core/records.ts';
import { maxVolumeMl } from '../../shared/bounds.ts';
import type { EngineParts } from '../../shared/parts.ts';
import { resolveUser } from '../../users/resolve-user.ts';
import {
  findPlacementDoubt,
  type PreparedDrink,
  toInstant,
  toPlacement,
} from '../recording/prepared-drink.ts';
import { toCountedTime } from '../tap-losses.ts';
import type { Identity } from './identify-report.ts';
import {
  checkKegOf,
  hasCredibleAge,
  measuredPart,
  type ReportedPour,
  reportedVolume,
  type ValidReport,
} from './reported-pour.ts';

/** A report within its bounds, and where it belongs. */
interface PlacedReport {
  readonly pour: ReportedPour;
  readonly report: ValidReport;
  readonly tapId: number | null;
  readonly meter: MeterConfig | null;
}

/** The drink of a report that is not known yet. Adds its ticks to the total of its meter. */
export function toReportedDrink(
  { store, settings, hooks }: EngineParts,
  { pour, report, tapId, meter }: PlacedReport,
  identity: Identity,
  now: Moment,
): PreparedDrink {
  const isCredible = hasCredibleAge(pour, report);
  const measured = measuredPart(report, pour, meter);
  const volumeMl = reportedVolume(measured, meter);
  if (meter !== null) store.taps.meters.count(meter.id, report.ticks, toCountedTime(now, report.agoMs));
  const size = checkReportedVolume({
    volumeMl,
    ...omitUndefined({ maxVolumeMl: settings.maxReportedMl }),
  });
  const repeat = identity.isPossibleRepeat ? 'possible_repeat' : null;
  const end = {
    pourTimeMs: Math.max(0, Math.round(now.wallMs - report.agoMs)),
    bootId: isCredible ? now.bootId : '',
    endMonoMs: now.monoMs - report.agoMs,
  };
  // What a person adds by hand is a drink, whatever is done to the line.
  const setAside =
    pour.source === 'manual' ? null : hooks.judgePour({ tapId, ...end, durationMs: report.durationMs });
  const recordedMl = Math.min(volumeMl, maxVolumeMl);
  const { ticks, durationMs, series } = report;
  const poured = { tapId, ticks, volumeMl: recordedMl, durationMs, series, gasTicks: 0, foamTicks: 0 };
  const doubt =
    setAside === null
      ? (repeat ??
        size ??
        findPlacementDoubt(tapId, volumeMl) ??
        checkKegOf(store, tapId, toInstant(end), volumeMl))
      : setAside.reason;
  // Of a time that cannot be right, only the receipt is known.
  const flowEnd = isCredible ? end : { pourTimeMs: now.wallMs, bootId: now.bootId, endMonoMs: now.monoMs };
  const placement = toPlacement(store, poured, flowEnd, doubt);
  const user = resolveUser(store, pour.isTokenResolved ? { ...report, authToken: null } : report, now);
  return {
    tapId,
    kegId: placement.kegId,
    parts: placement.parts,
    isKegAssigned: placement.isKegAssigned || !isCredible,
    heldReason: placement.heldReason,
    userId: user.userId,
    claimedUsername: user.claimedUsername,
    authToken: report.authToken,
    ticks,
    volumeMl: recordedMl,
    volumeGiven: measured.volumeMl !== null,
    pourTimeMs: end.pourTimeMs,
    timeCertain: now.synced && isCredible,
    bootId: end.bootId,
    endMonoMs: end.endMonoMs,
    durationMs,
    series,
    gasTicks: 0,
    foamTicks: 0,
    gasOnsetMs: null,
    pourId: null,
    meter: meter?.name ?? null,
    ticksLost: null,
    rejectedEdges: 0,
    rateDefault: null,
    shout: report.shout,
    recovered: false,
    flowWhileShut: false,
    source: pour.source,
    isSetAside: setAside !== null,
    setAside,
  };
}
