import { localDay } from '../../core/clock/local-days.ts';
import type { Database } from '../database.ts';
import {
  addDrinks,
  moveSession,
  nanolitres,
  type Pair,
  removeDrink,
  sumBlock,
  type ViewLetter,
  weekday,
  year,
} from './statistics-sql.ts';

/** A drink that is not in the totals yet. */
export interface PendingDrink {
  readonly id: number;
  readonly userId: number | null;
  readonly kegId: number | null;
  readonly sessionId: number;
  readonly volumeMl: number;
  readonly volumeNl: number;
  readonly year: number;
  /** 0 is Sunday. */
  readonly weekday: number;
}

/** Totals of all drinks of a view. */
export interface ViewTotals {
  readonly pours: number;
  readonly volumeNl: number;
  readonly greatestMl: number | null;
  readonly greatestId: number | null;
}

/** Share of one user, keg or session in a view. */
export interface Share {
  readonly part: number;
  readonly pours: number;
  readonly volumeNl: number;
  readonly firstId: number;
  readonly lastId: number;
}

/** Volume by weekday (0 to 6) or by year. */
export interface CalendarSlot {
  readonly slot: number;
  readonly volumeNl: number;
}

const shareColumns = 'part, pours, volume_nl AS volumeNl, first_id AS firstId, last_id AS lastId';

/**
 * Totals of the drinks up to one id, and their maintenance. A reader adds the few later drinks, after pending
 * changes are applied.
 */
