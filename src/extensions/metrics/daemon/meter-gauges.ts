import type { LineState } from '../../../devices/device-interfaces.ts';
import type { MeterCounts } from '../../../devices/meter-feed.ts';
import type { MeterStatus } from '../../../http/ports.ts';
import type { MetricValues } from './metric-values.ts';

/** What the meters of this machine have counted. */
export interface MeterSource {
  counts(): readonly MeterCounts[];
  meterStatuses(): readonly MeterStatus[];
  /** Lines of the pins. */
  lines(): readonly LineState[];
}

/** Copies the totals of the meters into the metrics. */
export function readMeters({ counts, meterStatuses, lines }: MeterSource, values: MetricValues): void {
  for (const { meter, ticks, refused } of counts()) {
    values.set('tapster_pour_ticks_total', { meter }, ticks);
    values.set('tapster_edges_rejected_total', { meter }, refused);
  }
  values.clear('tapster_meter_working');
  for (const { meter, state } of meterStatuses())
    values.set('tapster_meter_working', { meter }, state === 'fault' ? 0 : 1);
  values.clear('tapster_tick_loss_detectable');
  for (const { name: meter, lost, dropped = 0 } of lines()) {
    values.set('tapster_tick_loss_detectable', { meter }, lost === null ? 0 : 1);
    values.set('tapster_pour_ticks_lost_total', { meter, cause: 'buffer' }, dropped);
    if (lost !== null)
      values.set('tapster_pour_ticks_lost_total', { meter, cause: 'kernel' }, lost - dropped);
  }
}
