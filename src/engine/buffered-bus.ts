import type { BusEvent, EventBus } from '../core/event-bus.ts';

/** A bus on which news waits for the commit of a transaction that spans several use-cases. */
export interface BufferedBus extends EventBus {
  /** After the commit: tells what waited, a change of the ledger once at most. */
  flush(): void;
  /** After a rollback: none of it happened. */
  discard(): void;
}

/** `bus` hears everything in the order it was published, but only when told to. */
export function createBufferedBus(bus: EventBus): BufferedBus {
  let pending: BusEvent[] = [];
  return {
    on: (type, listener) => bus.on(type, listener),
    publish(event) {
      const isQueued = event.type === 'database.changed' && pending.some(({ type }) => type === event.type);
      if (!isQueued) pending.push(event);
    },
    flush() {
      const events = pending;
      pending = [];
      for (const event of events) bus.publish(event);
    },
    discard() {
      pending = [];
    },
  };
}
