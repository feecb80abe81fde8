import type { Moment } from '../../core/clock/moment.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Drink } from '../../core/records.ts';
import type { UpstreamTime } from '../../store/notifications/upstream-table.ts';
import type { Store } from '../../store/store.ts';
import type { EngineParts } from './parts.ts';

type Parts = Pick<EngineParts, 'store' | 'settings'>;

/**
 * Queues a local pour for the upstream server; must be called in the transaction that records the drink.
 * Later corrections are not reported.
 */
export function queuePour({ store, settings }: Parts, drink: Drink, time: UpstreamTime): void {
  const { meter, pourId, volumeMl, source } = drink;
  if (!settings.reportsUpstream || (source !== 'pin' && source !== 'serial')) return;
  if (meter === null || pourId === null || volumeMl <= 0) return;
  const series = drink.series !== null && /^\d+:\d+( \d+:\d+)*$/.test(drink.series) ? drink.series : null;
  const data = {
    meter_number: meterNumber(store, meter),
    pour_id: pourId,
    volume_ml: volumeMl,
    duration_ms: drink.durationMs,
    ticks: drink.ticks,
    ...(drink.ticks > 0 ? { ml_per_tick: volumeMl / drink.ticks } : {}),
    ...omitUndefined({ tick_series: series ?? undefined }),
  };
  store.upstream.add({ type: 'pour', data: JSON.stringify(data), ...time });
}

/** Queues readings of local sensors for the upstream server, in the transaction that stores them. */
export function queueTemperatures(
  { store, settings }: Parts,
  readings: readonly { readonly name: string; readonly tempC: number; readonly at: Moment }[],
): void {
  if (!settings.reportsUpstream) return;
  for (const { name: sensor, tempC, at } of readings) {
    const data = JSON.stringify({ sensor, temp_c: tempC });
    store.upstream.add({ type: 'temperature', data, ...toUpstreamTime(at) });
  }
  store.upstream.trimTemperatures();
}

/** The meter's number at the upstream server: that of its port (`flow3`) if it is free. */
export function meterNumber(store: Store, meter: string): number {
  const port = /\.flow(\d{1,4})$/.exec(meter)?.[1];
  return store.upstream.meterNumber(meter, port === undefined ? null : Number(port));
}

function toUpstreamTime(at: Moment): UpstreamTime {
  return {
    atMs: Math.max(0, Math.round(at.wallMs)),
    timeCertain: at.synced,
    clockBoot: at.bootId,
    monoMs: at.monoMs,
  };
}
