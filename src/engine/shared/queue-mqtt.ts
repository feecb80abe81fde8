import type { Store } from '../../store/store.ts';

/**
 * Writes an event for the MQTT broker into the outbox, if events are published; must be called in the transaction that causes
 * it.
 */
export function queueMqttEvent(store: Store, topic: string, payload: object, timeMs: number): void {
  if (!store.mqtt.queuesEvents()) return;
  store.outbox.add({
    kind: 'mqtt',
    target: 'broker',
    topic,
    payload: JSON.stringify(payload),
    createdTimeMs: timeMs,
  });
}
