import type { EventBus } from '../../core/event-bus.ts';
import type { MeterPour } from '../../core/pours/meter-pour.ts';

/**
 * Finds the pours that need their first checkpoint. Without it a whole pour would be lost if the power failed before the
 * checkpoint of the second. It costs one write per pour; a drip costs none, since a leaking tap makes thousands.
 */
interface FirstCheckpoints {
  /**
   * Call it every 50 ms: true once for each new pour, as soon as it has the ticks of a pour. `running` returns the
   * running pours.
   */
  areDue(running: () => readonly MeterPour[]): boolean;
  unsubscribe(): void;
}

/** Follows the pours that start on `bus`; those of network boards are in no journal and are ignored. */
export function followFirstCheckpoints(bus: EventBus): FirstCheckpoints {
  let newPours = new Set<string>();
  const unsubscribe = bus.on('pour.started', ({ pourId }) => newPours.add(pourId));
  return {
    areDue(running) {
      if (newPours.size === 0) return false;
      const pours = running().filter(({ pourId }) => newPours.has(pourId));
      const drips = pours.filter(({ ticks, minTicks }) => ticks < minTicks);
      newPours = new Set(drips.map(({ pourId }) => pourId));
      return drips.length < pours.length;
    },
    unsubscribe,
  };
}
