import type { EndedPour } from './pour.ts';

/** Everything the parts of the daemon tell one another. Names are `<noun>.<what happened>`. */
export type BusEvent =
  /** A meter's first tick. */
  | { readonly type: 'pour.started'; readonly meter: string; readonly pourId: string }
  /** Ticks so far of the running pour. */
  | { readonly type: 'pour.flowing'; readonly meter: string; readonly pourId: string; readonly ticks: number }
  /** The flow fell idle; not yet a drink. */
  | { readonly type: 'pour.ended'; readonly pour: EndedPour }
  /** Too few ticks for a pour: counted in the meter's lifetime total only. */
  | { readonly type: 'pour.dripped'; readonly meter: string; readonly pourId: string; readonly ticks: number }
  /** Committed: a drink was recorded (held ones too). */
  | { readonly type: 'drink.recorded'; readonly drinkId: number; readonly tapId: number | null }
  /** Committed: something a page shows has changed (kegs, taps, corrections, settings). */
  | { readonly type: 'database.changed' }
  /** A thermo sensor gave a usable reading, degrees Celsius. */
  | { readonly type: 'temperature.read'; readonly sensor: string; readonly tempC: number }
  /** A thermo reading was refused, or a sensor fell silent or came back. */
  | { readonly type: 'sensor.trouble'; readonly sensor: string; readonly reason: string }
  /** A token was shown to a reader: `core.onewire`, `core.rfid`. Shown again while it is there, it is told again. */
  | {
      readonly type: 'token.presented';
      readonly controller: string;
      /** Which reader of the controller, where it may have several. */
      readonly reader?: string;
      readonly device: string;
      readonly value: string;
    }
  /** It was taken away, gave way to another, or waited too long without a drink; or its reader is gone. */
  | {
      readonly type: 'token.removed';
      readonly controller: string;
      readonly reader?: string;
      readonly device: string;
      readonly value: string;
    }
  /** The house closes: whoever waits for something had better be answered now. */
  | { readonly type: 'daemon.stopping' }
  /** A part's health changed; null means well again. */
  | { readonly type: 'health.changed'; readonly part: string; readonly problem: string | null };

export type BusEventOf<T extends BusEvent['type']> = Extract<BusEvent, { type: T }>;

/** Publish and subscribe, synchronously and in order. A subscriber that throws is reported and hurts nobody else. */
export interface EventBus {
  publish(event: BusEvent): void;
  /** Returns the way to leave again. */
  on<T extends BusEvent['type']>(type: T, listener: (event: BusEventOf<T>) => void): () => void;
}

/** `onFault` is told what a subscriber threw and for which event. */
export function createEventBus(onFault: (fault: unknown, event: BusEvent) => void): EventBus {
  const listeners = new Map<BusEvent['type'], Set<(event: never) => void>>();
  return {
    publish(event) {
      for (const listener of listeners.get(event.type) ?? []) {
        try {
          (listener as (event: BusEvent) => void)(event);
        } catch (fault) {
          onFault(fault, event);
        }
      }
    },
    on(type, listener) {
      const set = listeners.get(type) ?? new Set();
      listeners.set(type, set);
      set.add(listener);
      return () => set.delete(listener);
    },
  };
}
