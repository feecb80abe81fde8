import type { Moment } from '../../../core/clock/moment.ts';
import { newestReading, type SensorReading } from '../../../core/temperatures/sensor-reading.ts';
import type { Engine, TapView } from '../../../engine/engine.ts';
import type { LatestTemperature, OpenValve, RunningPour } from '../../../http/ports.ts';
import type { MetricName } from './metric-table.ts';
import type { MetricValues } from './metric-values.ts';

/** What the daemon knows without the database. */
export interface BarSource {
  now(): Moment;
  runningPours(): ReadonlyMap<string, RunningPour>;
  openValves(): readonly OpenValve[];
  latestTemperatures(): ReadonlyMap<string, LatestTemperature>;
}

/** Series of taps, sensors, boards and messages that exist no longer are not reported. */
const cleared = [
  'tapster_tap_info',
  'tapster_pouring',
  'tapster_keg_remaining_liters',
  'tapster_keg_capacity_liters',
  'tapster_valve_open',
  'tapster_temperature_celsius',
  'tapster_temperature_stale',
  'tapster_temperature_timestamp_seconds',
  'tapster_board_last_report_timestamp_seconds',
  'tapster_outbox_messages',
  'tapster_outbox_oldest_timestamp_seconds',
  'tapster_held_pours',
] as const satisfies readonly MetricName[];

/** Most characters of a name in a label. */
const maxNameLength = 64;

/** Reads taps, kegs, temperatures, boards and messages; `engine` is null while the database is closed. */
export function readBar(engine: Engine | null, source: BarSource, values: MetricValues): void {
  for (const name of cleared) values.clear(name);
  const running = source.runningPours();
  values.set('tapster_open_pours', {}, running.size);
  if (engine !== null) {
    const boardPours = engine.hooks.shownPours();
    const openToggles = new Set(source.openValves().map(({ toggle }) => toggle));
    const nowMs = source.now().wallMs;
    const isPouring = (meter: string) => running.has(meter) || boardPours.has(meter);
    for (const view of engine.taps.list()) readTap(view, { isPouring, openToggles, nowMs }, values);
    for (const { device, isPaired, lastSeenMs } of engine.hooks.reportingControllers(source.now())) {
      if (!isPaired || lastSeenMs === null) continue;
      const labels = { board: device };
      values.set('tapster_board_last_report_timestamp_seconds', labels, lastSeenMs / 1_000);
    }
    values.set('tapster_held_pours', {}, engine.drinks.heldCount());
    readMessages(engine, values);
  }
  // Newer than the stored ones, which follow minutes later.
  for (const [sensor, reading] of source.latestTemperatures()) setTemperature(sensor, reading, values);
}

function readTap(
  { tap, keg, beverage, lastTemp }: TapView,
  flow: {
    readonly isPouring: (meter: string) => boolean;
    readonly openToggles: ReadonlySet<string>;
    readonly nowMs: number;
  },
  values: MetricValues,
): void {
  const labels = { tap: String(tap.id) };
  const names = { name: tap.name, beverage: beverage?.name ?? '' };
  values.set(
    'tapster_tap_info',
    { ...labels, name: shorten(names.name), beverage: shorten(names.beverage) },
    1,
  );
  const isPouring = tap.meter !== null && flow.isPouring(tap.meter.name);
  values.set('tapster_pouring', labels, isPouring ? 1 : 0);
  // Present before the first pour, so that the first one is an increase.
  for (const result of ['drink', 'held', 'cleaning', 'drip', 'back_flow'])
    values.increment('tapster_pours_total', { ...labels, result }, 0);
  values.increment('tapster_poured_liters_total', labels, 0);
  if (tap.toggle !== null)
    values.set('tapster_valve_open', labels, flow.openToggles.has(tap.toggle.name) ? 1 : 0);
  if (keg !== null) {
    const { fullVolumeMl, servedVolumeMl, spilledVolumeMl } = keg;
    const remainingMl = Math.max(0, fullVolumeMl - servedVolumeMl - spilledVolumeMl);
    values.set('tapster_keg_capacity_liters', labels, fullVolumeMl / 1_000);
    values.set('tapster_keg_remaining_liters', labels, remainingMl / 1_000);
  }
  if (tap.thermoSensor !== null && lastTemp !== null)
    setTemperature(tap.thermoSensor.rawName, newestReading(lastTemp, undefined, flow.nowMs)!, values);
}

function setTemperature(name: string, { tempC, timeMs, isStale }: SensorReading, values: MetricValues): void {
  const labels = { sensor: shorten(name) };
  values.set('tapster_temperature_celsius', labels, tempC);
  values.set('tapster_temperature_stale', labels, isStale ? 1 : 0);
  values.set('tapster_temperature_timestamp_seconds', labels, timeMs / 1_000);
}

function readMessages(engine: Engine, values: MetricValues): void {
  for (const { kind, state, count, oldestMs } of engine.notifications.outbox.queues()) {
    values.set('tapster_outbox_messages', { channel: kind, state }, count);
    if (state === 'waiting')
      values.set('tapster_outbox_oldest_timestamp_seconds', { channel: kind }, oldestMs / 1_000);
  }
  const { waiting, setAside } = engine.hooks.waitingReports() ?? { waiting: 0, setAside: 0 };
  values.set('tapster_outbox_messages', { channel: 'upstream', state: 'waiting' }, waiting);
  values.set('tapster_outbox_messages', { channel: 'upstream', state: 'dead' }, setAside);
}

const shorten = (name: string): string => [...name].slice(0, maxNameLength).join('');
