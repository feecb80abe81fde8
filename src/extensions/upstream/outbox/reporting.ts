import { systemActor } from '../../../engine/engine.ts';
import { productVersion } from '../../../system/product.ts';
import type { StartContext } from '../../extension.ts';
import type { Upstream } from '../engine/upstream.ts';
import { createUpstreamPost } from './post.ts';
import { startUpstream } from './sender.ts';

export type Reporting = ReturnType<typeof startReporting>;

/** Starts reporting to the server of the settings file. */
export function startReporting(context: StartContext<Upstream>) {
  const { config, clock, engine, services, meterNames } = context;
  const { url, device, heartbeat_s: heartbeatS } = config.upstream;
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
  return {
    /** Host and port of the server. */
    host: new URL(url).host,
    /** Our name there. */
    device,
    /** Full names of the meters of this machine and the boards at it. */
    meterNames,
    state: sender.state,
    /** Retries at once, also after a refusal. */
    retryNow: sender.retryNow,
    /** Stops; an unfinished report is sent again at the next start. */
    close: sender.stop,
  };
}
