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
export interface HealthBoard {
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
const mostProblems = 32;

/** Makes the board. Vital parts are in trouble until they first say that they are well. */
export function createHealthBoard(
  onChange: (part: HealthPart, problem: string | null) => void = () => {},
): HealthBoard {
  const parts = new Map<HealthPart, readonly string[]>(
    vitalParts.map((part) => [part, [`${capital(part)} has not started yet.`]]),
  );
  return {
    set(part, ...problems) {
      const before = parts.get(part) ?? [];
      const after = problems.slice(0, mostProblems);
      parts.set(part, after);
      if (before.join('\n') !== after.join('\n')) onChange(part, sentence(after));
    },
    report() {
      const list = [...parts].map(([name, problems]) => ({
        name,
        problem: sentence(problems),
        vital: isVital(name),
      }));
      const isWell = list.every(({ vital, problem }) => !vital || problem === null);
      return { status: isWell ? 'ok' : 'trouble', parts: list };
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

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
