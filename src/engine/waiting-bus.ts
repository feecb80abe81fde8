import type { BusEvent, EventBus } from '../core/event-bus.ts';

/** A bus on which news waits for the commit of a transaction that spans several use-cases. */
export interface WaitingBus extends EventBus {
  /** After the commit: tells what waited, a change of the ledger once at most. */
  tell(): void;
  /** After a rollback: none of it happened. */
  drop(): void;
}

/** `bus` hears everything in the order it was published, but only when told to. */
export function createWaitingBus(bus: EventBus): WaitingBus {
  let news: BusEvent[] = [];
  return {
    on: (type, listener) => bus.on(type, listener),
    publish(event) {
      const isTold = event.type === 'database.changed' && news.some(({ type }) => type === event.type);
      if (!isTold) news.push(event);
    },
    tell() {
      const told = news;
      news = [];
      for (const event of told) bus.publish(event);
    },
    drop() {
      news = [];
    },
  };
}
