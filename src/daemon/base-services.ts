import { mergeHardware } from '../config/merged-hardware.ts';
import { readMeterCatalogue } from '../config/meter-catalogue.ts';
import { createEventBus } from '../core/event-bus.ts';
import { joinMessages } from '../core/health/problems.ts';
import { createMeasuring } from '../core/measurements.ts';
import type { BaseServices } from '../services/base-services.ts';
import { ChangingHardware } from '../services/hardware/hardware-in-force.ts';
import { readPinEntries } from '../services/hardware/pin-entries-file.ts';
import { createHealthReporters } from '../services/monitors/health-reporters.ts';
import { createClock } from '../system/clock.ts';
import { createHealthRegistry } from '../system/health/health.ts';
import { readMachineIdentity } from '../system/machine-identity.ts';
import { realScheduler } from './scheduler.ts';

export type { BaseServices } from '../services/base-services.ts';

/** Creates the services that need no hardware, database or network. The identity is that of `/etc/machine-id` unless given. */
export function createBaseServices(
  options: Pick<
    BaseServices,
    'config' | 'settingsFile' | 'log' | 'memory' | 'lastExit' | 'onDatabaseOpened'
  > &
    Partial<Pick<BaseServices, 'identity'>>,
): BaseServices {
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
    // Starts with what the last run had, so that counting needs no database.
    hardware: new ChangingHardware(mergeHardware(config, stored, readMeterCatalogue(), identity)),
    reporters: createHealthReporters(health, log),
    measuring: createMeasuring(),
    clock: createClock(),
    scheduler: realScheduler,
  };
}
