import { hash } from 'node:crypto';
import { maxCredibleAgeMs } from '../../../core/clock/clock-rules.ts';
import type { Instant } from '../../../core/clock/instant.ts';
import { volumeOfTicks } from '../../../core/pours/calibration.ts';
import { checkKegVolume, smallPourMl } from '../../../core/pours/pour-judgement.ts';
import { normalizeTickSeries } from '../../../core/pours/tick-series.ts';
import type { MeterConfig, PourSource } from '../../../core/records.ts';
import type { TextKind } from '../../../core/text/text-rules.ts';
import type { Store } from '../../../store/store.ts';
import { findKegAt } from '../../kegs/placement/keg-spans.ts';
import type { Actor } from '../../shared/audit.ts';
import {
  maxDurationMs,
  maxTicks,
  maxVolumeMl,
  validateNumber,
  validatePourId,
  validateText,
  validationError,
} from '../../shared/bounds.ts';
import type { PreparedPicture } from '../../shared/pictures.ts';
import type { TapRef } from '../../shared/views.ts';

/** A pour measured by another controller or by a person. */
export interface ReportedPour {
  readonly tap: TapRef;
  /** Who reports it, by which ids are told apart: `boardSender`, `userSender`. Default: nobody in particular. */
  readonly sender?: string;
  /** Whole, ≥ 0. */
  readonly ticks: number;
  /** Takes precedence over the ticks, even when 0; absent: computed from ticks and the tap's meter. */
  readonly volumeMl?: number;
  /** An unknown name is stored as `claimedUsername`; empty and `guest` mean no user. */
  readonly username?: string;
  /** `device|value` or a bare value; resolved to a user when no username is given, always stored. */
  readonly authToken?: string;
  /** True when the user was resolved at the presentment: the token is stored but not resolved again. */
  readonly isTokenResolved?: boolean;
  /** Time between the pour's end and `now`, milliseconds; negative values count as 0. */
  readonly agoMs?: number;
  readonly durationMs?: number;
  readonly shout?: string;
  /** Ignored when malformed. */
  readonly series?: string;
  /** The sender's own id of the pour. */
  readonly pourId?: string;
  /** The sender's own clock, Unix seconds: the pour's end, and the present. It may be wrong. */
  readonly clientClock?: { readonly endS: number; readonly nowS: number };
  /** True when the sender numbers its reports and has sent this number before: it is known if its id is. */
  readonly isSentAgain?: boolean;
  /** Attached to the drink in the same transaction, unless the pour was recorded earlier. */
  readonly picture?: PreparedPicture;
  readonly source: PourSource;
  /** The person who enters it manually, for the audit log. */
  readonly actor?: Actor;
}

/** The sender of a network board's reports; its name stays when it is renamed here, or gets another token. */
export const boardSender = (device: string): string => `board ${device}`;

/** The sender of reports with a key or login of that user. */
export const userSender = (userId: number): string => `user ${userId}`;

/** Converts an opaque name to a valid pour id; the same name gives the same id. */
export const toPourId = (name: string): string =>
  /^[\x21-\x7e]{1,64}$/.test(name) ? name : `sha256-${hash('sha256', name).slice(0, 56)}`;

/** A report within its bounds. */
export type ValidReport = ReturnType<typeof validateReport>;

/** Validates a report; missing values become null. Errors name the API's fields. */
export function validateReport(pour: ReportedPour) {
  // Only a person can correct a text; what a board or another controller reports must not lose the drink.
  const from = pour.source === 'manual' ? 'person' : 'device';
  const text = (field: string, value: string | undefined, max: number, kind: TextKind = 'line') =>
    value === undefined ? null : validateText(field, value, { min: 0, max, kind, from }) || null;
  const agoMs = validateNumber('pour_time', pour.agoMs ?? 0, { min: -1e15, max: 1e15 });
  return {
    sender: pour.sender ?? '',
    ticks: validateNumber('ticks', pour.ticks, { min: 0, max: maxTicks, whole: true }),
    volumeMl:
      pour.volumeMl === undefined
        ? null
        : validateNumber('volume_ml', pour.volumeMl, { min: 0, max: maxVolumeMl }),
    username: text('username', pour.username, 128),
    authToken: text('auth_token', pour.authToken, 256),
    agoMs: Math.max(0, agoMs),
    /** As reported, also of a pour in the future; null without a time. */
    endAgoMs: pour.agoMs === undefined ? null : agoMs,
    durationMs: Math.round(validateNumber('duration', pour.durationMs ?? 0, { min: 0, max: maxDurationMs })),
    shout: text('shout', pour.shout, 1_000, 'lines'),
    series: pour.series === undefined ? null : normalizeTickSeries(pour.series),
    pourId: pour.pourId === undefined ? null : validatePourId(pour.pourId),
    clientClock: pour.clientClock ?? null,
    isSentAgain: pour.isSentAgain ?? false,
  };
}

/** Whether the age stated by a controller can be right; a person may enter a drink of any age. */
export const hasCredibleAge = ({ source }: Pick<ReportedPour, 'source'>, { agoMs }: ValidReport): boolean =>
  source === 'manual' || agoMs <= maxCredibleAgeMs;

/** Whether the pour is too large for the keg that was on the tap then; now, where that is not known. */
export function checkKegOf(
  store: Store,
  tapId: number | null,
  end: Instant,
  volumeMl: number,
): 'too_large' | null {
  if (tapId === null || volumeMl <= smallPourMl) return null;
  const kegId = findKegAt(store, tapId, end) ?? store.taps.byId(tapId)!.kegId;
  return kegId === null ? null : checkKegVolume(volumeMl, store.kegs.byId(kegId)!.fullVolumeMl);
}

/**
 * What counts of a report: of a board whose factor was measured here the ticks, since its own factor may be wrong, else the volume that
 * it gives.
 */
export const measuredPart = (
  report: { readonly ticks: number; readonly volumeMl: number | null },
  { source }: Pick<ReportedPour, 'source'>,
  meter: MeterConfig | null,
): { readonly ticks: number; readonly volumeMl: number | null } => ({
  ticks: report.ticks,
  volumeMl:
    source === 'device' && report.ticks > 0 && (meter?.uFactor ?? null) !== null ? null : report.volumeMl,
});

/** Volume of the report, or computed from its ticks and the meter, millilitres. */
export function reportedVolume(
  report: { readonly ticks: number; readonly volumeMl: number | null },
  meter: MeterConfig | null,
): number {
  if (report.volumeMl !== null) return report.volumeMl;
  if (meter !== null) return volumeOfTicks(report.ticks, meter.ticksPerMl);
  throw validationError('volume_ml', 'is needed: the tap has no meter to compute the volume from ticks');
}
