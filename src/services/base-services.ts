import type { Config } from '../config/schema.ts';
import type { EventBus } from '../core/event-bus.ts';
import type { Measuring } from '../core/measurements.ts';
import type { Scheduler } from '../http/ports.ts';
import type { createClock } from '../system/clock.ts';
import type { HealthRegistry } from '../system/health/health.ts';
import type { LastExit } from '../system/last-run.ts';
import type { Logger } from '../system/log/log.ts';
import type { LogMemory } from '../system/log/log-memory.ts';
import type { MachineIdentity } from '../system/machine-identity.ts';
import type { ChangingHardware } from './hardware/hardware-in-force.ts';
import type { HealthReporters } from './monitors/health-reporters.ts';

/** What the services are created with: it needs no hardware, database or network. Each names what it takes of it. */
export interface BaseServices {
  readonly config: Config;
  /** Path of the settings file that `config` was read from; null for the demo. */
  readonly settingsFile: string | null;
  readonly log: Logger;
  /** The last lines of the log, for staff. */
  readonly memory: LogMemory;
  /** How the previous run ended; null when that is unknown. */
  readonly lastExit?: LastExit | null;
  readonly identity: MachineIdentity;
  /** Called at each opening of the database: the file may be a new one. */
  readonly onDatabaseOpened?: () => void;
  readonly bus: EventBus;
  readonly health: HealthRegistry;
  /** Meters and relays in force. */
  readonly hardware: ChangingHardware;
  readonly reporters: HealthReporters;
  /** Told of the base's own work while something measures it. */
  readonly measuring: Measuring;
  readonly clock: ReturnType<typeof createClock>;
  readonly scheduler: Scheduler;
}
