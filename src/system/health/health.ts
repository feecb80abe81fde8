import {
  type HealthReport as AnyHealthReport,
  type HealthStatus,
  isVitalPart,
  judgeHealth,
  type PartHealth,
  vitalParts,
} from '../../core/health/own-health.ts';
import { createProblem, type Problem } from '../../core/health/problems.ts';

/** The parts of the base whose health is reported. */
type BasePart =
  | (typeof vitalParts)[number]
  | 'https'
  | 'clock'
  | 'sensors'
  | 'toggles'
  | 'valves'
  | 'disk'
  | 'backups'
  | 'readers'
  | 'power'
  | 'mail'
  | 'webhooks'
  | 'alarms'
  | 'updates';

/** A part whose health is reported: one of the base, or the part that an extension declares. */
export type HealthPart = BasePart | (string & {});

export interface HealthReport extends AnyHealthReport {
  readonly status: HealthStatus;
  readonly parts: readonly (PartHealth & { readonly name: HealthPart })[];
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
        vital: isVitalPart(name),
      }));
      return { status: judgeHealth({ parts: list }), parts: list };
    },
  };
}

const toText = (problems: readonly Problem[]): string => problems.map(({ message }) => message).join('\n');
