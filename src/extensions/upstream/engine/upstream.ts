import type { Moment } from '../../../core/clock/moment.ts';
import type { FlowEnd } from '../../../core/pours/flow-end.ts';
import type { Drink } from '../../../core/records.ts';
import type { WaitingReports } from '../../../engine/extension.ts';
import { type Actor, writeAudit } from '../../../engine/shared/audit.ts';
import { requireFound } from '../../../engine/shared/bounds.ts';
import { type Page, type PageRequest, readPage } from '../../../engine/shared/paging.ts';
import { change, type EngineParts } from '../../../engine/shared/parts.ts';
import type { SensorReading } from '../../../engine/shared/recording-hooks.ts';
import { newestRows } from '../../../store/shared/slice.ts';
import type { UpstreamEvent, UpstreamTable } from '../store/table.ts';
import { meterNumber, queuePour, queueTemperatures } from './queue-events.ts';

export type { UpstreamEvent } from '../store/table.ts';

/** The upstream server, and our device name there. */
export interface UpstreamTarget {
  readonly url: string;
  readonly device: string;
}

/** A local meter with its number at the upstream server. */
interface UpstreamMeter {
  readonly meter: string;
  readonly number: number;
  /** Lifetime total. */
  readonly ticksTotal: number;
  readonly ticksPerMl: number;
}

/** The queue of events for an upstream server. Pours are added in their own transaction. */
export type Upstream = ReturnType<typeof createUpstream>;

/** Maximum number of events sent again in one call. */
const maxPerCall = 1_000;

export function createUpstream(parts: EngineParts, upstream: UpstreamTable) {
  const { store } = parts;
  const refused = (id: number) => requireFound(upstream.refused(id), `report ${id} that was set aside`);
  const audit = (action: string, id: number | string, actor: Actor, now: Moment, before?: unknown) =>
    writeAudit(store, { actor, action, subject: { kind: 'upstream_event', id }, before }, now);
  return {
    /** Identifies this opening of the database as a boot in the protocol. */
    bootId: upstream.bootId,

    /** Queues a drink of this machine in the transaction that records it. */
    queuePour: (drink: Drink, end: FlowEnd): void => queuePour(upstream, drink, end),

    /** Queues readings in the transaction that stores them. */
    queueTemperatures: (readings: readonly SensorReading[]): void => queueTemperatures(upstream, readings),

    /** How many events wait and were set aside, and the oldest that waits. */
    waitingReports: (): WaitingReports => ({
      waiting: upstream.countWaiting(),
      setAside: upstream.countRefused(),
      oldest: upstream.next(1)[0] ?? null,
    }),

    /** Takes a number for an event that is not stored, from the same sequence. */
    nextEventId: upstream.nextEventId,

    /** The oldest waiting events. Delivery is at least once; boot and number identify duplicates. */
    waiting: (limit: number): readonly UpstreamEvent[] => upstream.next(limit),

    /** Removes events that the upstream server has accepted. */
    markDelivered(ids: readonly number[]): void {
      if (ids.length === 0) return;
      store.recording(() => {
        for (const id of ids) upstream.remove(id);
      });
    },

    /** Sets an event aside for staff, because the upstream server refused it. */
    setAside: (id: number, refusal: string): void =>
      change(
        parts,
        () => upstream.setAside(id, [...refusal.replace(/\s+/g, ' ')].slice(0, 300).join('')),
        'operation',
      ),
    counts: (): { readonly waiting: number; readonly setAside: number; readonly eventsDropped: number } => ({
      waiting: upstream.countWaiting(),
      setAside: upstream.countRefused(),
      eventsDropped: upstream.read().eventsDropped,
    }),

    /** Number of events set aside. */
    setAsideCount: (): number => upstream.countRefused(),

    /** The token for that target; null if there is none, or it is for another name or address. */
    token({ url, device }: UpstreamTarget): string | null {
      const stored = upstream.read();
      return stored.url === url && stored.device === device ? stored.token : null;
    },

    /** The token must never appear on a page, in a log or in an export. */
    setToken({ url, device }: UpstreamTarget, token: string | null): void {
      const stored = upstream.read();
      if (stored.url === url && stored.device === device && stored.token === token) return;
      store.transaction(() => upstream.setToken({ url, device, token }));
    },

    /** Local meters with their numbers; meters without a row in the database are left out. */
    meters: (names: readonly string[]): readonly UpstreamMeter[] =>
      store.transaction(() =>
        names.flatMap((name) => {
          const meter = store.taps.meters.byName(name);
          if (meter === null) return [];
          const { ticksTotal, ticksPerMl } = store.taps.meters.byId(meter.id)!;
          return [{ meter: name, number: meterNumber(upstream, name), ticksTotal, ticksPerMl }];
        }),
      ),

    /** Events set aside, newest first. */
    refused: (page: PageRequest): Page<UpstreamEvent> =>
      readPage(page, upstream.countRefused(), upstream.page),

    /** Queues one event set aside again, or all with null. Returns their number. */
    sendAgain: (id: number | null, actor: Actor, now: Moment): number =>
      change(parts, () => {
        const events = id === null ? upstream.page(newestRows(maxPerCall)).toReversed() : [refused(id)];
        for (const event of events) upstream.sendAgain(event.id);
        if (events.length > 0) audit('upstream_event.sent_again', id ?? 'all', actor, now);
        return events.length;
      }),

    /** Deletes an event set aside. */
    discard: (id: number, actor: Actor, now: Moment): void =>
      change(
        parts,
        () => {
          const { type, data, refusal } = refused(id);
          audit('upstream_event.discarded', id, actor, now, { type, data, refusal });
          upstream.remove(id);
        },
        'removal',
      ),
  };
}
