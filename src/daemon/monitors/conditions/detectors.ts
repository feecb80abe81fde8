import type { SupplyVoltage } from '../../../core/alarms/supply-voltage.ts';
import type { PartHealth } from '../../../core/rules/own-health.ts';
import type { LatestTemperature } from '../../../http/ports.ts';
import type { NamedDisk } from '../disk-readings.ts';
import { detectOldBackup, detectUpstreamBacklog } from './backlog-conditions.ts';
import { detectDueCleanings, detectUnfinishedCleanings } from './cleaning-conditions.ts';
import type { Detector } from './condition.ts';
import { detectSilentKegboards } from './controller-conditions.ts';
import { detectWornDisk } from './disk-conditions.ts';
import { detectLineFlow } from './flow-conditions.ts';
import { detectHealthProblems } from './health-conditions.ts';
import { detectOldKegs } from './keg-conditions.ts';
import { detectUndervoltage, detectUnsetClock } from './machine-conditions.ts';
import { detectMeterDrift } from './meter-conditions.ts';
import { detectBalance } from './sales-conditions.ts';
import { detectScaleFindings } from './scale-conditions.ts';
import { detectDryKegs, detectUnusedTaps } from './tap-conditions.ts';
import { detectFastWarming, detectWarmTaps } from './temperature-conditions.ts';

/** What the detectors read besides the database. */
export interface AlarmSources {
  readonly latestTemperatures: () => ReadonlyMap<string, LatestTemperature>;
  readonly health: () => readonly PartHealth[];
  readonly disk: () => NamedDisk | null;
  readonly voltage: Pick<SupplyVoltage, 'state' | 'drops'>;
  /** Time of the newest verified nightly backup, Unix milliseconds; null without one. */
  readonly newestBackupMs: () => number | null;
  /** Host of the upstream server; null without one. */
  readonly upstreamServer: string | null;
}

/** Creates the detectors of all kinds of alarms. */
export const createDetectors = (sources: AlarmSources): readonly Detector[] => [
  detectWarmTaps(sources.latestTemperatures),
  detectFastWarming(sources.latestTemperatures),
  detectDryKegs,
  detectOldKegs,
  detectUnusedTaps(),
  detectScaleFindings,
  detectMeterDrift,
  detectLineFlow(),
  detectDueCleanings,
  detectUnfinishedCleanings,
  detectBalance(),
  detectSilentKegboards,
  detectHealthProblems(sources.health),
  detectUndervoltage(sources.voltage),
  detectUnsetClock,
  detectWornDisk(sources.disk),
  detectOldBackup(sources),
  detectUpstreamBacklog(sources.upstreamServer),
];
