import type { EventBus } from '../../core/event-bus.ts';
import { type MeterFactor, runningVolumeMl } from '../../core/measurement/pour-volume.ts';
import type { Engine } from '../../engine/engine.ts';
import type { HttpServices } from '../services.ts';
import type { PourMessage } from './shapes.ts';

interface MeteredTap {
  readonly tapId: string;
  readonly meter: MeterFactor;
}

/**
 * Converts the ticks of a running pour into the odometer message of its tap. Tap and calibration of the meters are
 * cached until the database changes. A meter with a curve needs the times of the ticks, `runningPours`.
 */
export function createOdometer(
  engine: Engine,
  bus: EventBus,
  { runningPours }: Pick<HttpServices['counting'], 'runningPours'>,
) {
  let taps: ReadonlyMap<string, MeteredTap> | null = null;
  bus.on('database.changed', () => {
    taps = null;
  });

  return (
    meter: string,
    now: Omit<PourMessage, 'tap_id' | 'volume_ml'>,
    endedSeries?: string,
  ): PourMessage | null => {
    taps ??= meteredTaps(engine);
    const tap = taps.get(meter);
    if (tap === undefined) return null;
    const series = endedSeries ?? (tap.meter.curve === null ? undefined : runningPours().get(meter)?.series);
    const pour = { pourId: now.pour_id, ticks: now.ticks, series };
    return { tap_id: tap.tapId, ...now, volume_ml: runningVolumeMl(tap.meter, pour) };
  };
}

function meteredTaps(engine: Engine): ReadonlyMap<string, MeteredTap> {
  const taps = new Map<string, MeteredTap>();
  for (const { tap } of engine.taps.list()) {
    if (tap.meter) taps.set(tap.meter.name, { tapId: String(tap.id), meter: tap.meter });
  }
  return taps;
}
