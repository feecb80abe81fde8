import type { Database } from '../database.ts';

/** The end of a reported pour. */
export interface ReportedEnd {
  /** By our clock, Unix milliseconds. */
  readonly endMs: number;
  /** On the monotonic clock of that boot. */
  readonly endMonoMs: number;
  readonly bootId: string;
  /** By the sender's clock, Unix seconds; null for a sender without a clock. */
  readonly clientEndS: number | null;
  /** The time of sending by the sender's clock, Unix seconds. */
  readonly clientNowS: number | null;
  /** Whether the sender's clock was within a day of ours when the report arrived. */
  readonly isClockRight: boolean;
}

/** What does not change when a report is sent again. */
export interface ReportedMeasures {
  /** `board kegboard-0a1b2c`, `user 5`. */
  readonly sender: string;
  /** Full name of the meter; `tap 3` for a tap without one. */
  readonly meter: string;
  readonly ticks: number;
  /** As reported; null: computed from the ticks. */
  readonly volumeMl: number | null;
  readonly durationMs: number;
  readonly isSpill: boolean;
}

/** A report that is remembered. Either it has an id, or an end. */
export interface Report extends ReportedMeasures {
  /** The sender's own id of the pour. */
  readonly pourId: string | null;
  readonly end: ReportedEnd | null;
}

/** What was recorded of a report. */
export type Recorded = { readonly drinkId: number } | { readonly spillId: number };

export interface RecordedReport {
  readonly meter: string;
  readonly end: ReportedEnd | null;
  /** False while our clock has not been set since the report. */
  readonly isTimeCertain: boolean;
  readonly drinkId: number | null;
  readonly spillId: number | null;
}

interface ReportRow {
  meter: string;
  end_ms: number | null;
  end_mono_ms: number | null;
  boot_id: string | null;
  client_end_s: number | null;
  client_now_s: number | null;
  is_clock_right: number;
  drink_id: number | null;
  spill_id: number | null;
  is_certain: number;
}

/** Most reports with one time of a clock that stands still that are compared; the latest ones. */
const maxCompared = 100;

const select = `SELECT *, NOT EXISTS
  (SELECT 1 FROM provisional_times p WHERE p.kind = 'reported_pour' AND p.row_id = r.id) AS is_certain FROM reported_pours r`;

const equalMeasures = `sender = @sender AND ticks = @ticks AND volume_ml IS @volumeMl AND duration_ms = @durationMs
  AND (spill_id IS NOT NULL) = @isSpill`;

/** Which reports were recorded, and as what. */
export function reportedPoursTable(db: Database) {
  const byId = db.prepare<object, ReportRow>(`${select} WHERE pour_id = @pourId AND ${equalMeasures}`);
  const hasId = db
    .prepare<[string, string], number>(
      'SELECT 1 FROM reported_pours WHERE pour_id = ? AND sender = ? LIMIT 1',
    )
    .pluck();
  const byAnyId = db.prepare<[string], ReportRow>(`${select} WHERE pour_id = ?`);
  // Positional parameters, which take less time: each reported pour is looked for by both.
  const measuresOf = ({ sender, meter, ticks, volumeMl, durationMs, isSpill }: ReportedMeasures) =>
    [sender, meter, ticks, volumeMl, durationMs, Number(isSpill)] as const;
  const isOfMeasures = `pour_id IS NULL AND sender = ? AND meter = ? AND ticks = ? AND volume_ml IS ? AND duration_ms = ?
    AND (spill_id IS NOT NULL) = ?`;
  const byEnd = db.prepare<unknown[], ReportRow>(
    `${select} WHERE ${isOfMeasures} AND is_clock_right = ? AND end_ms BETWEEN ? AND ?`,
  );
  const byClientEnd = db.prepare<unknown[], ReportRow>(
    `${select} WHERE ${isOfMeasures} AND client_end_s = ? ORDER BY id DESC LIMIT ${maxCompared}`,
  );
  const isEndedSince = db
    .prepare<{ pourId: string; sender: string; meter: string; bootId: string; sinceMonoMs: number }, number>(
      `SELECT 1 FROM reported_pours WHERE pour_id = @pourId AND sender = @sender AND meter = @meter
         AND boot_id = @bootId AND end_mono_ms >= @sinceMonoMs LIMIT 1`,
    )
    .pluck();
  const insert = db.prepare(
    `INSERT INTO reported_pours (sender, meter, pour_id, ticks, volume_ml, duration_ms, end_ms, end_mono_ms, boot_id,
       client_end_s, client_now_s, is_clock_right, drink_id, spill_id) VALUES (${'?, '.repeat(13)}?)`,
  );
  const toParameters = ({ sender, meter, ticks, volumeMl, durationMs, isSpill }: ReportedMeasures) => ({
    sender,
    meter,
    ticks,
    volumeMl,
    durationMs,
    isSpill: Number(isSpill),
  });
  return {
    /** The reports of the sender with that id and equal measures, through any meter. */
    byId: (pourId: string, measures: ReportedMeasures): readonly RecordedReport[] =>
      byId.all({ pourId, ...toParameters(measures) }).map(toReport),
    /** Whether the sender has used the id. */
    hasId: (pourId: string, sender: string): boolean => hasId.get(pourId, sender) !== undefined,
    /** The reports of all senders with that id. */
    byAnyId: (pourId: string): readonly RecordedReport[] => byAnyId.all(pourId).map(toReport),
    /** The reports without an id and with equal measures that ended then by our clock, of a right or of a wrong clock. */
    byEnd: (
      { fromMs, untilMs, isClockRight }: { fromMs: number; untilMs: number; isClockRight: boolean },
      measures: ReportedMeasures,
    ) => byEnd.all(...measuresOf(measures), Number(isClockRight), fromMs, untilMs).map(toReport),
    /** The latest reports without an id and with equal measures that ended then by the sender's clock. */
    byClientEnd: (clientEndS: number, measures: ReportedMeasures) =>
      byClientEnd.all(...measuresOf(measures), clientEndS).map(toReport),
    /** Whether a pour with that id has ended since that time on the monotonic clock. */
    isEndedSince: (of: {
      pourId: string;
      sender: string;
      meter: string;
      bootId: string;
      sinceMonoMs: number;
    }): boolean => isEndedSince.get(of) !== undefined,
    /** Returns its row's id. */
    add(report: Report, recorded: Recorded): number {
      const { sender, meter, pourId, ticks, volumeMl, durationMs, end } = report;
      const { lastInsertRowid } = insert.run(
        sender,
        meter,
        pourId,
        ticks,
        volumeMl,
        durationMs,
        end?.endMs ?? null,
        end?.endMonoMs ?? null,
        end?.bootId ?? null,
        end?.clientEndS ?? null,
        end?.clientNowS ?? null,
        Number(end?.isClockRight ?? false),
        'drinkId' in recorded ? recorded.drinkId : null,
        'spillId' in recorded ? recorded.spillId : null,
      );
      return Number(lastInsertRowid);
    },
  };
}

function toReport(row: ReportRow): RecordedReport {
  return {
    meter: row.meter,
    end:
      row.end_ms === null
        ? null
        : {
            endMs: row.end_ms,
            endMonoMs: row.end_mono_ms!,
            bootId: row.boot_id!,
            clientEndS: row.client_end_s,
            clientNowS: row.client_now_s,
            isClockRight: row.is_clock_right === 1,
          },
    isTimeCertain: row.is_certain === 1,
    drinkId: row.drink_id,
    spillId: row.spill_id,
  };
}
