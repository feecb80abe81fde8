import type { Moment } from '../../../core/clock/moment.ts';

/** A feature that receives messages of a message broker, while something here is connected to one. */
export interface TopicSubscriber {
  /** The topics, without wildcards. Reads only, and memory only unless the database has changed. */
  topics(): readonly string[];
  /** A message of one of its topics. Writes in transactions of its own; throws what was not its sender's fault. */
  receive(topic: string, payload: Uint8Array, now: Moment): void;
  /** Those of all topics that the broker does not let this program receive. Writes nothing. */
  noteRefused(topics: ReadonlySet<string>): void;
}
