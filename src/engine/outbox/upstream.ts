import type { Moment } from '../../core/moment.ts';
import type { UpstreamEvent } from '../../store/tables/upstream-table.ts';
import { type Actor, writeAudit } from '../audit.ts';
import { readPage, requireFound } from '../bounds.ts';
import { change, type EngineParts } from '../parts.ts';
import type { Page, PageRequest } from '../views.ts';
import { meterNumber } from './queue-upstream.ts';

export type { UpstreamEvent } from '../../store/tables/upstream-table.ts';

/** The house that is reported to, and the name we have there. */
export interface UpstreamTarget {
  readonly url: string;
  readonly device: string;
}

/** One of our meters as the other house numbers it. */
export interface UpstreamMeter {
  readonly meter: string;
  readonly number: number;
  /** Lifetime total. */
  readonly ticksTotal: number;
  readonly ticksPerMl: number;
}

/** What is reported to another house by the device event protocol. Pours get here in their own transaction. */
export interface Upstream {
  /** This opening of the ledger, as the other house tells it from others. */
  readonly bootId: string;
  /** A number for an event that is not kept; rises with those that are. */
  nextEventId(): number;
  /** What has waited longest. It leaves at least once; the receiver tells by boot and number. */
  waiting(limit: number): readonly UpstreamEvent[];
  /** The other house has them. */
  markDelivered(ids: readonly number[]): void;
  /** The other house will never have it as it is: kept for staff. */
  setAside(id: number, refusal: string): void;
  counts(): { readonly waiting: number; readonly setAside: number; readonly eventsDropped: number };
  /** How many were set aside. */
  setAsideCount(): number;
  /** The token of that place; null where none was given, or to another name or address. */
  token(target: UpstreamTarget): string | null;
  /** For the sender, and never for a page, a log or an export. */
  setToken(target: UpstreamTarget, token: string | null): void;
  /** Our meters with their numbers there; those without a row in the ledger are left out. */
  meters(names: readonly string[]): readonly UpstreamMeter[];
  /** What was set aside, the newest first. */
  refused(page: PageRequest): Page<UpstreamEvent>;
  /** Sends one of those again, or with null all of them. Gives how many. */
  sendAgain(id: number | null, actor: Actor, now: Moment): number;
  /** Throws one of those away for good. */
  discard(id: number, actor: Actor, now: Moment): void;
}

/** So many are sent again in one go. */
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
