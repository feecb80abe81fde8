import type { Database } from '../../../store/database.ts';
import type { ScaleFinding } from '../core/records.ts';
import type { ScaleFigures } from '../core/scale-findings.ts';

interface FindingRow {
  id: number;
  scale_id: number;
  kind: string;
  keg_id: number | null;
  started_ms: number;
  updated_ms: number;
  ended_ms: number | null;
  scale_ml: number;
  meter_ml: number;
  u_ml: number;
  ratio: number | null;
}

interface NewFinding extends ScaleFigures {
  readonly scaleId: number;
  readonly kind: string;
  readonly kegId: number | null;
  readonly timeMs: number;
}

/** Where scales disagree with meters. */
export function scaleFindingsTable(db: Database) {
  const insert = db.prepare<NewFinding>(
    `INSERT INTO scale_findings (scale_id, kind, keg_id, started_ms, updated_ms, scale_ml, meter_ml, u_ml, ratio)
     VALUES (@scaleId, @kind, @kegId, @timeMs, @timeMs, @scaleMl, @meterMl, @uMl, @ratio)`,
  );
  const update = db.prepare<ScaleFigures & { id: number; timeMs: number }>(
    `UPDATE scale_findings SET updated_ms = @timeMs, scale_ml = @scaleMl, meter_ml = @meterMl, u_ml = @uMl, ratio = @ratio
     WHERE id = @id`,
  );
  const end = db.prepare<{ id: number; timeMs: number | null; isClosed: 0 | 1 }>(
    'UPDATE scale_findings SET ended_ms = @timeMs, is_closed = @isClosed WHERE id = @id',
  );
  const lastClosed = db
    .prepare<{ scaleId: number; kind: string; kegId: number }, number | null>(
      `SELECT max(ended_ms) FROM scale_findings
       WHERE scale_id = @scaleId AND kind = @kind AND keg_id = @kegId AND is_closed = 1`,
    )
    .pluck();
  const byId = db.prepare<[number], FindingRow>('SELECT * FROM scale_findings WHERE id = ?');
  const open = db.prepare<[number], FindingRow>(
    'SELECT * FROM scale_findings WHERE scale_id = ? AND ended_ms IS NULL ORDER BY id',
  );
  const byScale = db.prepare<[scaleId: number, limit: number], FindingRow>(
    'SELECT * FROM scale_findings WHERE scale_id = ? ORDER BY id DESC LIMIT ?',
  );
  const hasEnded = db
    .prepare<[beforeMs: number], number>('SELECT 1 FROM scale_findings WHERE ended_ms < ? LIMIT 1')
    .pluck();
  const removeEnded = db.prepare<[beforeMs: number]>('DELETE FROM scale_findings WHERE ended_ms < ?');
  return {
    add: (finding: NewFinding): void => void insert.run(finding),
    update: (id: number, figures: ScaleFigures, timeMs: number): void =>
      void update.run({ ...figures, id, timeMs }),
    end: (id: number, timeMs: number): void => void end.run({ id, timeMs, isClosed: 0 }),
    /** Staff close it; null opens it again. */
    close: (id: number, timeMs: number | null): void =>
      void end.run({ id, timeMs, isClosed: timeMs === null ? 0 : 1 }),
    /** When staff last closed one of that kind about the keg; null when they never did. */
    lastClosedMs: (finding: { scaleId: number; kind: string; kegId: number }): number | null =>
      lastClosed.get(finding) ?? null,
    byId: (id: number): ScaleFinding | null => {
      const row = byId.get(id);
      return row === undefined ? null : toFinding(row);
    },
    /** Those that are open, oldest first. */
    open: (scaleId: number): readonly ScaleFinding[] => open.all(scaleId).map(toFinding),
    /** Newest first. */
    byScale: (scaleId: number, limit: number): readonly ScaleFinding[] =>
      byScale.all(scaleId, limit).map(toFinding),
    hasEnded: (beforeMs: number): boolean => hasEnded.get(beforeMs) === 1,
    removeEnded: (beforeMs: number): number => removeEnded.run(beforeMs).changes,
  };
}

const toFinding = (row: FindingRow): ScaleFinding => ({
  id: row.id,
  scaleId: row.scale_id,
  kind: row.kind,
  kegId: row.keg_id,
  startedMs: row.started_ms,
  updatedMs: row.updated_ms,
  endedMs: row.ended_ms,
  scaleMl: row.scale_ml,
  meterMl: row.meter_ml,
  uMl: row.u_ml,
  ratio: row.ratio,
});
