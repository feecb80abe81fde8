import { volumeOfTicks } from '../core/calibration.ts';
import type { MeterConfig, PourSource } from '../core/records.ts';
import { normalizeTickSeries } from '../core/tick-series.ts';
import type { Actor } from './audit.ts';
import {
  maxDurationMs,
  maxTicks,
  maxVolumeMl,
  validateNumber,
  validatePourId,
  validateText,
  validationError,
} from './bounds.ts';
import type { PreparedPicture } from './pictures.ts';
import type { TapRef } from './views.ts';

/** A pour that somebody else measured: another controller, or a person. */
export interface ReportedPour {
  readonly tap: TapRef;
  /** Whole, ≥ 0. */
  readonly ticks: number;
  /** Wins over the ticks, even when 0; absent → computed from ticks and the tap's meter. */
  readonly volumeMl?: number;
  /** Unknown names are kept as `claimedUsername`; empty and `guest` mean nobody. */
  readonly username?: string;
  /** `device|value` or a bare value; resolved to a user when no username is given, stored always. */
  readonly authToken?: string;
  /** True when who drinks was settled as the token was presented: it is stored, and resolved to nobody now. */
  readonly isTokenResolved?: boolean;
  /** How long before `now` the pour ended, milliseconds; negative is cut to 0. */
  readonly agoMs?: number;
  readonly durationMs?: number;
  readonly shout?: string;
  /** Dropped when malformed. */
  readonly series?: string;
  readonly pourId?: string;
  /** Attached to the drink in the same transaction, unless the pour was told before. */
  readonly picture?: PreparedPicture;
  readonly source: PourSource;
  /** Whoever enters it by hand: the book of changes tells of it. */
  readonly actor?: Actor;
}

/** A report with every field within its limits; what was not given is null. Refuses in the wire's field names. */
export function validateReport(pour: ReportedPour) {
  const text = (field: string, value: string | undefined, max: number): string | null =>
    value === undefined ? null : validateText(field, value, { min: 0, max }) || null;
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
    shout: text('shout', pour.shout, 1_000),
    series: pour.series === undefined ? null : normalizeTickSeries(pour.series),
    pourId: pour.pourId === undefined ? null : validatePourId(pour.pourId),
  };
}

/** What the report says was poured, or what its ticks stand for on that meter, millilitres. */
export function reportedVolume(
  report: { readonly ticks: number; readonly volumeMl: number | null },
  meter: MeterConfig | null,
): number {
  if (report.volumeMl !== null) return report.volumeMl;
  if (meter !== null) return volumeOfTicks(report.ticks, meter.ticksPerMl);
  throw validationError('volume_ml', 'is needed: the tap has no meter to tell the volume from ticks');
}
