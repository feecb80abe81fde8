import type { Moment } from '../../core/clock/moment.ts';
import type { UpstreamEvent } from '../../store/notifications/upstream-table.ts';
import { type Actor, writeAudit } from '../shared/audit.ts';
import { readPage, requireFound } from '../shared/bounds.ts';
import { change, type EngineParts } from '../shared/parts.ts';
import { meterNumber } from '../shared/queue-upstream.ts';
import type { Page, PageRequest } from '../shared/views.ts';

export type { UpstreamEvent } from '../../store/notifications/upstream-table.ts';

/** The upstream server, and our device name there. */
export interface UpstreamTarget {
  readonly url: string;
  readonly device: string;
}

/** A local meter with its number at the upstream server. */
export interface UpstreamMeter {
  readonly meter: string;
  readonly number: number;
  /** Lifetime total. */
  readonly ticksTotal: number;
  readonly ticksPerMl: number;
}

/** The queue of events for an upstream server. Pours are added in their own transaction. */
export interface Upstream {
  /** Identifies this opening of the database as a boot in the protocol. */
  readonly bootId: string;
  /** Takes a number for an event that is not stored, from the same sequence. */
  nextEventId(): number;
  /** The oldest waiting events. Delivery is at least once; boot and number identify duplicates. */
  waiting(limit: number): readonly UpstreamEvent[];
  /** Removes events that the upstream server has accepted. */
  markDelivered(ids: readonly number[]): void;
  /** Sets an event aside for staff, because the upstream server refused it. */
  setAside(id: number, refusal: string): void;
  counts(): { readonly waiting: number; readonly setAside: number; readonly eventsDropped: number };
  /** Number of events set aside. */
  setAsideCount(): number;
  /** The token for that target; null if there is none, or it is for another name or address. */
  token(target: UpstreamTarget): string | null;
  /** The token must never appear on a page, in a log or in an export. */
  setToken(target: UpstreamTarget, token: string | null): void;
  /** Local meters with their numbers; meters without a row in the database are left out. */
  meters(names: readonly string[]): readonly UpstreamMeter[];
  /** Events set aside, newest first. */
  refused(page: PageRequest): Page<UpstreamEvent>;
  /** Queues one event set aside again, or all with null. Returns their number. */
  sendAgain(id: number | null, actor: Actor, now: Moment): number;
  /** Deletes an event set aside. */
  discard(id: number, actor: Actor, now: Moment): void;
}

/** Maximum number of events sent again in one call. */
const maxPerCall = 1_000;

export function createUpstream(parts: EngineParts): Upstream {
  const { store } = parts;
  const { upstream } = store;
  const refused = (id: number) => requireFound(upstream.refused(id), `report ${id} that was set aside`);
  const audit = (action: string, id: number | string, actor: Actor, now: Moment, before?: unknown) =>
    writeAudit(store, { actor, action, subject: { kind: 'upstream_event', id }, before }, now);
  return {
    bootId: upstream.bootId,
    nextEventId: upstream.nextEventId,
    waiting: (limit) => upstream.next(limit),
    markDelivered(ids) {
      if (ids.length === 0) return;
      store.transaction(() => {
        for (const id of ids) upstream.remove(id);
      });
    },
    setAside: (id, refusal) =>
      change(parts, () => upstream.setAside(id, [...refusal.replace(/\s+/g, ' ')].slice(0, 300).join(''))),
    counts: () => ({
      waiting: upstream.countWaiting(),
      setAside: upstream.countRefused(),
      eventsDropped: upstream.read().eventsDropped,
    }),
    setAsideCount: () => upstream.countRefused(),
    token({ url, device }) {
      const stored = upstream.read();
      return stored.url === url && stored.device === device ? stored.token : null;
    },
    setToken({ url, device }, token) {
      const stored = upstream.read();
      if (stored.url === url && stored.device === device && stored.token === token) return;
      store.transaction(() => upstream.setToken({ url, device, token }));
    },
    meters: (names) =>
      store.transaction(() =>
        names.flatMap((name) => {
          const meter = store.meters.byName(name);
          if (meter === null) return [];
          const { ticksTotal, ticksPerMl } = store.meters.byId(meter.id)!;
          return [{ meter: name, number: meterNumber(store, name), ticksTotal, ticksPerMl }];
        }),
      ),
    refused: (page) => readPage(page, upstream.countRefused(), upstream.page),
    sendAgain: (id, actor, now) =>
      change(parts, () => {
        const events =
          id === null ? upstream.page(Number.MAX_SAFE_INTEGER, maxPerCall).toReversed() : [refused(id)];
        for (const event of events) upstream.sendAgain(event.id);
        if (events.length > 0) audit('upstream_event.sent_again', id ?? 'all', actor, now);
        return events.length;
      }),
    discard: (id, actor, now) =>
      change(parts, () => {
        const { type, data, refusal } = refused(id);
        audit('upstream_event.discarded', id, actor, now, { type, data, refusal });
        upstream.remove(id);
      }),
  };
}
