import type { Moment } from '../../../core/clock/moment.ts';
import type { Keg, Spill } from '../../../core/records.ts';
import type { Store } from '../../../store/store.ts';
import { updateKegEvidence } from '../../kegs/keg-evidence.ts';
import { findKegAt, wallInstant } from '../../kegs/placement/keg-spans.ts';
import { followCount } from '../../kegs/placement/series.ts';
import { addSpill, addSpillCorrection } from '../../kegs/spills.ts';
import { writeAudit } from '../../shared/audit.ts';
import { maxVolumeMl } from '../../shared/bounds.ts';
import { change, type EngineParts } from '../../shared/parts.ts';
import { resolveTap } from '../../taps/taps.ts';
import { toCountedTime } from '../tap-losses.ts';
import { identifyReport, rememberReport } from './identify-report.ts';
import { type ReportedPour, reportedVolume, validateReport } from './reported-pour.ts';

/** By default entered by hand. */
export type ReportedSpill = Pick<
  ReportedPour,
  'tap' | 'sender' | 'ticks' | 'volumeMl' | 'agoMs' | 'pourId' | 'actor'
> &
  Partial<Pick<ReportedPour, 'source'>>;

export interface RecordedSpill {
  /** Null for a repeated report of a spill that was undone. */
  readonly spill: Spill | null;
  /** Afterwards; null where the tap has none. */
  readonly keg: Keg | null;
}

/** Records a spill; one that was recorded earlier changes nothing. */
export function recordSpill(parts: EngineParts, spill: ReportedSpill, now: Moment): RecordedSpill {
  const { store } = parts;
  const pour = { source: 'manual' as const, ...spill };
  const report = validateReport(pour);
  const { ticks } = report;
  const { tapId, meter } = resolveTap(store, spill.tap);
  const identity = identifyReport(
    store,
    { ...report, source: pour.source, tapId, meter, isSpill: true },
    now,
  );
  if (identity.first !== null) {
    const first = store.drinks.spills.byId(identity.first.spillId!);
    return { spill: first, keg: readKeg(store, first?.kegId ?? null) };
  }
  return change(
    parts,
    () => {
      const timeMs = spill.agoMs === undefined ? undefined : Math.round(now.wallMs - report.agoMs);
      const kegId = findKeg(store, tapId, timeMs);
      const volumeMl = Math.min(reportedVolume(report, meter), maxVolumeMl);
      if (meter !== null) store.taps.meters.count(meter.id, ticks, toCountedTime(now, report.agoMs));
      if (kegId !== null) store.kegs.addSpilled(kegId, volumeMl);
      const meterName = meter?.name ?? null;
      const added = { tapId, kegId, ticks, volumeMl, meter: meterName, pourId: null, isKegAssigned: false };
      const stored = addSpill(store, added, now, timeMs);
      if (kegId !== null && timeMs !== undefined) updateKegEvidence(store, kegId);
      if (kegId !== null) followCount(store, kegId, now);
      rememberReport(store, identity, { spillId: stored.id }, now);
      if (spill.actor) {
        const after = { id: stored.id, tap_id: tapId, keg_id: kegId, volume_ml: volumeMl };
        const subject = { kind: 'spill', id: stored.id };
        const entry = { actor: spill.actor, action: 'spill.recorded', subject, after };
        addSpillCorrection(parts, writeAudit(store, entry, now), stored);
      }
      return { spill: stored, keg: readKeg(store, kegId) };
    },
    'pour',
  );
}

/** The keg that was on the tap at that time; the present one without a time. */
function findKeg(store: Store, tapId: number | null, timeMs: number | undefined): number | null {
  if (tapId === null) return null;
  return timeMs === undefined ? store.taps.byId(tapId)!.kegId : findKegAt(store, tapId, wallInstant(timeMs));
}

const readKeg = (store: Store, kegId: number | null): Keg | null =>
  kegId === null ? null : store.kegs.byId(kegId);
