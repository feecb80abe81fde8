import type { Moment } from '../../../core/clock/moment.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { FlowEnd } from '../../../core/pours/flow-end.ts';
import type { Drink } from '../../../core/records.ts';
import type { SensorReading } from '../../../engine/shared/recording-hooks.ts';
import type { UpstreamTable } from '../store/table.ts';

/**
 * Queues a local pour for the upstream server; must be called in the transaction that records the drink.
 * Later corrections are not reported.
 */
export function queuePour(upstream: UpstreamTable, drink: Drink, end: FlowEnd): void {
  const { meter, pourId, volumeMl, source } = drink;
  if (source !== 'pin' && source !== 'serial') return;
  if (meter === null || pourId === null || volumeMl <= 0) return;
  const series = drink.series !== null && /^\d+:\d+( \d+:\d+)*$/.test(drink.series) ? drink.series : null;
  const data = {
    meter_number: meterNumber(upstream, meter),
    pour_id: pourId,
    volume_ml: volumeMl,
    duration_ms: drink.durationMs,
    ticks: drink.ticks,
    ...(drink.ticks > 0 ? { ml_per_tick: volumeMl / drink.ticks } : {}),
    ...omitUndefined({ tick_series: series ?? undefined }),
  };
  upstream.add({ type: 'pour', data: JSON.stringify(data), ...end });
}

/** Queues readings of local sensors for the upstream server, in the transaction that stores them. */
export function queueTemperatures(upstream: UpstreamTable, readings: readonly SensorReading[]): void {
  for (const { name: sensor, tempC, at } of readings) {
    const data = JSON.stringify({ sensor, temp_c: tempC });
    upstream.add({ type: 'temperature', data, ...toEventTime(at) });
  }
  upstream.trimTemperatures();
}

/** The meter's number at the upstream server: that of its port (`flow3`) if it is free. */
export function meterNumber(upstream: UpstreamTable, meter: string): number {
  const port = /\.flow(\d{1,4})$/.exec(meter)?.[1];
  return upstream.meterNumber(meter, port === undefined ? null : Number(port));
}

function toEventTime(at: Moment): FlowEnd {
  return {
    atMs: Math.max(0, Math.round(at.wallMs)),
    timeCertain: at.synced,
    clockBoot: at.bootId,
    monoMs: at.monoMs,
  };
}
