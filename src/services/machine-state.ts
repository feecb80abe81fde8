import type { Moment } from '../core/clock/moment.ts';
import type { LineState } from '../devices/device-interfaces.ts';
import type { MeterCounts } from '../devices/meter-feed.ts';
import type { Engine } from '../engine/engine.ts';
import type { LatestTemperature, MeterStatus, OpenValve, RunningPour } from '../http/ports.ts';
import type { HealthRegistry } from '../system/health/health.ts';

/** The present state of the machine and its parts, all of it in memory, for what shows or reports it. Reads only. */
export interface MachineState {
  /** Null while the database is closed. */
  engine(): Engine | null;
  now(): Moment;
  /** What the meters of this machine have counted. */
  counts(): readonly MeterCounts[];
  meterStatuses(): readonly MeterStatus[];
  /** Lines of the pins. */
  lines(): readonly LineState[];
  runningPours(): ReadonlyMap<string, RunningPour>;
  openValves(): readonly OpenValve[];
  latestTemperatures(): ReadonlyMap<string, LatestTemperature>;
  /** Time of the newest nightly backup, Unix milliseconds; null if none is known. */
  newestBackupMs(): number | null;
  /** Number of ended pours that the database has not taken yet. */
  waitingPours(): number;
  /** Bytes written to the pour journal. */
  journalBytes(): number;
  /** Whether the server is connected that an extension keeps a connection to, by the name of the extension. */
  connections(): ReadonlyMap<string, boolean>;
  /** The parts of the machine with their problems. */
  healthParts(): ReturnType<HealthRegistry['report']>['parts'];
}
