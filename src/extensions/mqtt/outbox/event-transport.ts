import { createProblem } from '../../../core/health/problems.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { Transport } from '../../../outbox/transport.ts';
import { isMessageRefused, isNotAuthorized } from './broker/broker-problem.ts';
import type { Connection } from './broker/connection.ts';
import { renderEvent } from './event-payload.ts';
import type { Topics } from './topics.ts';

/** What events are sent through; replaced when the settings change. */
export interface EventSender {
  readonly connection: Pick<Connection, 'isConnected' | 'publish'>;
  readonly topics: Topics;
  readonly publishesNames: boolean;
}

/** After an outage thousands wait, and each batch is one write to the SD card. */
const batchSize = 100;
/** A broker that acknowledges later than this is asked again, milliseconds. */
const acknowledgeMs = 20_000;

/** Publishes the events of the outbox: one at a time, so that they arrive in order. */
export function createEventTransport(options: {
  readonly engine: () => Engine;
  /** Null while MQTT is off. */
  readonly sender: () => EventSender | null;
}): Transport {
  return {
    kind: 'mqtt',
    maxConcurrent: 1,
    batchSize,
    isReady: () => options.sender()?.connection.isConnected ?? false,
    async send(message, signal) {
      const sender = options.sender();
      if (sender === null) return { kind: 'skipped', problem: createProblem('mqtt_switched_off') };
      const { connection, topics, publishesNames } = sender;
      const event = renderEvent(options.engine(), message, { publishesNames });
      const topic = event.tap_id === null ? topics.event : topics.tapEvent(event.tap_id);
      try {
        const published = connection.publish({
          topic,
          payload: JSON.stringify(event),
          qos: 1,
          retain: false,
        });
        await withinTime(published, signal);
        return { kind: 'sent', isForgotten: true };
      } catch (fault) {
        if (isMessageRefused(fault)) {
          const problem = createProblem('mqtt_message_refused');
          return { kind: 'failed', problem, isFinal: true, scope: 'message' };
        }
        const problem = isNotAuthorized(fault)
          ? createProblem('mqtt_not_authorized', { topic })
          : createProblem('mqtt_connection_ended');
        return { kind: 'failed', problem, isFinal: false, scope: 'receiver' };
      }
    },
  };
}

/** Rejects when it takes too long or the worker stops. */
function withinTime(published: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const stop = () => done(reject)(new Error('The message was not acknowledged.'));
    const timer = setTimeout(stop, acknowledgeMs);
    signal.addEventListener('abort', stop, { once: true });
    const done =
      <T>(settle: (value: T) => void) =>
      (value: T) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        settle(value);
      };
    published.then(done(resolve), done(reject));
  });
}
