import type { Database } from '../database.ts';
import { nanolitres } from '../drinks/drink-totals-table.ts';
import { maxInteger, type Slice } from '../shared/slice.ts';

/** The part of the drinks that one user, keg or session has. */
export interface Share {
  /** The id; 0 for drinks without a user. */
  readonly part: number;
  readonly volumeNl: number;
  readonly firstId: number;
  readonly lastId: number;
}

/**
 * A session with drinks of one subject, and the volume of all its drinks. An array, which is read in half the time of an
 * object: a regular has thousands of sessions.
 */
type SessionShare = readonly [id: number, volumeNl: number, totalNl: number, localDay: number];

/** Volume of a day of the site. */
interface DayTotal {
  /** The day on which the session began, days since 1970. */
  readonly localDay: number;
  /** Of the pour, UTC. */
  readonly year: number;
  readonly volumeNl: number;
}

/** The valid drinks `d` of a subject. */
const drinksOf = {
  user: 'drinks d WHERE d.user_id = @subject AND d.is_valid = 1',
  keg: 'keg_drinks d WHERE d.keg_id = @subject',
  session: 'drinks d WHERE d.session_id = @subject',
} as const;

export type SubjectKind = keyof typeof drinksOf;

/** What one person or keg has of a session. */
export interface SessionPart {
  /** The id of the user or keg; null for drinks without. */
  readonly part: number | null;
  readonly pours: number;
  readonly volumeNl: number;
}

/** Volume of the drinks of a subject that ended in a step of time. */
export interface CourseStep {
  /** End of its last drink. */
  readonly timeMs: number;
  readonly lastDrinkId: number;
  readonly volumeNl: number;
}

/** Volume of the drinks that ended in a slot of a quarter of an hour. */
export interface SlotTotal {
  /** Quarters of an hour since 1970, UTC. */
  readonly slot: number;
  readonly pours: number;
  readonly volumeNl: number;
}

/** No time zone has an offset that is not a multiple of this, so a slot is within one hour of the clock everywhere. */
export const slotMs = 900_000;

const dayMs = 86_400_000;
const shareColumns = 'subject AS part, volume_nl AS volumeNl, first_id AS firstId, last_id AS lastId';

/** SQL of the totals of a time span by slots. */
export const slotTotals = `SELECT d.pour_time_ms / ${slotMs} AS slot, count(*) AS pours, sum(${nanolitres}) AS volumeNl
  FROM drinks d WHERE d.pour_time_ms >= @sinceMs AND d.pour_time_ms < @untilMs AND d.is_valid = 1 GROUP BY 1`;

