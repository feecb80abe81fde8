/** The parts that must work: without them beer would be uncounted, not stored or not shown. */
const vitalParts = ['counting', 'storing', 'serving'] as const;

/** The parts whose health is reported. */
export type HealthPart =
  | (typeof vitalParts)[number]
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
  | 'upstream';

/** The health of one part. */
interface HealthEntry {
  readonly name: HealthPart;
  /** What does not work and what to do, in sentences; null without a problem. */
  readonly problem: string | null;
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
   * Sets the problems of one part as sentences; none means that it works. Calls `onChange` only when they
   * differ from before.
   */
  set(part: HealthPart, ...problems: readonly string[]): void;
  report(): HealthReport;
  /** The problems of all parts, vital parts first. */
  problems(): readonly string[];
}

/** Bound of the problems of one part. */
const maxProblems = 32;

/** Creates the registry. Vital parts have a problem until they first report that they work. */
export function createHealthRegistry(
  onChange: (part: HealthPart, problem: string | null) => void = () => {},
): HealthRegistry {
  const parts = new Map<HealthPart, readonly string[]>(
    vitalParts.map((part) => [part, [`${capitalize(part)} has not started yet.`]]),
  );
  return {
    set(part, ...problems) {
      const before = parts.get(part) ?? [];
      const after = problems.slice(0, maxProblems);
      parts.set(part, after);
      if (before.join('\n') !== after.join('\n')) onChange(part, sentence(after));
    },
    report() {
      const list = [...parts].map(([name, problems]) => ({
        name,
        problem: sentence(problems),
        vital: isVital(name),
      }));
      const isOk = list.every(({ vital, problem }) => !vital || problem === null);
      return { status: isOk ? 'ok' : 'trouble', parts: list };
    },
    problems: () => [...parts.values()].flat(),
  };
}

function sentence(problems: readonly string[]): string | null {
  return problems.length === 0 ? null : problems.join(' ');
}

function isVital(part: HealthPart): boolean {
  return (vitalParts as readonly HealthPart[]).includes(part);
}

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
