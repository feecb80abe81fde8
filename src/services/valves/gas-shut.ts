import type { EventBus } from '../../core/event-bus.ts';
import type { Logger } from '../../system/log/log.ts';
import type { ValveTap } from './shut-flow.ts';

/**
 * Shuts the valve of a tap as soon as gas comes out of it: its keg is empty, and the rest would only be foam. Returns the
 * unsubscribe function.
 */
export function shutOnGas({
  bus,
  valveTaps,
  shut,
  log,
}: {
  readonly bus: EventBus;
  /** The taps with a valve; throws while the database is closed. */
  readonly valveTaps: () => readonly ValveTap[];
  /** Throws when the relay cannot be switched; the problem is reported by then. */
  readonly shut: (toggle: string) => void;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}): () => void {
  return bus.on('pour.gas', ({ meter, pourId, onsetMs }) => {
    log.info(
      { meter, pourId, onsetMs: Math.round(onsetMs) },
      'gas follows the beer: the keg is probably empty',
    );
    try {
      const tap = valveTaps().find((one) => one.meter === meter);
      if (tap !== undefined) shut(tap.toggle);
    } catch (err) {
      log.warn({ err, meter }, 'the valve could not be shut when gas came');
    }
  });
}
