import { createProblem, type Problem } from '../../core/rules/problems.ts';

/** The parts that must work: without them beer would be uncounted, not stored or not shown. */
export const vitalParts = ['counting', 'storing', 'serving'] as const;

/** The parts whose health is reported. */
export type HealthPart =
  | (typeof vitalParts)[number]
  | 'https'
  | 'clock'
  | 'sensors'
  | 'toggles'
  | 'valves'
  | 'disk'
  | 'serial'
  | 'backups'
  | 'readers'
  | 'power'
  | 'mail'
  | 'webhooks'
  | 'alarms'
  | 'mqtt'
  | 'menu'
  | 'sales'
  | 'upstream'
  | 'updates';

/** The health of one part. */
interface HealthEntry {
  readonly name: HealthPart;
  /** What does not work and what to do; empty when it works. */
  readonly problems: readonly Problem[];
  /** True when the daemon is not healthy without it. */
  readonly vital: boolean;
}

export interface HealthReport {
  /** `ok` while every vital part works. */
  readonly status: 'ok' | 'trouble';
  readonly parts: readonly HealthEntry[];
}

/** Collects the health of every part for the page, `/healthz` and the doctor. */
export interface HealthRegistry {
  /**
   * Sets the problems of one part; none means that it works. Calls `onChange` only when they differ from before.
   */
  set(part: HealthPart, ...problems: readonly Problem[]): void;
  report(): HealthReport;
}

/** Bound of the problems of one part. */
const maxProblems = 32;

/** Creates the registry. Vital parts have a problem until they first report that they work. */
export function createHealthRegistry(
  onChange: (part: HealthPart, problems: readonly Problem[]) => void = () => {},
): HealthRegistry {
  const parts = new Map<HealthPart, readonly Problem[]>(
    vitalParts.map((part) => [part, [createProblem('not_started', { part })]]),
  );
  return {
    set(part, ...problems) {
      const before = parts.get(part) ?? [];
      const after = problems.slice(0, maxProblems);
      parts.set(part, after);
      if (toText(before) !== toText(after)) onChange(part, after);
    },
    report() {
      const list = [...parts].map(([name, problems]) => ({
        name,
        problems,
        vital: isVital(name),
      }));
      const isOk = list.every(({ vital, problems }) => !vital || problems.length === 0);
      return { status: isOk ? 'ok' : 'trouble', parts: list };
    },
  };
}

const toText = (problems: readonly Problem[]): string => problems.map(({ message }) => message).join('\n');

function isVital(part: HealthPart): boolean {
  return (vitalParts as readonly HealthPart[]).includes(part);
}
