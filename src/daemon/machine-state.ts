import type { MachineState } from '../services/machine-state.ts';
import type { LocalServices } from './services.ts';

/** Collects the state of the machine from its services. */
export const toMachineState = (
  { database, clock, counting, pins, valves, thermo, admin, health }: LocalServices,
  connections: MachineState['connections'],
): MachineState => ({
  engine: database.engine,
  now: clock.now,
  counts: counting.counts,
  meterStatuses: counting.meterStatuses,
  lines: () => pins.input.lines(),
  runningPours: counting.runningPours,
  openValves: valves.open,
  latestTemperatures: () => thermo.latestTemperatures(),
  newestBackupMs: () => admin.backups.state().newestNightlyMs,
  waitingPours: counting.waitingPours,
  journalBytes: counting.journalBytes,
  connections,
  healthParts: () => health.report().parts,
});
