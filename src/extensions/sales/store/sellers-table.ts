import type { Database } from '../../../store/database.ts';
import type { Caches } from '../../../store/shared/caches.ts';
import type { ByPersonSettings } from '../core/sellers.ts';

interface TimeSpan {
  readonly sinceMs: number;
  /** Exclusive. */
  readonly untilMs: number;
}

/** A drink that somebody with an account poured. */
export interface PersonPour {
  readonly username: string;
  readonly isStaff: boolean;
  readonly timeMs: number;
  readonly durationMs: number;
  readonly beverageId: number | null;
  readonly meter: string | null;
  readonly volumeMl: number;
  readonly ticksLost: number;
}

/** Names at lines of tills, whether they are kept, and what people with accounts poured. */
export function sellersTable(db: Database, caches: Caches) {
  const settings = db.prepare<[], { reason: string | null; since_ms: number | null; days: number }>(
    'SELECT reason, since_ms, days FROM by_person_settings',
  );
  const known = caches.untilChange((): ByPersonSettings => {
    const { reason, since_ms: sinceMs, days } = settings.get()!;
    return { reason, sinceMs, days };
  });
  const write = db.prepare<ByPersonSettings>(
    'UPDATE by_person_settings SET reason = @reason, since_ms = @sinceMs, days = @days',
  );
  const removeBefore = db.prepare<[number]>(
    'UPDATE sales SET seller = NULL WHERE seller IS NOT NULL AND time_ms < ?',
  );
  const lines = db.prepare<TimeSpan, { seller: string; kind: 'void' | 'refund'; lines: number }>(
    `SELECT seller, kind, count(*) AS lines FROM sales
     WHERE seller IS NOT NULL AND is_current = 1 AND kind IN ('void', 'refund') AND time_ms >= @sinceMs AND time_ms < @untilMs
     GROUP BY seller, kind`,
  );
  const pours = db.prepare<
    TimeSpan,
    {
      username: string;
      is_staff: number;
      time_ms: number;
      duration_ms: number;
      beverage_id: number | null;
      meter: string | null;
      volume_ml: number;
      ticks_lost: number | null;
    }
  >(
    `SELECT u.username, max(u.is_staff, u.is_superuser) AS is_staff, d.pour_time_ms AS time_ms, d.duration_ms, k.beverage_id,
       iif(d.volume_given, NULL, d.meter) AS meter, d.volume_ml, d.ticks_lost
     FROM keg_drinks d JOIN users u ON u.id = d.user_id LEFT JOIN kegs k ON k.id = d.keg_id
     WHERE d.pour_time_ms >= @sinceMs AND d.pour_time_ms < @untilMs AND d.is_valid = 1 AND d.is_set_aside = 0
     ORDER BY d.pour_time_ms`,
  );
  return {
    settings: (): ByPersonSettings => known(),
    setSettings: ({ reason, sinceMs, days }: ByPersonSettings): void =>
      void write.run({ reason, sinceMs, days }),
    /** Removes the names of lines before that time; returns their number. */
    removeBefore: (timeMs: number): number => removeBefore.run(timeMs).changes,
    /** Lines that were taken back, by the name at them. */
    takenBack: (span: TimeSpan) => lines.all(span),
    /** Drinks of people with accounts, oldest first. */
    pours: (span: TimeSpan): readonly PersonPour[] =>
      pours.all(span).map((row) => ({
        username: row.username,
        isStaff: row.is_staff === 1,
        timeMs: row.time_ms,
        durationMs: row.duration_ms,
        beverageId: row.beverage_id,
        meter: row.meter,
        volumeMl: row.volume_ml,
        ticksLost: row.ticks_lost ?? 0,
      })),
  };
}
