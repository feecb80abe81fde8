import { newestReading } from '../../../core/temperatures/sensor-reading.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { Log, Scheduler } from '../../../outbox/outbox-interfaces.ts';
import type { Connection } from './broker/connection.ts';
import type { BarSources } from './state-messages.ts';
import type { Topics } from './topics.ts';

/** New readings are published within this time, milliseconds; sensors are read once a minute. */
const pollMs = 30_000;

interface TemperaturePublisherParts {
  readonly engine: () => Engine | null;
  readonly connection: Pick<Connection, 'isConnected' | 'publish'>;
  readonly topics: Topics;
  readonly scheduler: Scheduler;
  readonly temperatures: BarSources['temperatures'];
  readonly now: BarSources['now'];
  readonly log: Log;
}

/**
 * Publishes each new temperature of a tap, not retained: a broker that repeats a retained one would make an old reading look new to
 * Home Assistant's `expire_after`. Returns the function that stops it.
 */
export function startTemperaturePublisher(parts: TemperaturePublisherParts): () => void {
  const { connection, topics, scheduler, log } = parts;
  /** Time of the last published reading by tap. */
  const publishedMs = new Map<number, number>();

  function poll(): void {
    const engine = connection.isConnected ? parts.engine() : null;
    if (engine === null) return;
    const inMemory = parts.temperatures();
    for (const { tap, lastTemp } of engine.taps.list()) {
      if (tap.thermoSensor === null) continue;
      const last = newestReading(lastTemp, inMemory.get(tap.thermoSensor.rawName), parts.now().wallMs);
      if (last === null || last.isStale || publishedMs.get(tap.id) === last.timeMs) continue;
      publishedMs.set(tap.id, last.timeMs);
      const payload = String(Math.round(last.tempC * 10) / 10);
      connection
        .publish({ topic: topics.tapTemperature(tap.id), payload, qos: 0, retain: false })
        .catch(() => {});
    }
  }

  return scheduler.every(pollMs, () => {
    try {
      poll();
    } catch (err) {
      log.warn({ err }, 'the temperatures cannot be published now');
    }
  });
}
