import type { EventBus } from '../../core/event-bus.ts';
import type { Engine } from '../../engine/engine.ts';
import type { PourMessage } from './shapes.ts';

interface MeteredTap {
  readonly tapId: string;
  readonly ticksPerMl: number;
}

/**
 * Converts the ticks of a running pour into the odometer message of its tap. Tap and calibration of the meters are
 * cached until the database changes.
 */
export function createOdometer(engine: Engine, bus: EventBus) {
  let taps: ReadonlyMap<string, MeteredTap> | null = null;
  bus.on('database.changed', () => {
    taps = null;
  });

  return (meter: string, now: Omit<PourMessage, 'tap_id' | 'volume_ml'>): PourMessage | null => {
    taps ??= meteredTaps(engine);
    const tap = taps.get(meter);
    return tap ? { tap_id: tap.tapId, ...now, volume_ml: now.ticks / tap.ticksPerMl } : null;
  };
}

function meteredTaps(engine: Engine): ReadonlyMap<string, MeteredTap> {
  const taps = new Map<string, MeteredTap>();
  for (const { tap } of engine.taps.list()) {
    if (tap.meter) taps.set(tap.meter.name, { tapId: String(tap.id), ticksPerMl: tap.meter.ticksPerMl });
  }
  return taps;
}