/** Statistics of drinks: of the site from the stored totals, of one subject from its drinks. */
export function statisticsTable(db: Database) {
  // Prepared at first use: neither start-up nor pours need them.
  const prepared = new Map<string, ReturnType<Database['prepare']>>();
  const statement = (sql: string) => {
    const existing = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, existing);
    return existing;
  };
  const all = <Row>(sql: string, values: Readonly<Record<string, number>> = {}): readonly Row[] =>
    statement(sql).all(values) as Row[];
  const grouped = (kind: SubjectKind, part: string) =>
    `SELECT ${part} AS part, sum(${nanolitres}) AS volumeNl, min(d.id) AS firstId, max(d.id) AS lastId
     FROM ${drinksOf[kind]}`;
  return {
    /** Kegs of a subject, newest first. */
    kegs: (kind: SubjectKind, subject: number, limit: number): readonly Share[] =>
      all(
        `${grouped(kind, 'd.keg_id').replace('FROM drinks', 'FROM keg_drinks')} AND d.keg_id IS NOT NULL GROUP BY 1 ORDER BY 1 DESC LIMIT @limit`,
        {
          subject,
          limit,
        },
      ),
    /** All users of a subject, the largest volume first. */
    users: (kind: SubjectKind, subject: number): readonly Share[] =>
      all(`${grouped(kind, 'coalesce(d.user_id, 0)')} GROUP BY 1 ORDER BY volumeNl DESC, lastId DESC`, {
        subject,
      }),
    /** All sessions of a subject, by id. */
    sessions: (kind: SubjectKind, subject: number): readonly SessionShare[] =>
      statement(
        `SELECT own.id, own.nl, t.volume_nl, x.local_day
         FROM (SELECT d.session_id AS id, sum(${nanolitres}) AS nl FROM ${drinksOf[kind]}
               GROUP BY 1 ORDER BY 1) own
         CROSS JOIN sessions x ON x.id = own.id
         CROSS JOIN drink_totals t ON t.kind = 'session' AND t.subject = own.id`,
      )
        .raw()
        .all({ subject }) as SessionShare[],
    /** Volume by UTC day of the pour, days since 1970. */
    utcDays: (
      kind: SubjectKind,
      subject: number,
    ): readonly { readonly day: number; readonly volumeNl: number }[] =>
      all(
        `SELECT d.pour_time_ms / ${dayMs} AS day, sum(${nanolitres}) AS volumeNl FROM ${drinksOf[kind]}
         GROUP BY 1`,
        { subject },
      ),
    /** What each person, or each keg, has of a session, the largest volume first. */
    sessionParts: (sessionId: number, part: 'user_id' | 'keg_id'): readonly SessionPart[] =>
      all(
        `SELECT d.${part} AS part, count(*) AS pours, sum(${nanolitres}) AS volumeNl
         FROM ${part === 'keg_id' ? 'keg_drinks' : 'drinks'} d WHERE d.session_id = @sessionId
         GROUP BY 1 ORDER BY volumeNl DESC, part`,
        { sessionId },
      ),
    /**
     * The drinks of a keg or session in the order of time, in at most `most` steps of equal length; one for each drink where
     * they are not more. Without the drinks of a keg whose time is uncertain: it may be years away.
     */
    course(kind: 'keg' | 'session', subject: number, most: number): readonly CourseStep[] {
      const drinks = `${drinksOf[kind]}${kind === 'keg' ? ' AND d.id NOT IN (SELECT id FROM drinks WHERE time_certain = 0)' : ''}`;
      const [{ n, firstMs, lastMs }] = all<{ n: number; firstMs: number; lastMs: number }>(
        `SELECT count(*) AS n, min(d.pour_time_ms) AS firstMs, max(d.pour_time_ms) AS lastMs FROM ${drinks}`,
        { subject },
      ) as [{ n: number; firstMs: number; lastMs: number }];
      if (n === 0) return [];
      const step =
        n > most ? ['CAST((d.pour_time_ms - @firstMs) / @stepMs AS INTEGER)'] : ['d.pour_time_ms', 'd.id'];
      // The other columns are those of the row with the greatest time.
      return all(
        `SELECT max(d.pour_time_ms) AS timeMs, d.id AS lastDrinkId, sum(${nanolitres}) AS volumeNl FROM ${drinks}
         GROUP BY ${step.join(', ')} ORDER BY timeMs, lastDrinkId`,
        {
          subject,
          ...(n > most && { firstMs, stepMs: Math.ceil((lastMs - firstMs + 1) / most) }),
        },
      );
    },
    /** The valid drinks between two times, by slots of a quarter of an hour; read from an index alone. */
    slots: (span: { readonly sinceMs: number; readonly untilMs: number }): readonly SlotTotal[] =>
      all(slotTotals, { sinceMs: span.sinceMs, untilMs: span.untilMs }),
    /** All kegs of the site, newest first. */
    siteKegs: (limit: number): readonly Share[] =>
      all(`SELECT ${shareColumns} FROM drink_totals WHERE kind = 'keg' ORDER BY subject DESC LIMIT @limit`, {
        limit,
      }),
    /** Users of the site, the largest volume first. */
    siteUsers: (limit: number): readonly Share[] =>
      all(
        `SELECT ${shareColumns} FROM drink_totals WHERE kind = 'user' ORDER BY volume_nl DESC, last_id DESC LIMIT @limit`,
        {
          limit,
        },
      ),
    /** All sessions of the site, newest first. */
    siteSessions: (limit: number): readonly Share[] =>
      all(
        `SELECT ${shareColumns} FROM drink_totals WHERE kind = 'session' ORDER BY subject DESC LIMIT @limit`,
        {
          limit,
        },
      ),
    siteSessionCount: (): number =>
      all<{ n: number }>(`SELECT count(*) AS n FROM drink_totals WHERE kind = 'session'`)[0]!.n,
    /** The largest session; the later one where several are equal. */
    siteLargestSession: (): Share | undefined =>
      all<Share>(
        `SELECT ${shareColumns} FROM drink_totals WHERE kind = 'session'
         ORDER BY volume_nl DESC, subject DESC LIMIT 1`,
      )[0],
    siteDays: (): readonly DayTotal[] =>
      all('SELECT local_day AS localDay, year, volume_nl AS volumeNl FROM drink_days'),
    /** Ids of users, kegs or sessions with drinks: down from `from`, or up from it. */
    subjects: (kind: SubjectKind, { from: { id }, upwards, limit }: Slice): readonly number[] =>
      all<{ subject: number }>(
        `SELECT subject FROM drink_totals WHERE kind = '${kind}' AND subject BETWEEN @first AND @last
         ORDER BY subject ${upwards ? 'ASC' : 'DESC'} LIMIT @limit`,
        { first: upwards ? Math.max(1, id) : 1, last: upwards ? maxInteger : id, limit },
      ).map(({ subject }) => subject),
    /** Number of users, kegs and sessions with drinks. */
    subjectCount: (): number =>
      all<{ n: number }>(
        `SELECT count(*) AS n FROM drink_totals WHERE kind IN ('user', 'keg', 'session') AND subject > 0`,
      )[0]!.n,
    usernames: (ids: readonly number[]): ReadonlyMap<number, string> =>
      new Map(
        ids.flatMap((id) =>
          all<{ username: string }>('SELECT username FROM users WHERE id = @id', { id }).map(
            ({ username }) => [id, username],
          ),
        ),
      ),
  };
}
