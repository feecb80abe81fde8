/** Parts without which the house is not open: beer would flow uncounted, unkept or unseen. */
export const essentialParts = ['counting', 'storing', 'serving'] as const;

/** The parts whose health is watched. */
export type HealthPart = (typeof essentialParts)[number] | 'clock' | 'sensors' | 'toggles' | 'disk';

export interface HealthReport {
  /** `ok` while every essential part works. */
  readonly status: 'ok' | 'trouble';
  /** One entry a part; no problems means well. */
  readonly parts: readonly {
    readonly part: HealthPart;
    readonly essential: boolean;
    readonly problems: readonly string[];
  }[];
}

/** Where every part says how it is, and where the page, `/healthz` and the doctor read it. */
export interface HealthBoard {
  /**
   * Sets what is wrong with one part, in plain sentences; none means well. Tells `onChange` only when it differs from
   * before.
   */
  set(part: HealthPart, ...problems: readonly string[]): void;
  report(): HealthReport;
  /** Every sentence of every part, essential parts first. */
  problems(): readonly string[];
}

/** More sentences than this about one part help nobody. */
const mostProblems = 32;

/** Makes the board. Essential parts are in trouble until they first say that they are well. */
export function createHealthBoard(
  onChange: (part: HealthPart, problem: string | null) => void = () => {},
): HealthBoard {
  const parts = new Map<HealthPart, readonly string[]>(
    essentialParts.map((part) => [part, [`${capital(part)} has not started yet.`]]),
  );
  return {
    set(part, ...problems) {
      const before = parts.get(part) ?? [];
      const after = problems.slice(0, mostProblems);
      parts.set(part, after);
      if (before.join('\n') !== after.join('\n')) onChange(part, after.length === 0 ? null : after.join(' '));
    },
    report() {
      const list = [...parts].map(([part, problems]) => ({ part, essential: isEssential(part), problems }));
      const isWell = list.every(({ essential, problems }) => !essential || problems.length === 0);
      return { status: isWell ? 'ok' : 'trouble', parts: list };
    },
    problems: () => [...parts.values()].flat(),
  };
}

function isEssential(part: HealthPart): boolean {
  return (essentialParts as readonly HealthPart[]).includes(part);
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
