import type { IncompleteReason } from '../../core/measurement/counted-keg.ts';
import {
  baseEvidenceKinds,
  type Evidence,
  type EvidenceKind,
} from '../../core/measurement/meter-learning.ts';
import type { MeasuredBy } from '../../core/measurement/uncertainty.ts';
import type { Database } from '../database.ts';

/** A piece of evidence with its origin. */
export interface StoredEvidence extends Evidence {
  readonly id: number;
  readonly meterId: number;
  /** The keg that ran empty or was weighed; null for a calibration. */
  readonly kegId: number | null;
  /** The correction of the calibration whose pours were measured; null for a keg. */
  readonly calibrationId: number | null;
  /** The keg whose pours something measured beside the meter; null for all else. */
  readonly pouredKegId: number | null;
  /** False for a keg of which some beer or ticks are not known; a correction may change that. */
  readonly isFit: boolean;
  /** Why it is not; null for one that is. */
  readonly incompleteReason: IncompleteReason | null;
  /** Staff said that it is wrong. */
  readonly isDiscarded: boolean;
}

/** What a meter's learning starts from, and where its chart of deviations begins. */
export interface LearningState {
  /** Factor from which it learns; null: that in use. */
  readonly priorTicksPerMl: number | null;
  readonly uPrior: number | null;
  /** Standard uncertainty of its model as a share; null when it is not known. */
  readonly uModel: number | null;
  /** Evidence with a higher id is learned from. */
  readonly evidenceAfter: number;
  /** Evidence with a higher id is in the chart. */
  readonly chartAfter: number;
  /** The newest evidence when a learned factor was applied last; it is applied by itself once at most. */
  readonly appliedEvidence: number;
}

interface EvidenceRow {
  id: number;
  meter_id: number;
  kind: Evidence['kind'];
  ticks: number;
  volume_ml: number;
  u: number;
  fill_group: string | null;
  time_ms: number;
  keg_id: number | null;
  calibration_id: number | null;
  poured_keg_id: number | null;
  is_fit: number;
  incomplete_reason: IncompleteReason | null;
  is_discarded: number;
}

/** A measurement of a factor, before it is stored. */
export type NewEvidence = Omit<StoredEvidence, 'id' | 'isDiscarded' | 'pouredKegId' | 'incompleteReason'> &
  Partial<Pick<StoredEvidence, 'pouredKegId' | 'incompleteReason'>>;

/** What a later correction may change of it. */
export type EvidenceMeasure = Pick<
  StoredEvidence,
  'kind' | 'ticks' | 'volumeMl' | 'u' | 'fillGroup' | 'timeMs' | 'isFit' | 'incompleteReason'
>;

