import type { Moment } from '../../../core/clock/moment.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { Log } from '../../../outbox/outbox-interfaces.ts';
import type { IncomingMessage } from './broker/broker-client.ts';
import type { Connection } from './broker/connection.ts';

interface SubscriberParts {
  readonly engine: () => Engine | null;
  readonly now: () => Moment;
  readonly connection: Pick<Connection, 'isConnected' | 'subscribe'>;
  readonly log: Log;
}

/** Receives the topics that other features want, as those of scales. */
export function createTopicSubscriber({ engine, now, connection, log }: SubscriberParts) {
  /** Topics that the broker was asked for at this connection. It has no unsubscribing: others are ignored. */
  let asked = new Set<string>();
  /** Those that it refused: it is asked again after a reconnect, or when somebody wants the topic again. */
  let refused = new Set<string>();
  let isFailing = false;

  const subscribers = () => engine()?.hooks.topicSubscribers() ?? [];

  function noteRefused(): void {
    for (const subscriber of subscribers()) subscriber.noteRefused(refused);
  }

  function subscribe(): void {
    if (!connection.isConnected) return;
    const topics = new Set(subscribers().flatMap((one) => one.topics()));
    for (const topic of refused) {
      if (topics.has(topic)) continue;
      refused.delete(topic);
      asked.delete(topic);
    }
    // One by one: of several topics a broker's refusal does not say which one it means.
    for (const topic of topics) if (!asked.has(topic)) subscribeTo(topic);
    // Also a database that was restored shows them.
    noteRefused();
  }

  function subscribeTo(topic: string): void {
    const atConnection = asked;
    asked.add(topic);
    connection.subscribe([topic]).catch((err: unknown) => {
      if (asked !== atConnection || !connection.isConnected) return;
      refused.add(topic);
      noteRefused();
      log.warn({ err, topic }, 'the MQTT broker does not permit to receive a topic');
    });
  }

  return {
    /** Call it at each connection. */
    onConnect(): void {
      asked = new Set();
      refused = new Set();
      subscribe();
    },
    /** MQTT was switched off, or its settings changed: another broker may permit them. */
    stop(): void {
      refused = new Set();
      noteRefused();
    },
    /** Call it when other topics may be wanted. */
    follow: subscribe,
    /** Returns false for a topic that nobody wants. */
    onMessage({ topic, payload, retain }: IncomingMessage): boolean {
      const receivers = subscribers().filter((one) => one.topics().includes(topic));
      if (receivers.length === 0) return false;
      // What the broker had stored is of an unknown time: the next message comes soon. An empty message only deletes it.
      if (retain || payload.length === 0) return true;
      for (const receiver of receivers) {
        try {
          receiver.receive(topic, payload, now());
          isFailing = false;
        } catch (err) {
          // The disk may be full: the messages that follow say it again.
          if (!isFailing) log.warn({ err, topic }, 'a message of the MQTT broker could not be taken');
          isFailing = true;
        }
      }
      return true;
    },
  };
}
