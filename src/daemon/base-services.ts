import { mergeHardware } from '../config/merged-hardware.ts';
import { readMeterCatalogue } from '../config/meter-catalogue.ts';
import type { Config } from '../config/schema.ts';
import { createEventBus } from '../core/event-bus.ts';
import { joinMessages } from '../core/rules/problems.ts';
import { createClock } from '../system/clock.ts';
import { createHealthRegistry } from '../system/health/health.ts';
import type { LastExit } from '../system/last-run.ts';
import type { Logger } from '../system/log/log.ts';
import type { LogMemory } from '../system/log/log-memory.ts';
import { type MachineIdentity, readMachineIdentity } from '../system/machine-identity.ts';
import { ChangingHardware } from './hardware/hardware-in-force.ts';
import { readPinEntries } from './hardware/pin-entries-file.ts';
import { createHealthReporters } from './monitors/health-reporters.ts';
import { realScheduler } from './scheduler.ts';

/** What the other services are created with. */
export type BaseServices = ReturnType<typeof createBaseServices>;

/** Creates the services that need no hardware, database or network. */
export function createBaseServices(options: {
  readonly config: Config;
  /** Path of the settings file that `config` was read from; null for the demo. */
  readonly settingsFile: string | null;
  readonly log: Logger;
  /** The last lines of the log, for staff. */
  readonly memory: LogMemory;
  /** How the previous run ended; null when that is unknown. */
  readonly lastExit?: LastExit | null;
  /** Default: that of `/etc/machine-id`. */
  readonly identity?: MachineIdentity;
  /** Called at each opening of the database: the file may be a new one. */
  readonly onDatabaseOpened?: () => void;
}) {
  const { config, log, identity = readMachineIdentity() } = options;
  const stored = readPinEntries(config.database);
  const bus = createEventBus((err, { type }) => log.error({ err, event: type }, 'a listener failed'));
  const health = createHealthRegistry((part, problems) =>
    bus.publish({ type: 'health.changed', part, problem: joinMessages(problems) }),
  );
  return {
    ...options,
    identity,
    bus,
    health,
    /** Starts with what the last run had, so that counting needs no database. */
    hardware: new ChangingHardware(mergeHardware(config, stored, readMeterCatalogue(), identity)),
    reporters: createHealthReporters(health, log),
    clock: createClock(),
    scheduler: realScheduler,
  };
}
