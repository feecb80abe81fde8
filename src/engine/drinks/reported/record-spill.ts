import { AppError } from '../../../core/app-error.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import type { Keg, Spill } from '../../../core/records.ts';
import type { Store } from '../../../store/store.ts';
import { addSpill, addSpillCorrection } from '../../kegs/spills.ts';
import { writeAudit } from '../../shared/audit.ts';
import { maxVolumeMl } from '../../shared/bounds.ts';
import { change, type EngineParts } from '../../shared/parts.ts';
import { resolveTap } from '../../taps/taps.ts';
import { toCountedTime } from '../tap-losses.ts';
import { findRecordedPour } from './recorded-pours.ts';
import { type ReportedPour, reportedVolume, validateReport } from './reported-pour.ts';

export type ReportedSpill = Pick<ReportedPour, 'tap' | 'ticks' | 'volumeMl' | 'pourId' | 'actor'>;

export interface RecordedSpill {
  readonly spill: Spill;
  /** Afterwards; null where the tap has none. */
  readonly keg: Keg | null;
}

/** Records a spill; one whose pour id is known changes nothing. Throws `conflict` for a pour that was recorded as a drink. */
export function recordSpill(parts: EngineParts, spill: ReportedSpill, now: Moment): RecordedSpill {
  const { store } = parts;
  const report = validateReport({ ...spill, source: 'manual' });
  const { pourId, ticks } = report;
  const first = pourId === null ? null : store.spills.byPourId(pourId);
  if (first !== null) return { spill: first, keg: findKeg(store, first.kegId) };
  return change(
    parts,
    () => {
      if (pourId !== null && findRecordedPour(store, pourId) !== null) {
        throw new AppError('conflict', 'That pour was recorded as a drink: cancel the drink to spill it.');
      }
      const { tapId, meter } = resolveTap(store, spill.tap);
      const kegId = tapId === null ? null : store.taps.byId(tapId)!.kegId;
      const volumeMl = Math.min(reportedVolume(report, meter), maxVolumeMl);
      if (meter !== null) store.meters.count(meter.id, ticks, toCountedTime(now));
      if (kegId !== null) store.kegs.addSpilled(kegId, volumeMl);
      const meterName = meter?.name ?? null;
      const stored = addSpill(store, { tapId, kegId, ticks, volumeMl, meter: meterName, pourId }, now);
      if (spill.actor) {
        const after = { id: stored.id, tap_id: tapId, keg_id: kegId, volume_ml: volumeMl };
        const subject = { kind: 'spill', id: stored.id };
        const entry = { actor: spill.actor, action: 'spill.recorded', subject, after };
        addSpillCorrection(store, writeAudit(store, entry, now), stored);
      }
      return { spill: stored, keg: findKeg(store, kegId) };
    },
    'pour',
  );
}

const findKeg = (store: Store, kegId: number | null): Keg | null =>
  kegId === null ? null : store.kegs.byId(kegId);
