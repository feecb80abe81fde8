import type { Moment } from '../../../core/clock/moment.ts';
import { maxWeightBytes, parseWeight } from '../../scales/core/weight-payload.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { Log } from '../../../outbox/outbox-interfaces.ts';
import type { IncomingMessage } from './broker/broker-client.ts';
import type { Connection } from './broker/connection.ts';

interface WeightParts {
  readonly engine: () => Engine | null;
  readonly now: () => Moment;
  readonly connection: Pick<Connection, 'isConnected' | 'subscribe'>;
  readonly log: Log;
}

/** Receives the weights of scales from the topics that staff set; at most one per second and scale is taken. */
export function createWeightSubscriber({ engine, now, connection, log }: WeightParts) {
  /** Topics that the broker was asked for at this connection. It has no unsubscribing: others are ignored. */
  let asked = new Set<string>();
  /** Those that it refused: it is asked again after a reconnect, or when a scale gets the topic again. */
  let refused = new Set<string>();
  let isFailing = false;

  const scales = () => engine()?.scales.topics() ?? [];

  function subscribe(): void {
    if (!connection.isConnected) return;
    const topics = new Set(scales().map(({ topic }) => topic));
    for (const topic of refused) {
      if (topics.has(topic)) continue;
      refused.delete(topic);
      asked.delete(topic);
    }
    // One by one: of several topics a broker's refusal does not say which one it means.
    for (const topic of topics) if (!asked.has(topic)) subscribeTo(topic);
    // Also a database that was restored shows them.
    engine()?.scales.noteRefusedTopics(refused);
  }

  function subscribeTo(topic: string): void {
    const atConnection = asked;
    asked.add(topic);
    connection.subscribe([topic]).catch((err: unknown) => {
      if (asked !== atConnection || !connection.isConnected) return;
      refused.add(topic);
      engine()?.scales.noteRefusedTopics(refused);
      log.warn({ err, topic }, 'the MQTT broker does not permit to receive weights');
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
      engine()?.scales.noteRefusedTopics(refused);
    },
    /** Call it when scales may have changed. */
    follow: subscribe,
    /** Returns false for a topic that no scale has. */
    onMessage({ topic, payload, retain }: IncomingMessage): boolean {
      const open = engine();
      if (open === null) return false;
      const ofTopic = scales().filter((scale) => scale.topic === topic);
      if (ofTopic.length === 0) return false;
      // A weight that the broker had stored is of an unknown time: the next one comes soon. An empty message only deletes it.
      if (retain || payload.length === 0) return true;
      const text = payload.length > maxWeightBytes ? null : payload.toString();
      for (const scale of ofTopic) {
        const message =
          text === null ? ({ kind: 'broken', fault: 'too_long' } as const) : parseWeight(text, scale);
        try {
          if (message.kind === 'broken') open.scales.noteBroken(scale.id, message.fault, now());
          else open.scales.receive(scale.id, message, now());
          isFailing = false;
        } catch (err) {
          // The disk may be full: the weights that follow say it again.
          if (!isFailing) log.warn({ err, topic }, 'a weight could not be taken');
          isFailing = true;
        }
      }
      return true;
    },
  };
}
