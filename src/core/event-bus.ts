import type { Problem } from './health/problems.ts';
import type { CounterPosition } from './pours/counter-position.ts';
import type { EndedPour } from './pours/pour.ts';
import type { Drink } from './records.ts';

/** Events between the parts of the daemon. Names are `<noun>.<what happened>`. */
export type BusEvent =
  /** First tick of a pour. */
  | { readonly type: 'pour.started'; readonly meter: string; readonly pourId: string }
  /** Ticks of the running pour so far. */
  | { readonly type: 'pour.flowing'; readonly meter: string; readonly pourId: string; readonly ticks: number }
  /** Gas follows the beer of the running pour: its keg is probably empty. Once in a pour. */
  | {
      readonly type: 'pour.gas';
      readonly meter: string;
      readonly pourId: string;
      /** From the first tick, milliseconds. */
      readonly onsetMs: number;
    }
  /** The flow is idle; no drink is recorded yet. */
  | { readonly type: 'pour.ended'; readonly pour: EndedPour }
  /** Too few ticks for a pour: counted in the meter's lifetime total only. */
  | {
      readonly type: 'pour.dripped';
      readonly meter: string;
      readonly pourId: string;
      readonly ticks: number;
      /** True when the liquid only moved to and fro in the line. */
      readonly isBackFlow?: boolean;
      /** The board's own total at the last tick; absent for GPIO lines. */
      readonly position?: CounterPosition;
    }
  /**
   * A pour that a network kegboard showed while it ran is over: the board has reported it, or is silent. No drink is recorded from
   * this event.
   */
  | { readonly type: 'pour.stopped'; readonly meter: string; readonly pourId: string; readonly ticks: number }
  /** After commit: a drink was recorded, held ones included. */
  | { readonly type: 'drink.recorded'; readonly drink: Drink }
  /** After commit: data shown on a page has changed (kegs, taps, corrections, settings). */
  | { readonly type: 'database.changed' }
  /** A thermo sensor gave a usable reading, degrees Celsius. */
  | { readonly type: 'temperature.read'; readonly sensor: string; readonly tempC: number }
  /** A thermo reading was rejected, or a sensor stopped or resumed reporting. */
  | { readonly type: 'sensor.trouble'; readonly sensor: string; readonly reason: string }
  /**
   * A token was presented to a reader: `core.onewire`, `core.rfid`. Repeated while the token stays presented.
   */
  | {
      readonly type: 'token.presented';
      readonly controller: string;
      /** Which reader of the controller, where it has several. */
      readonly reader?: string;
      readonly device: string;
      readonly value: string;
      /** What the reader sent, where it is more than the value in capitals; at most 64 characters. */
      readonly raw?: string;
    }
  /** The token was removed, replaced by another, or timed out without a drink; or its reader is gone. */
  | {
      readonly type: 'token.removed';
      readonly controller: string;
      readonly reader?: string;
      readonly device: string;
      readonly value: string;
    }
  /** A board has reported a token, once for each time that it was presented. */
  | {
      readonly type: 'token.reported';
      readonly controller: string;
      readonly device: string;
      readonly value: string;
    }
  /** The driver of a relay of this machine could not switch it. */
  | { readonly type: 'relay.failed'; readonly relay: string; readonly problem: Problem }
  /** The database is about to be closed and replaced: nothing may read it any more. */
  | { readonly type: 'database.closing' }
  /** The database was closed, replaced or not, and opened again: what was read from the old one is outdated. */
  | { readonly type: 'database.replaced' }
  /** After commit: features were switched; `features.switched` follows when the engine has them. */
  | { readonly type: 'features.changed' }
  /** The engine has the features that were switched. */
  | { readonly type: 'features.switched' }
  /** A database that could not be opened at first is open. */
  | { readonly type: 'engine.opened' }
  /** The daemon is stopping: pending requests should be answered now. */
  | { readonly type: 'daemon.stopping' }
  /** A component's health changed; null means healthy again. */
  | { readonly type: 'health.changed'; readonly part: string; readonly problem: string | null }
  /** The network has given this machine another address for the page. */
  | { readonly type: 'address.changed' };

export type BusEventOf<T extends BusEvent['type']> = Extract<BusEvent, { type: T }>;

/**
 * Publish and subscribe, synchronous and in order. An error in one listener is reported and does not affect
 * the others.
 */
export interface EventBus {
  publish(event: BusEvent): void;
  /** Returns the function that unsubscribes. */
  on<T extends BusEvent['type']>(type: T, listener: (event: BusEventOf<T>) => void): () => void;
}

/** `onFault` receives what a listener threw, and the event. */
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
