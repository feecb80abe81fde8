/** Parts without which the house is not open: beer would flow uncounted, unkept or unseen. */
export const vitalParts = ['counting', 'storing', 'serving'] as const;

/** The parts whose health is watched. */
export type HealthPart =
  | (typeof vitalParts)[number]
  | 'clock'
  | 'sensors'
  | 'toggles'
  | 'disk'
  | 'serial'
  | 'backups'
  | 'readers'
  | 'power'
  | 'mail'
  | 'webhooks'
  | 'upstream';

/** How one part is. */
export interface HealthEntry {
  readonly name: HealthPart;
  /** What does not work and what to do, in sentences; null when all is well. */
  readonly problem: string | null;
  /** True when the house is not open without it. */
  readonly vital: boolean;
}

export interface HealthReport {
  /** `ok` while every vital part works. */
  readonly status: 'ok' | 'trouble';
  readonly parts: readonly HealthEntry[];
}

/** Where every part says how it is, and where the page, `/healthz` and the doctor read it. */
export interface HealthRegistry {
  /**
   * Sets what is wrong with one part, in plain sentences; none means well. Tells `onChange` only when it differs from
   * before.
   */
  set(part: HealthPart, ...problems: readonly string[]): void;
  report(): HealthReport;
  /** Every sentence of every part, vital parts first. */
  problems(): readonly string[];
}

/** More sentences than this about one part help nobody. */
const maxProblems = 32;

/** Makes the board. Vital parts are in trouble until they first say that they are well. */
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
