import type { Condition } from '../../../core/alarms/condition.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import { systemActor } from '../../../engine/engine.ts';
import { productVersion } from '../../../system/product.ts';
import type { ConfiguredContext } from '../../extension.ts';
import type { UpstreamSettings } from '../config/settings-group.ts';
import type { Upstream } from '../engine/upstream.ts';
import { detectBacklog } from './backlog.ts';
import { createUpstreamPost } from './post.ts';
import { startUpstream } from './sender.ts';

export type Reporting = ReturnType<typeof startReporting>;

/** Starts reporting to the server of the settings file. */
export function startReporting(context: ConfiguredContext<Upstream, UpstreamSettings>) {
  const { settings, clock, engine, services, meterNames } = context;
  const { url, device, heartbeat_s: heartbeatS } = settings;
  const sender = startUpstream({
    ...context,
    upstream: services,
    target: { url, device },
    post: createUpstreamPost(url),
    heartbeatMs: heartbeatS * 1_000,
    version: `tapster-${productVersion()}`,
    closeTaps() {
      const open = engine();
      if (open === null) throw new Error('The database is not open.');
      open.access.grants.deauthorize({}, systemActor, clock.now());
    },
    random: Math.random,
  });
  const { host } = new URL(url);
  return {
    /** Host and port of the server. */
    host,
    /** Our name there. */
    device,
    /** Full names of the meters of this machine and the boards at it. */
    meterNames,
    state: sender.state,
    /** Retries at once, also after a refusal. */
    retryNow: sender.retryNow,
    alarmConditions(now: Moment): readonly Condition[] {
      const open = services();
      return open === null ? [] : detectBacklog(host, open.waitingReports(), now);
    },
    /** Stops; an unfinished report is sent again at the next start. */
    close: sender.stop,
  };
}
