import type { PartHealth } from '../../../core/health/own-health.ts';
import { type Condition, type Detector, minuteMs } from './condition.ts';

/** A problem must last this long to raise an alarm: shorter ones are over before anybody could act. */
const problemDelayMs = 2 * minuteMs;

/** Parts whose problems raise an alarm; the others have alarms of their own or are shown on the page only. */
const alarmedParts: readonly string[] = [
  'counting',
  'storing',
  'disk',
  'power',
  'backups',
  'valves',
  'updates',
];
/** Parts whose problems raise an alarm at once: beer runs meanwhile. */
const urgentParts: readonly string[] = ['valves'];

/** Problems with an alarm of their own. */
const excludedProblems: readonly string[] = ['low_voltage', 'low_voltage_advice'];

/** The problems of the daemon's parts. */
export const detectHealthProblems =
  (health: () => readonly PartHealth[]): Detector =>
  () => {
    const parts = new Map(health().map((part) => [part.name as string, part]));
    return alarmedParts.map((name): Condition => {
      const part = parts.get(name);
      const problems = part?.problems.filter(({ code }) => !excludedProblems.includes(code)) ?? [];
      return {
        kind: 'system_problem',
        subject: name,
        // After a restart a part has no health until its first report.
        state: part === undefined ? 'unknown' : problems.length === 0 ? 'good' : 'bad',
        lastsMs: urgentParts.includes(name) ? 0 : problemDelayMs,
        values: { part: name, problems },
      };
    });
  };
