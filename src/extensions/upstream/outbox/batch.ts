import type { Moment } from '../../../core/clock/moment.ts';
import type { UpstreamEvent } from '../engine/upstream.ts';

/** Maximum number of events and bytes of a batch, by the protocol. */
export const maxEvents = 16;
const maxBytes = 16_384;

/** An event that is not stored, because its content is sent again later. */
export interface TransientEvent {
  readonly id: number;
  readonly type: 'status' | 'command_result';
  /** Creation on the monotonic clock of this boot. */
  readonly monoMs: number;
  readonly data: object;
}

export interface UpstreamBatch {
  readonly body: string;
  /** Ids of the stored events in it. */
  readonly rowIds: readonly number[];
  /** Ids of the live events in it. */
  readonly transientIds: readonly number[];
}

/**
 * Composes the next batch: events of one boot in the order of their ids, since a receiver may store only the
 * highest id. Null if there is nothing to send. `waiting` are the oldest rows, up to `limit`. While
 * `isClockTrusted` is false, events of an earlier boot of this machine are not sent, because their age is
 * unknown.
 */
export function composeBatch(parts: {
  readonly device: string;
  readonly bootId: string;
  readonly waiting: readonly UpstreamEvent[];
  readonly transient: readonly TransientEvent[];
  readonly limit: number;
  readonly isClockTrusted: boolean;
  readonly now: Moment;
}): UpstreamBatch | null {
  const { device, waiting, transient, limit, isClockTrusted, now } = parts;
  const bootId = waiting[0]?.bootId ?? parts.bootId;
  const stop = waiting.findIndex(
    (row) => row.bootId !== bootId || !(isClockTrusted || row.clockBoot === now.bootId),
  );
  const rows = stop === -1 ? waiting : waiting.slice(0, stop);
  const isAll = rows.length === waiting.length && rows.length < limit;
  const upTo = isAll ? Number.MAX_SAFE_INTEGER : (rows.at(-1)?.eventId ?? 0);
  const transientInRange = bootId === parts.bootId ? transient.filter(({ id }) => id < upTo) : [];
  const events = [
    ...rows.map((row) => ({
      row: row.id,
      text: `{"id":${row.eventId},"type":"${row.type}","age_ms":${ageMs(row, now)},"data":${row.data}}`,
      id: row.eventId,
    })),
    ...transientInRange.map(({ id, type, monoMs, data }) => ({
      row: null,
      text: JSON.stringify({ id, type, age_ms: toWholeMs(now.monoMs - monoMs), data }),
      id,
    })),
  ]
    .sort((one, other) => one.id - other.id)
    .slice(0, limit);
  const uptimeMs = Math.max(0, Math.floor(now.monoMs));
  const head = `{"v":1,"device":${JSON.stringify(device)},"boot_id":"${bootId}","sent_uptime_ms":${uptimeMs},"events":[`;
  let bytes = head.length + 2;
  const fitting = events.filter(({ text }, i) => {
    bytes += Buffer.byteLength(text) + Number(i > 0);
    return bytes <= maxBytes;
  });
  if (fitting.length === 0) return null;
  return {
    body: `${head}${fitting.map(({ text }) => text).join(',')}]}`,
    rowIds: fitting.flatMap(({ row }) => row ?? []),
    transientIds: fitting.flatMap(({ row, id }) => (row === null ? [id] : [])),
  };
}

/** Age of an event: by the monotonic clock within one boot, as the wall clock may have been set since. */
function ageMs({ clockBoot, monoMs, atMs }: UpstreamEvent, now: Moment): number {
  return toWholeMs(clockBoot === now.bootId ? now.monoMs - monoMs : now.wallMs - atMs);
}

const toWholeMs = (ms: number): number => Math.max(0, Math.round(ms));
