import type { Config } from '../config/schema.ts';
import type { Clock } from '../core/clock/moment.ts';
import type { EventBus } from '../core/event-bus.ts';
import { type Engine, systemActor } from '../engine/engine.ts';
import { realScheduler, type UpstreamAdmin } from '../http/ports.ts';
import { startUpstream } from '../outbox/upstream.ts';
import { createUpstreamPost } from '../outbox/upstream-post.ts';
import type { Logger } from '../system/log.ts';
import { productVersion } from '../system/product.ts';
import type { ReportProblem } from './monitors/health-reporters.ts';

/** Reports the pours of this Pi to another Tapster server. */
export interface UpstreamService {
  readonly admin: UpstreamAdmin;
  /** Stops; an unfinished report is sent again at the next start. */
  close(): Promise<void>;
}

/** Starts reporting as configured; call it only when `upstream.url` is set. */
export function startUpstreamService(options: {
  readonly config: Pick<Config, 'upstream'>;
  /** Null while the database cannot be opened. */
  readonly engine: () => Engine | null;
  readonly bus: EventBus;
  readonly clock: Clock;
  /** Full names of the meters of this machine and its serial boards. */
  readonly meterNames: () => readonly string[];
  readonly reportProblem: ReportProblem;
  readonly log: Logger;
}): UpstreamService {
  const { config, engine, bus, clock, meterNames, reportProblem, log } = options;
  const { url, device, heartbeat_s: heartbeatS } = config.upstream;
  const sender = startUpstream({
    upstream: () => engine()?.upstream ?? null,
    target: { url, device },
    post: createUpstreamPost(url),
    heartbeatMs: heartbeatS * 1_000,
    version: `tapster-${productVersion()}`,
    meterNames,
    closeTaps() {
      const open = engine();
      if (open === null) throw new Error('The database is closed.');
      open.grants.deauthorize({}, systemActor, clock.now());
    },
    ...{ bus, clock, reportProblem, log },
    scheduler: realScheduler,
    random: Math.random,
  });
  const { host } = new URL(url);
  return {
    admin: { host, device, meterNames, state: sender.state, retryNow: sender.retryNow },
    close: sender.stop,
  };
}