export function statisticsTable(db: Database) {
  // Statements are prepared at first use, as neither start-up nor pours need them.
  const prepared = new Map<string, ReturnType<Database['prepare']>>();
  const sql = (text: string) => {
    const existing = prepared.get(text) ?? db.prepare(text);
    prepared.set(text, existing);
    return existing;
  };
  const runAll = (statements: readonly string[], values: Readonly<Record<string, number>>) => {
    for (const text of statements) sql(text).run(values);
  };

  const upto = () => (sql('SELECT drink_id AS id FROM drink_sums_upto').get() as { id: number }).id;
  const newest = () => (sql('SELECT max(id) AS id FROM drinks').get() as { id: number | null }).id ?? 0;

  /** Databases older than the statistics, and other programs, have sessions without a local day. */
  function computeLocalDays(): void {
    const rows = sql('SELECT id, start_time_ms, time_zone FROM sessions WHERE local_day IS NULL').all() as {
      id: number;
      start_time_ms: number;
      time_zone: string;
    }[];
    for (const { id, start_time_ms: ms, time_zone: zone } of rows) {
      sql('UPDATE sessions SET local_day = @day WHERE id = @id').run({ id, day: localDay(ms, zone) });
    }
  }

  function moveSessions(): void {
    const moved = sql(
      `SELECT x.id, c.slot AS "from", ${weekday} AS "to" FROM session_changes s
       JOIN sessions x ON x.id = s.session_id
       JOIN drink_calendar c ON c.view = 's' AND c.subject = x.id AND c.slot < 7`,
    ).all() as { id: number; from: number; to: number }[];
    for (const one of moved) if (one.from !== one.to) runAll(moveSession, { ...one });
    sql('DELETE FROM session_changes').run();
  }

  function applyChanges(most: number): number {
    const ids = sql('SELECT drink_id AS id FROM drink_changes ORDER BY drink_id LIMIT @most').all({ most });
    for (const { id } of ids as { id: number }[]) {
      runAll(removeDrink, { id, block: Math.floor(id / sumBlock) });
      runAll(addDrinks, { first: id, last: id });
      sql('DELETE FROM drink_changes WHERE drink_id = @id').run({ id });
    }
    return ids.length;
  }

  return {
    /** Number of drinks that are not in the totals yet. */
    pendingCount: (): number => newest() - upto(),
    /** True if something that is in the totals has changed. */
    isStale: (): boolean =>
      sql(
        `SELECT EXISTS (SELECT 1 FROM drink_changes) OR EXISTS (SELECT 1 FROM session_changes)
           OR EXISTS (SELECT 1 FROM sessions WHERE local_day IS NULL) AS stale`,
      )
        .pluck()
        .get() === 1,
    /** Applies changes and adds pending drinks, at most `most` of each; must run in a transaction. */
    addPending(most: number): void {
      computeLocalDays();
      moveSessions();
      if (applyChanges(most) === most) return;
      const first = upto() + 1;
      const last = Math.min(newest(), first + most - 1);
      if (last < first) return;
      runAll(addDrinks, { first, last });
      sql('UPDATE drink_sums_upto SET drink_id = @last').run({ last });
    },
    /** Valid drinks that are not in the totals, in the order of recording. */
    pendingDrinks: (): readonly PendingDrink[] =>
      sql(
        `SELECT d.id, d.user_id AS userId, d.keg_id AS kegId, d.session_id AS sessionId, d.volume_ml AS volumeMl,
           ${nanolitres} AS volumeNl, ${year} AS year, ${weekday} AS weekday
         FROM drinks d CROSS JOIN sessions x ON x.id = d.session_id
         WHERE d.id > (SELECT drink_id FROM drink_sums_upto) AND +d.is_valid = 1 ORDER BY d.id`,
      ).all() as PendingDrink[],
    totals(view: ViewLetter, subject: number): ViewTotals {
      const key = { view, subject };
      const sums = sql(
        `SELECT coalesce(sum(pours), 0) AS pours, coalesce(sum(volume_nl), 0) AS volumeNl, max(greatest_ml) AS greatestMl
         FROM drink_sums WHERE view = @view AND subject = @subject`,
      ).get(key) as Omit<ViewTotals, 'greatestId'>;
      const greatestId = sql(
        `SELECT min(greatest_id) FROM drink_sums WHERE view = @view AND subject = @subject AND greatest_ml = @ml`,
      )
        .pluck()
        .get({ ...key, ml: sums.greatestMl }) as number | null;
      return { ...sums, greatestId };
    },
    calendar: (view: ViewLetter, subject: number): readonly CalendarSlot[] =>
      sql(
        `SELECT slot, volume_nl AS volumeNl FROM drink_calendar
         WHERE view = @view AND subject = @subject AND volume_nl > 0`,
      ).all({ view, subject }) as CalendarSlot[],
    share: (pair: Pair, subject: number, part: number): Share | undefined =>
      sql(
        `SELECT ${shareColumns} FROM drink_shares WHERE pair = @pair AND subject = @subject AND part = @part`,
      ).get({ pair, subject, part }) as Share | undefined,
    /** Kegs or sessions of a view, newest first. */
    newestShares: (pair: Exclude<Pair, `${string}u`>, subject: number, limit: number): readonly Share[] =>
      sql(
        `SELECT ${shareColumns} FROM drink_shares WHERE pair = '${pair}' AND subject = @subject
         ORDER BY part DESC LIMIT @limit`,
      ).all({ subject, limit }) as Share[],
    /** Users of a view, latest drink first. Those of one keg or session are few and need no index. */
    latestDrinkers: (pair: 'au' | 'ku' | 'su', subject: number, limit: number): readonly Share[] =>
      sql(
        `SELECT ${shareColumns} FROM drink_shares ${pair === 'au' ? 'INDEXED BY drinkers_by_last_drink' : ''}
         WHERE pair = '${pair}' AND subject = @subject ORDER BY last_id DESC LIMIT @limit`,
      ).all({ subject, limit }) as Share[],
    /** All sessions by volume, largest first; of equal ones the later first. */
    largestSessions: (limit: number): IterableIterator<Share> =>
      sql(
        `SELECT ${shareColumns} FROM drink_shares INDEXED BY sessions_by_volume WHERE pair = 'as'
         ORDER BY volume_nl DESC, part DESC LIMIT @limit`,
      ).iterate({ limit }) as IterableIterator<Share>,
    /** Sessions of a user or keg with their whole volume, largest first. */
    largestSessionsBy: (pair: 'us' | 'ks', subject: number, limit: number): readonly Share[] =>
      sql(
        `SELECT s.part, s.pours, s.volume_nl AS volumeNl, s.first_id AS firstId, s.last_id AS lastId
         FROM drink_shares m CROSS JOIN drink_shares s ON s.pair = 'as' AND s.subject = 0 AND s.part = m.part
         WHERE m.pair = '${pair}' AND m.subject = @subject ORDER BY s.volume_nl DESC, s.part DESC LIMIT @limit`,
      ).all({ subject, limit }) as Share[],
    usernames: (ids: readonly number[]): ReadonlyMap<number, string> =>
      new Map(
        (
          sql('SELECT id, username FROM users WHERE id IN (SELECT value FROM json_each(@ids))').all({
            ids: JSON.stringify(ids),
          }) as { id: number; username: string }[]
        ).map(({ id, username }) => [id, username]),
      ),
    /** Number of sessions on each local day. */
    sessionDays: (): readonly { readonly day: number; readonly sessions: number }[] =>
      sql(
        `SELECT subject AS day, value AS sessions FROM list_counters WHERE list = 'sessions of day' AND value > 0
         ORDER BY subject DESC`,
      ).all() as { day: number; sessions: number }[],
    lastDrinkId: (view: ViewLetter, subject: number): number | null => {
      const own = {
        a: '',
        u: 'user_id = @subject AND',
        k: 'keg_id = @subject AND',
        s: 'session_id = @subject AND',
      };
      const text = `SELECT id FROM drinks WHERE ${own[view]} is_valid = 1 ORDER BY id DESC LIMIT 1`;
      return (
        (sql(text)
          .pluck()
          .get(view === 'a' ? {} : { subject }) as number | undefined) ?? null
      );
    },
  };
}
