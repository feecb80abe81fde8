import type { Drink, Spill } from '../../core/records.ts';
import type { NewEvent } from '../../store/drinks/events-table.ts';
import type { Store } from '../../store/store.ts';

/**
 * Writes an event of the feed, and a message about it for each webhook and person who wants its kind, and for those who are told
 * all news. Must be called in the transaction that causes it. Nobody hears of an event that `store.drinks.events.add` writes alone. Returns
 * its id.
 */
export function addEvent(store: Store, event: NewEvent): number {
  const id = store.drinks.events.add(event);
  const { webhooks, readers } = store.notifications.eventReceivers.all();
  const { kind: topic, timeMs: createdTimeMs } = event;
  const receivers = [
    ...webhooks
      .filter(({ kinds }) => kinds === null || kinds.includes(topic))
      .map(({ url }) => ({ kind: 'webhook', target: url })),
    ...readers
      .filter(({ kinds }) => kinds.includes(topic))
      .map(({ userId }) => ({ kind: 'mail', target: `user:${userId}` })),
    ...store.notifications.eventReceivers.ofNews(),
  ];
  if (receivers.length === 0) return id;
  const payload = toPayload(id, event);
  for (const receiver of receivers)
    store.notifications.outbox.add({ ...receiver, topic, payload, eventId: id, createdTimeMs });
  return id;
}

/** Ids only: drinks and kegs may be corrected before a message is sent. */
const toPayload = (id: number, event: NewEvent): string =>
  JSON.stringify({
    id,
    kind: event.kind,
    time_ms: event.timeMs,
    drink_id: event.drinkId ?? null,
    keg_id: event.kegId ?? null,
    session_id: event.sessionId ?? null,
    user_id: event.userId ?? null,
    merged_session_id: event.mergedSessionId ?? null,
  });

/**
 * Writes a message about what has no event of the feed for those who are told all news; must be called in the transaction that
 * causes it.
 */
export function queueNews(store: Store, topic: string, payload: object, createdTimeMs: number): void {
  for (const receiver of store.notifications.eventReceivers.ofNews())
    store.notifications.outbox.add({ ...receiver, topic, payload: JSON.stringify(payload), createdTimeMs });
}

/** A pour that waits for review. */
export const queueHeldPour = (
  store: Store,
  { id, tapId, heldReason, pourTimeMs }: Pick<Drink, 'id' | 'tapId' | 'heldReason' | 'pourTimeMs'>,
): void => queueNews(store, 'pour_held', { drink_id: id, tap_id: tapId, reason: heldReason }, pourTimeMs);

export const queueSpill = (store: Store, { id, tapId, kegId, volumeMl, timeMs }: Spill): void =>
  queueNews(
    store,
    'spill_recorded',
    { spill_id: id, tap_id: tapId, keg_id: kegId, volume_ml: volumeMl },
    timeMs,
  );
