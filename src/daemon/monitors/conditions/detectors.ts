import type { Condition } from '../../../core/alarms/condition.ts';
import type { SupplyVoltage } from '../../../core/alarms/supply-voltage.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import type { PartHealth } from '../../../core/health/own-health.ts';
import type { LatestTemperature } from '../../../http/ports.ts';
import { detectOldBackup } from '../../../services/monitors/conditions/backlog-conditions.ts';
import type { Detector } from '../../../services/monitors/conditions/condition.ts';
import { detectWornDisk } from '../../../services/monitors/conditions/disk-conditions.ts';
import { detectLineFlow } from '../../../services/monitors/conditions/flow-conditions.ts';
import { detectHealthProblems } from '../../../services/monitors/conditions/health-conditions.ts';
import {
  detectUndervoltage,
  detectUnsetClock,
} from '../../../services/monitors/conditions/machine-conditions.ts';
import { detectMeterDrift } from '../../../services/monitors/conditions/meter-conditions.ts';
import { detectDryKegs, detectUnusedTaps } from '../../../services/monitors/conditions/tap-conditions.ts';
import {
  detectFastWarming,
  detectWarmTaps,
} from '../../../services/monitors/conditions/temperature-conditions.ts';
import type { NamedDisk } from '../../../services/monitors/disk-readings.ts';

/** What the detectors read besides the database. */
export interface AlarmSources {
  readonly latestTemperatures: () => ReadonlyMap<string, LatestTemperature>;
  readonly health: () => readonly PartHealth[];
  readonly disk: () => NamedDisk | null;
  readonly voltage: Pick<SupplyVoltage, 'state' | 'drops'>;
  /** Time of the newest verified nightly backup, Unix milliseconds; null without one. */
  readonly newestBackupMs: () => number | null;
  /** Conditions of what extensions run in the background. */
  readonly backgroundConditions: (now: Moment) => readonly Condition[];
}

/** Creates the detectors of all kinds of alarms of the base; extensions have their own. */
export const createDetectors = (sources: AlarmSources): readonly Detector[] => [
  detectWarmTaps(sources.latestTemperatures),
  detectFastWarming(sources.latestTemperatures),
  detectDryKegs,
  detectUnusedTaps(),
  detectMeterDrift,
  detectLineFlow(),
  (engine, now) => engine.hooks.alarmConditions(now),
  detectHealthProblems(sources.health),
  detectUndervoltage(sources.voltage),
  detectUnsetClock,
  detectWornDisk(sources.disk),
  detectOldBackup(sources),
  (_, now) => sources.backgroundConditions(now),
];
