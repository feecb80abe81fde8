import type { FlowEnd } from '../../../core/pours/flow-end.ts';
import type { Database } from '../../../store/database.ts';
import { preparePages, type Slice } from '../../../store/shared/slice.ts';

type UpstreamEventType = 'pour' | 'temperature';

/** An event that the upstream server has not accepted yet. */
export interface UpstreamEvent extends FlowEnd {
  readonly id: number;
  readonly bootId: string;
  readonly eventId: number;
  readonly type: UpstreamEventType;
  /** JSON. */
  readonly data: string;
  /** Why the upstream server refused it; null while it waits. */
  readonly refusal: string | null;
}

interface Row {
  id: number;
  boot_id: string;
  event_id: number;
  type: UpstreamEventType;
  data: string;
  at_ms: number;
  time_certain: number;
  clock_boot: string;
  mono_ms: number;
  refusal: string | null;
}

/** Maximum of waiting temperatures, over a day of one sensor. Pours have no limit and are never lost. */
const maxTemperatures = 2_000;

export type UpstreamTable = ReturnType<typeof upstreamTable>;

/** Events for the upstream server. Each opening of the database is a new boot in its protocol. */
export function upstreamTable(db: Database) {
  const bootId = db.prepare<[], string>('SELECT lower(hex(randomblob(8)))').pluck().get()!;
  let lastEventId = 0;
  const isWaiting = 'refusal IS NULL';
  const insert = db.prepare<{
    bootId: string;
    eventId: number;
    type: UpstreamEventType;
    data: string;
    atMs: number;
    timeCertain: number;
    clockBoot: string;
    monoMs: number;
  }>(
    `INSERT INTO upstream_events (boot_id, event_id, type, data, at_ms, time_certain, clock_boot, mono_ms)
     VALUES (@bootId, @eventId, @type, @data, @atMs, @timeCertain, @clockBoot, @monoMs)`,
  );
  const next = db.prepare<[number], Row>(
    `SELECT * FROM upstream_events WHERE ${isWaiting} ORDER BY id LIMIT ?`,
  );
  const remove = db.prepare<[number]>('DELETE FROM upstream_events WHERE id = ?');
  const refuse = db.prepare<[string, number]>('UPDATE upstream_events SET refusal = ? WHERE id = ?');
  const again = db.prepare<{ id: number; bootId: string; eventId: number }>(
    `INSERT INTO upstream_events (boot_id, event_id, type, data, at_ms, time_certain, clock_boot, mono_ms)
     SELECT @bootId, @eventId, type, data, at_ms, time_certain, clock_boot, mono_ms
     FROM upstream_events WHERE id = @id`,
  );
  const refused = db.prepare<[number], Row>(
    'SELECT * FROM upstream_events WHERE id = ? AND refusal IS NOT NULL',
  );
  const refusedPage = preparePages<Row>(db, {
    select: 'SELECT * FROM upstream_events',
    where: 'refusal IS NOT NULL',
  });
  const countWaiting = db
    .prepare<[], number>(`SELECT count(*) FROM upstream_events WHERE ${isWaiting}`)
    .pluck();
  const countRefused = db
    .prepare<[], number>('SELECT count(*) FROM upstream_events WHERE refusal IS NOT NULL')
    .pluck();
  const waitingTemperatures = `type = 'temperature' AND ${isWaiting}`;
  const countTemperatures = db
    .prepare<[], number>(`SELECT count(*) FROM upstream_events WHERE ${waitingTemperatures}`)
    .pluck();
  const dropTemperatures = db.prepare<[number]>(
    `DELETE FROM upstream_events WHERE id IN
       (SELECT id FROM upstream_events WHERE ${waitingTemperatures} ORDER BY id LIMIT ?)`,
  );
  const noteDropped = db.prepare<[number]>('UPDATE upstream SET events_dropped = events_dropped + ?');
  const correct = db.prepare<{ clockBoot: string; bootWallMs: number }>(
    `UPDATE upstream_events SET time_certain = 1, at_ms = max(0, CAST(round(@bootWallMs + mono_ms) AS INTEGER))
     WHERE clock_boot = @clockBoot AND time_certain = 0`,
  );
  const read = db.prepare<[], { url: string; device: string; token: string | null; events_dropped: number }>(
    'SELECT url, device, token, events_dropped FROM upstream',
  );
  const setToken = db.prepare<{ url: string; device: string; token: string | null }>(
    'UPDATE upstream SET url = @url, device = @device, token = @token',
  );
  const numberByMeter = db
    .prepare<[string], number>('SELECT number FROM upstream_meters WHERE meter = ?')
    .pluck();
  const meterByNumber = db
    .prepare<[number], string>('SELECT meter FROM upstream_meters WHERE number = ?')
    .pluck();
  const highest = db.prepare<[], number>('SELECT coalesce(max(number), -1) FROM upstream_meters').pluck();
  const number = db.prepare<[string, number]>('INSERT INTO upstream_meters VALUES (?, ?)');
  return {
    /** 16 hexadecimal digits, new at each opening of the database. */
    bootId,
    /** Takes the next event number of this boot. Unused numbers do no harm. */
    nextEventId: (): number => ++lastEventId,
    /** Adds an event to be sent. */
    add: (event: { readonly type: UpstreamEventType; readonly data: string } & FlowEnd): void =>
      void insert.run({ ...event, bootId, eventId: ++lastEventId, timeCertain: Number(event.timeCertain) }),
    /** Removes the oldest temperatures above the limit; pours are never removed. */
    trimTemperatures(): void {
      const surplus = countTemperatures.get()! - maxTemperatures;
      if (surplus <= 0) return;
      dropTemperatures.run(surplus);
      noteDropped.run(surplus);
    },
    /** The oldest waiting events. */
    next: (limit: number): readonly UpstreamEvent[] => next.all(limit).map((row) => toEvent(row)!),
    remove: (id: number): void => void remove.run(id),
    setAside: (id: number, refusal: string): void => void refuse.run(refusal, id),
    refused: (id: number): UpstreamEvent | null => toEvent(refused.get(id)),
    /** Queues it again at the end with a new number, because later numbers may have been accepted already. */
    sendAgain(id: number): void {
      again.run({ id, bootId, eventId: ++lastEventId });
      remove.run(id);
    },
    /** Refused events, newest first. */
    page: (slice: Slice): readonly UpstreamEvent[] => refusedPage(slice).map((row) => toEvent(row)!),
    countWaiting: (): number => countWaiting.get()!,
    countRefused: (): number => countRefused.get()!,
    /** Corrects the times of a boot whose clock is now set; `bootWallMs` is its start, Unix milliseconds. */
    correct: (clockBoot: string, bootWallMs: number): void => void correct.run({ clockBoot, bootWallMs }),
    read() {
      const { events_dropped: eventsDropped, ...rest } = read.get()!;
      return { ...rest, eventsDropped };
    },
    setToken: (target: { url: string; device: string; token: string | null }): void =>
      void setToken.run(target),
    /** The meter's number at the upstream server; a new meter gets `preferred` if it is free. */
    meterNumber(meter: string, preferred: number | null): number {
      const existing = numberByMeter.get(meter);
      if (existing !== undefined) return existing;
      const isFree = preferred !== null && meterByNumber.get(preferred) === undefined;
      const assigned = isFree ? preferred : highest.get()! + 1;
      number.run(meter, assigned);
      return assigned;
    },
  };
}

function toEvent(row: Row | undefined): UpstreamEvent | null {
  if (row === undefined) return null;
  return {
    id: row.id,
    bootId: row.boot_id,
    eventId: row.event_id,
    type: row.type,
    data: row.data,
    atMs: row.at_ms,
    timeCertain: row.time_certain === 1,
    clockBoot: row.clock_boot,
    monoMs: row.mono_ms,
    refusal: row.refusal,
  };
}