/** The evidence from which meters learn their factors, and the state of their learning. `ofExtensions` are the kinds that they add. */
export function meterEvidenceTable(db: Database, ofExtensions: readonly EvidenceKind[] = []) {
  const kinds: ReadonlySet<EvidenceKind> = new Set([...baseEvidenceKinds, ...ofExtensions]);
  const requireKind = (kind: EvidenceKind): void => {
    if (!kinds.has(kind)) throw new Error(`No kind "${kind}" of evidence is declared.`);
  };
  const insert = db
    .prepare<Omit<NewEvidence, 'isFit'> & { isFit: number }, number>(
      `INSERT INTO meter_evidence (meter_id, kind, ticks, volume_ml, u, fill_group, time_ms, keg_id, calibration_id, is_fit, incomplete_reason, poured_keg_id)
       VALUES (@meterId, @kind, @ticks, @volumeMl, @u, @fillGroup, @timeMs, @kegId, @calibrationId, @isFit, @incompleteReason, @pouredKegId) RETURNING id`,
    )
    .pluck();
  const byId = db.prepare<[number], EvidenceRow>('SELECT * FROM meter_evidence WHERE id = ?');
  const byKeg = db.prepare<[number], EvidenceRow>('SELECT * FROM meter_evidence WHERE keg_id = ?');
  const byPouredKeg = db.prepare<[kegId: number, kind: EvidenceKind], EvidenceRow>(
    'SELECT * FROM meter_evidence WHERE poured_keg_id = ? AND kind = ?',
  );
  const kegsAt = db
    .prepare<{ meterId: number; timeMs: number }, number>(
      `SELECT k.id FROM meter_evidence e JOIN kegs k ON k.id = e.keg_id
       WHERE e.meter_id = @meterId AND k.started_time_ms <= @timeMs AND coalesce(k.finished_time_ms, @timeMs) >= @timeMs`,
    )
    .pluck();
  const kegsDuring = db
    .prepare<{ meterId: number; sinceMs: number; untilMs: number }, number>(
      `SELECT k.id FROM meter_evidence e JOIN kegs k ON k.id = e.keg_id
       WHERE e.meter_id = @meterId AND k.started_time_ms <= @untilMs AND coalesce(k.finished_time_ms, @sinceMs) >= @sinceMs`,
    )
    .pluck();
  const newest = db.prepare<[meterId: number, limit: number], EvidenceRow>(
    'SELECT * FROM meter_evidence WHERE meter_id = ? ORDER BY id DESC LIMIT ?',
  );
  const newestId = db
    .prepare<[number], number>('SELECT coalesce(max(id), 0) FROM meter_evidence WHERE meter_id = ?')
    .pluck();
  const setMeasure = db.prepare<Omit<EvidenceMeasure, 'isFit'> & { id: number; isFit: number }>(
    `UPDATE meter_evidence SET kind = @kind, ticks = @ticks, volume_ml = @volumeMl, u = @u, fill_group = @fillGroup,
       time_ms = @timeMs, is_fit = @isFit, incomplete_reason = @incompleteReason WHERE id = @id`,
  );
  const setDiscarded = db.prepare<{ id: number; isDiscarded: number }>(
    'UPDATE meter_evidence SET is_discarded = @isDiscarded WHERE id = @id',
  );
  const removeByKeg = db.prepare<[number]>('DELETE FROM meter_evidence WHERE keg_id = ?');
  const removeByPouredKeg = db.prepare<[kegId: number, kind: EvidenceKind]>(
    'DELETE FROM meter_evidence WHERE poured_keg_id = ? AND kind = ?',
  );
  const removeByCalibration = db.prepare<[number]>('DELETE FROM meter_evidence WHERE calibration_id = ?');
  const state = db.prepare<[number], LearningState>(
    `SELECT prior_ticks_per_ml AS priorTicksPerMl, u_prior AS uPrior, u_model AS uModel, evidence_after AS evidenceAfter,
       chart_after AS chartAfter, applied_evidence AS appliedEvidence FROM flow_meters WHERE id = ?`,
  );
  const setFactor = db.prepare<{
    id: number;
    ticksPerMl: number;
    uFactor: number | null;
    hz: number | null;
    ticks: number | null;
    uLagS: number | null;
    priorTicksPerMl: number;
    uPrior: number;
  }>(
    `UPDATE flow_meters SET ticks_per_ml = @ticksPerMl, calibrated = 1, u_factor = @uFactor,
       measured_hz = @hz, measured_ticks = @ticks, u_lag_s = coalesce(@uLagS, u_lag_s),
       prior_ticks_per_ml = @priorTicksPerMl, u_prior = @uPrior WHERE id = @id`,
  );
  const startChart = db.prepare<{ id: number; after: number }>(
    'UPDATE flow_meters SET chart_after = @after WHERE id = @id',
  );
  const setApplied = db.prepare<{ id: number; evidence: number }>(
    'UPDATE flow_meters SET applied_evidence = @evidence WHERE id = @id',
  );
  const restoreState = db.prepare<LearningState & { id: number }>(
    `UPDATE flow_meters SET prior_ticks_per_ml = @priorTicksPerMl, u_prior = @uPrior, u_model = @uModel,
       evidence_after = @evidenceAfter, chart_after = @chartAfter, applied_evidence = @appliedEvidence WHERE id = @id`,
  );
  const takeOver = db.prepare<{ id: number; formerId: number }>(
    'UPDATE meter_evidence SET meter_id = @id WHERE meter_id = @formerId',
  );
  const setModel = db.prepare<{ id: number; uModel: number | null }>(
    'UPDATE flow_meters SET u_model = @uModel WHERE id = @id AND u_model IS NOT @uModel',
  );
  return {
    add(evidence: NewEvidence): number {
      requireKind(evidence.kind);
      const isFit = Number(evidence.isFit);
      return insert.get({ pouredKegId: null, incompleteReason: null, ...evidence, isFit })!;
    },
    byId: (id: number): StoredEvidence | null => toEvidence(byId.get(id)),
    byKeg: (kegId: number): StoredEvidence | null => toEvidence(byKeg.get(kegId)),
    /** What was measured of that kind beside the meter by the pours of the keg. */
    byPouredKeg: (kegId: number, kind: EvidenceKind): StoredEvidence | null =>
      toEvidence(byPouredKeg.get(kegId, kind)),
    /** Kegs that are evidence of the meter and were on tap at that time. */
    kegsAt: (meterId: number, timeMs: number): readonly number[] => kegsAt.all({ meterId, timeMs }),
    /** The same for kegs that were on tap at some time of that span. */
    kegsDuring: (meterId: number, span: { readonly sinceMs: number; readonly untilMs: number }) =>
      kegsDuring.all({ meterId, ...span }),
    /** The newest of a meter, oldest first. */
    newest: (meterId: number, limit: number): readonly StoredEvidence[] =>
      newest
        .all(meterId, limit)
        .map((row) => toEvidence(row)!)
        .reverse(),
    /** Id of its newest evidence; 0 without any. */
    newestId: (meterId: number): number => newestId.get(meterId)!,
    setMeasure(id: number, measure: EvidenceMeasure): void {
      const { kind, ticks, volumeMl, u, fillGroup, timeMs, isFit, incompleteReason } = measure;
      setMeasure.run({
        id,
        kind,
        ticks,
        volumeMl,
        u,
        fillGroup,
        timeMs,
        isFit: Number(isFit),
        incompleteReason,
      });
    },
    setDiscarded: (id: number, isDiscarded: boolean): void =>
      void setDiscarded.run({ id, isDiscarded: Number(isDiscarded) }),
    removeByKeg: (kegId: number): void => void removeByKeg.run(kegId),
    removeByPouredKeg: (kegId: number, kind: EvidenceKind): void => void removeByPouredKeg.run(kegId, kind),
    removeByCalibration: (correctionId: number): void => void removeByCalibration.run(correctionId),
    /** The state of a meter's learning; null for an unknown meter. */
    state: (meterId: number): LearningState | null => state.get(meterId) ?? null,
    /** Sets a measured or learned factor, with what else was learned; the meter goes on to learn from `prior`. */
    setFactor: (
      id: number,
      {
        measuredBy,
        ...factor
      }: { ticksPerMl: number; uFactor: number | null; measuredBy: MeasuredBy | null; uLagS: number | null },
      prior: { ticksPerMl: number; uFactor: number },
    ): void =>
      void setFactor.run({
        id,
        ...factor,
        ...(measuredBy ?? { hz: null, ticks: null }),
        priorTicksPerMl: prior.ticksPerMl,
        uPrior: prior.uFactor,
      }),
    /** Begins the chart of deviations anew after its evidence up to `after`. */
    startChart: (id: number, after: number): void => void startChart.run({ id, after }),
    /** Remembers that a factor was applied when `evidence` was the newest. */
    setApplied: (id: number, evidence: number): void => void setApplied.run({ id, evidence }),
    /** Sets the state of a meter's learning as it was. */
    restoreState: (id: number, learning: LearningState): void => void restoreState.run({ id, ...learning }),
    /** Gives a restored meter the evidence that it had under its former id. */
    takeOver: (id: number, formerId: number): void => void takeOver.run({ id, formerId }),
    /** Sets what the model says of the factor before any calibration. */
    setModel: (id: number, uModel: number | null): void => void setModel.run({ id, uModel }),
  };
}

function toEvidence(row: EvidenceRow | undefined): StoredEvidence | null {
  if (row === undefined) return null;
  return {
    id: row.id,
    meterId: row.meter_id,
    kind: row.kind,
    ticks: row.ticks,
    volumeMl: row.volume_ml,
    u: row.u,
    fillGroup: row.fill_group,
    timeMs: row.time_ms,
    kegId: row.keg_id,
    calibrationId: row.calibration_id,
    pouredKegId: row.poured_keg_id,
    isFit: row.is_fit === 1,
    incompleteReason: row.incomplete_reason,
    isDiscarded: row.is_discarded === 1,
  };
}
