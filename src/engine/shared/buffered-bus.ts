import type { BusEvent, EventBus } from '../../core/event-bus.ts';

/** A bus that holds events back until a transaction over several engine calls has committed. */
export interface BufferedBus extends EventBus {
  /** After the commit: publishes the pending events, `database.changed` at most once. */
  flush(): void;
  /** After a rollback: drops the pending events. */
  discard(): void;
}

/** Publishes to `bus` in the original order, on `flush` only. */
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
