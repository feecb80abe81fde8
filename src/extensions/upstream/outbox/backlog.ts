import type { Moment } from '../../../core/clock/moment.ts';
import type { WaitingReports } from '../../../engine/extension.ts';
import type { UpstreamAlarmCondition } from '../core/alarm-kinds.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * Longer than the restart of a server or an outage of most providers, and shorter than an evening, so that the figures are complete
 * on the next morning, milliseconds.
 */
const maxReportAgeMs = 4 * hourMs;
/** A kegboard that was offline delivers old pours at once; the queue is empty again soon, milliseconds. */
const reportDelayMs = 10 * minuteMs;

/** Reports that wait for the server with this host. */
export function detectBacklog(
  server: string,
  { oldest }: WaitingReports,
  now: Moment,
): readonly UpstreamAlarmCondition[] {
  const ageMs = oldest === null ? 0 : now.wallMs - oldest.atMs;
  const isUnknown = !now.synced || oldest?.timeCertain === false;
  return [
    {
      kind: 'upstream_behind',
      subject: server,
      state: isUnknown ? 'unknown' : ageMs > maxReportAgeMs ? 'bad' : 'good',
      lastsMs: reportDelayMs,
      values: { server, hours: Math.max(4, Math.floor(ageMs / hourMs)) },
    },
  ];
}
