import type { Moment } from '../../core/clock/moment.ts';
import type { Database } from '../database.ts';
import type { DrinkTotalsTable } from './drink-totals-table.ts';

/** A drink whose time was taken before the clock was set. */
interface ProvisionalDrinkTime {
  readonly id: number;
  readonly sessionId: number | null;
  readonly kegId: number | null;
  readonly endMonoMs: number;
}

/**
 * A time within this distance of a clock's reading was taken from that clock; NTP may step it by seconds,
 * milliseconds.
 */
const sameClockMs = 60_000;

const weekMs = 604_800_000;

/** Statements about the times of drinks, which are provisional until the clock is set. */
export function drinkTimes(db: Database, totals: DrinkTotalsTable) {
  const setTime = db.prepare<{ id: number; ms: number }>(
    'UPDATE drinks SET pour_time_ms = @ms, time_certain = 1 WHERE id = @id',
  );
  const markTimesUncertain = db.prepare<{ bootId: string; monoMs: number; wallMs: number }>(
    // Controllers also report pours that ended before this boot, so their times are up to a week older.
    `UPDATE drinks SET time_certain = 0
     WHERE pour_time_ms >= @wallMs - @monoMs - ${weekMs} AND boot_id = @bootId AND time_certain = 1
       AND abs(pour_time_ms - (@wallMs - (@monoMs - end_mono_ms))) < ${sameClockMs}`,
  );
  const provisional = db.prepare<
    [string],
    {
      id: number;
      session_id: number | null;
      keg_id: number | null;
      end_mono_ms: number;
    }
  >(
    `SELECT id, session_id, keg_id, end_mono_ms FROM drinks WHERE time_certain = 0 AND boot_id = ?
     ORDER BY end_mono_ms, id`,
  );
  return {
    /** Sets the true time, which is then certain. */
    setTime: (id: number, ms: number): void => void totals.writing(id, () => setTime.run({ id, ms })),
    /**
     * Marks times that were taken from this clock as uncertain; times from other sources stay as they are.
     */
    markTimesUncertain: ({ bootId, monoMs, wallMs }: Moment): void =>
      void markTimesUncertain.run({ bootId, monoMs, wallMs }),
    /** Drinks of one boot with a provisional time, in the order they were poured. */
    provisionalByBoot: (bootId: string): readonly ProvisionalDrinkTime[] =>
      provisional.all(bootId).map((row) => ({
        id: row.id,
        sessionId: row.session_id,
        kegId: row.keg_id,
        endMonoMs: row.end_mono_ms,
      })),
  };
}
