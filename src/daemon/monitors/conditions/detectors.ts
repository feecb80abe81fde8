import type { HealthPart, LatestTemperature } from '../../../http/ports.ts';
import type { Detector } from './condition.ts';
import { detectSilentKegboards } from './controller-conditions.ts';
import { detectHealthProblems } from './health-conditions.ts';
import { detectWarmTaps } from './temperature-conditions.ts';

/** What the detectors read besides the database. */
export interface AlarmSources {
  readonly latestTemperatures: () => ReadonlyMap<string, LatestTemperature>;
  readonly health: () => readonly HealthPart[];
}

/** Creates the detectors of all kinds of alarms. */
export const createDetectors = ({ latestTemperatures, health }: AlarmSources): readonly Detector[] => [
  detectWarmTaps(latestTemperatures),
  detectSilentKegboards,
  detectHealthProblems(health),
];
