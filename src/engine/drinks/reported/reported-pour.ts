import { maxCredibleAgeMs } from '../../../core/clock/clock-rules.ts';
import { volumeOfTicks } from '../../../core/pours/calibration.ts';
import { normalizeTickSeries } from '../../../core/pours/tick-series.ts';
import type { MeterConfig, PourSource } from '../../../core/records.ts';
import type { TextKind } from '../../../core/rules/text-rules.ts';
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
  readonly pourId?: string;
  /**
   * The pour's end by the client's own clock as sent, Unix seconds. Without `pourId`, a report with equal values within
   * 15 minutes returns the first drink.
   */
  readonly clientEndS?: number;
  /** Attached to the drink in the same transaction, unless the pour was recorded earlier. */
  readonly picture?: PreparedPicture;
  readonly source: PourSource;
  /** The person who enters it manually, for the audit log. */
  readonly actor?: Actor;
}

/** A report within its bounds. */
export type ValidReport = ReturnType<typeof validateReport>;

/** Validates a report; missing values become null. Errors name the API's fields. */
export function validateReport(pour: ReportedPour) {
  // Only a person can correct a text; what a board or another controller reports must not lose the drink.
  const from = pour.source === 'manual' ? 'person' : 'device';
  const text = (field: string, value: string | undefined, max: number, kind: TextKind = 'line') =>
    value === undefined ? null : validateText(field, value, { min: 0, max, kind, from }) || null;
  return {
    ticks: validateNumber('ticks', pour.ticks, { min: 0, max: maxTicks, whole: true }),
    volumeMl:
      pour.volumeMl === undefined
        ? null
        : validateNumber('volume_ml', pour.volumeMl, { min: 0, max: maxVolumeMl }),
    username: text('username', pour.username, 128),
    authToken: text('auth_token', pour.authToken, 256),
    agoMs: Math.max(0, validateNumber('pour_time', pour.agoMs ?? 0, { min: -1e15, max: 1e15 })),
    durationMs: Math.round(validateNumber('duration', pour.durationMs ?? 0, { min: 0, max: maxDurationMs })),
    shout: text('shout', pour.shout, 1_000, 'lines'),
    series: pour.series === undefined ? null : normalizeTickSeries(pour.series),
    pourId: pour.pourId === undefined ? null : validatePourId(pour.pourId),
    clientEndS: pour.clientEndS ?? null,
  };
}

/** Whether the age stated by a controller can be right; a person may enter a drink of any age. */
export const hasCredibleAge = ({ source }: Pick<ReportedPour, 'source'>, { agoMs }: ValidReport): boolean =>
  source === 'manual' || agoMs <= maxCredibleAgeMs;

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
