import type { Config } from '../config/schema.ts';
import { omitUndefined } from '../core/omit-undefined.ts';
import type { LastExit } from '../system/last-run.ts';
import type { Logger } from '../system/log/log.ts';
import { createLogMemory, type LogMemory } from '../system/log/log-memory.ts';
import type { MachineIdentity } from '../system/machine-identity.ts';
import { createShutdown } from './shutdown.ts';
import { startServices } from './start-services.ts';

/** Time for running HTTP responses at shutdown; open pours are in the database before it starts. */
const shutdownGraceMs = 1_500;

/** A running daemon. */
export type Daemon = Awaited<ReturnType<typeof startDaemon>>;

/** Starts every service, counting first and HTTP last. Throws what only a person can repair. */
export async function startDaemon({
  config,
  log,
  memory = createLogMemory(),
  settingsFile = null,
  lastExit = null,
  identity,
  onDatabaseOpened,
}: {
  readonly config: Config;
  /** Path of the settings file that `config` was read from; null for the demo. */
  readonly settingsFile?: string | null;
  readonly log: Logger;
  readonly memory?: LogMemory;
  /** How the previous run ended; null when that is unknown. */
  readonly lastExit?: LastExit | null;
  /** Default: that of `/etc/machine-id`. */
  readonly identity?: MachineIdentity | undefined;
  /** Called at each opening of the database: the file may be a new one. */
  readonly onDatabaseOpened?: () => void;
}) {
  const shutdown = createShutdown();
  try {
    const services = await startServices(
      { config, settingsFile, log, memory, lastExit, ...omitUndefined({ identity, onDatabaseOpened }) },
      shutdown,
    );
    // Loaded late so that counting starts before the HTTP modules are parsed.
    const { startHttp } = await import('./http/start-http.ts');
    const http = await startHttp(services);
    return {
      /** The port of page and API; null while the address is not available yet. */
      port: http.port,
      /** The health of every part, for the status line of systemd. */
      health: services.health.report,
      /** Milliseconds since the pulses were last drained, for the watchdog. */
      sinceHeartbeatMs: services.counting.sinceHeartbeatMs,
      /** False while meters are configured on pins and none of them counts, for the watchdog. */
      isCounting: services.counting.isCounting,
      /** Ends open pours, records them, flushes, and releases pins, port and database. */
      async close(): Promise<void> {
        services.bus.publish({ type: 'daemon.stopping' });
        await Promise.all([http.close(shutdownGraceMs), shutdown.stop()]);
      },
    };
  } catch (fault) {
    await shutdown.stop();
    throw fault;
  }
}
