import type { Instant } from '../../core/clock/instant.ts';
import type { KegSpan } from '../../core/kegs/keg-spans.ts';
import type { Database } from '../database.ts';
import type { Caches } from '../shared/caches.ts';

/** A span as it is stored. */
export interface StoredSpan extends KegSpan {
  readonly id: number;
  readonly tapId: number;
  /** The count ended it, for the next keg of a series. */
  readonly isByCount: boolean;
  /** The keg was taken off with what was left of it. */
  readonly isTakenOff: boolean;
  /** It was behind the keg before, and the tap poured from it at once when that one left. */
  readonly isFollowing: boolean;
}

interface SpanRow {
  id: number;
  tap_id: number;
  keg_id: number;
  start_ms: number;
  start_boot: string;
  start_mono_ms: number;
  end_ms: number | null;
  end_boot: string | null;
  end_mono_ms: number | null;
  by_count: number;
  taken_off: number;
  follows: number;
}

interface BoundSpan {
  readonly tapId: number;
  readonly kegId: number;
  readonly startMs: number;
  readonly startBoot: string;
  readonly startMonoMs: number;
  readonly endMs: number | null;
  readonly endBoot: string | null;
  readonly endMonoMs: number | null;
  readonly byCount: number;
  readonly takenOff: number;
  readonly follows: number;
}

/** Most pours are in the newest of them. */
const recentSpans = 8;

/** Which keg each tap poured from at which time. */
export function kegSpansTable(db: Database, caches: Caches) {
  const insert = db
    .prepare<BoundSpan, number>(
      `INSERT INTO keg_spans (tap_id, keg_id, start_ms, start_boot, start_mono_ms, end_ms, end_boot, end_mono_ms,
         by_count, taken_off, follows)
       VALUES (@tapId, @kegId, @startMs, @startBoot, @startMonoMs, @endMs, @endBoot, @endMonoMs, @byCount, @takenOff, @follows)
       RETURNING id`,
    )
    .pluck();
  const update = db.prepare<BoundSpan & { id: number }>(
    `UPDATE keg_spans SET tap_id = @tapId, keg_id = @kegId, start_ms = @startMs, start_boot = @startBoot,
       start_mono_ms = @startMonoMs, end_ms = @endMs, end_boot = @endBoot, end_mono_ms = @endMonoMs, by_count = @byCount, taken_off = @takenOff,
       follows = @follows WHERE id = @id`,
  );
  const remove = db.prepare<[number]>('DELETE FROM keg_spans WHERE id = ?');
  const newest = db.prepare<[tapId: number, limit: number], SpanRow>(
    'SELECT * FROM keg_spans WHERE tap_id = ? ORDER BY id DESC LIMIT ?',
  );
  const byKeg = db.prepare<[number], SpanRow>('SELECT * FROM keg_spans WHERE keg_id = ? ORDER BY id');
  const readNewest = (tapId: number, limit: number) => newest.all(tapId, limit).map(toSpan);
  const cachedRecent = caches.untilChange(() => new Map<number, readonly StoredSpan[]>());
  return {
    /** The newest few spans of a tap, newest first. */
    recent(tapId: number): readonly StoredSpan[] {
      const recent = cachedRecent();
      const spans = recent.get(tapId) ?? readNewest(tapId, recentSpans);
      recent.set(tapId, spans);
      return spans;
    },
    /** All spans of a tap, newest first. */
    ofTap: (tapId: number): readonly StoredSpan[] => readNewest(tapId, -1),
    ofKeg: (kegId: number): readonly StoredSpan[] => byKeg.all(kegId).map(toSpan),
    add: (span: Omit<StoredSpan, 'id'>): number => insert.get(toBound(span))!,
    set: ({ id, ...span }: StoredSpan): void => void update.run({ id, ...toBound(span) }),
    remove: (id: number): void => void remove.run(id),
  };
}

function toBound(span: Omit<StoredSpan, 'id'>): BoundSpan {
  const { tapId, kegId, started, ended, isByCount, isTakenOff, isFollowing } = span;
  return {
    tapId,
    kegId,
    startMs: started.wallMs,
    startBoot: started.bootId,
    startMonoMs: started.monoMs,
    endMs: ended?.wallMs ?? null,
    endBoot: ended?.bootId ?? null,
    endMonoMs: ended?.monoMs ?? null,
    byCount: Number(isByCount),
    takenOff: Number(isTakenOff),
    follows: Number(isFollowing),
  };
}

function toSpan(row: SpanRow): StoredSpan {
  const ended: Instant | null =
    row.end_ms === null ? null : { wallMs: row.end_ms, bootId: row.end_boot!, monoMs: row.end_mono_ms! };
  return {
    id: row.id,
    tapId: row.tap_id,
    kegId: row.keg_id,
    started: { wallMs: row.start_ms, bootId: row.start_boot, monoMs: row.start_mono_ms },
    ended,
    isByCount: row.by_count === 1,
    isTakenOff: row.taken_off === 1,
    isFollowing: row.follows === 1,
  };
}
