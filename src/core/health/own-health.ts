import { joinMessages, type Problem } from './problems.ts';

/**
 * The only place that decides whether this machine is healthy, and in which words programs and people are told: `/healthz`, the
 * status line of systemd, `tapster status`, `tapster doctor`, the installers, and the updater, which reads the answer of another
 * version. The page shows the same problems in its own language.
 */

/** The parts that must work: without them beer would be uncounted, not stored or not shown. */
export const vitalParts = ['counting', 'storing', 'serving'] as const;

export type HealthStatus = 'ok' | 'trouble';

/** The health of one part. */
export interface PartHealth {
  /** `counting`, `storing`, or another part that can fail. */
  readonly name: string;
  /** What does not work and what to do; empty when it works. */
  readonly problems: readonly Problem[];
  /** True when pours are not counted, stored or shown without this part: its failure makes `/healthz` answer 503. */
  readonly vital: boolean;
}

/** The state of all parts. */
export interface HealthReport {
  readonly parts: readonly PartHealth[];
}

/** The answer of `/healthz`. */
export interface HealthAnswer {
  readonly status: 200 | 503;
  readonly body: { readonly status: HealthStatus; readonly parts: Readonly<Record<string, string>> };
}

/** An answer of `/healthz` as another program reads it. */
export interface SeenHealth {
  readonly status: HealthStatus;
  /** Text by part, `ok` for one that works; null where a private site shows them to nobody else. */
  readonly parts: Readonly<Record<string, string>> | null;
  /** The version that answers; null for one that does not say. */
  readonly version: string | null;
  /** Running pours and open valves. */
  readonly pours: number;
}

/** What is said of a part that works. */
const works = 'ok';

export const isVitalPart = (name: string): boolean => (vitalParts as readonly string[]).includes(name);

/** `ok` while every vital part works. */
export const judgeHealth = ({ parts }: HealthReport): HealthStatus =>
  parts.every(({ vital, problems }) => !vital || problems.length === 0) ? 'ok' : 'trouble';

/** 200 while counting, storing and serving work, else 503; each part with its problems in English. */
export function healthAnswer(report: HealthReport): HealthAnswer {
  const status = judgeHealth(report);
  const parts = report.parts.map(({ name, problems }) => [name, joinMessages(problems) ?? works] as const);
  return { status: status === 'ok' ? 200 : 503, body: { status, parts: Object.fromEntries(parts) } };
}

/** Reads an answer of `/healthz`, also of another version; null for what is none. */
export function readHealthAnswer(status: number, body: unknown): SeenHealth | null {
  if (!isRecord(body) || (body.status !== 'ok' && body.status !== 'trouble')) return null;
  return {
    status: status === 200 && body.status === 'ok' ? 'ok' : 'trouble',
    parts: isRecord(body.parts)
      ? Object.fromEntries(Object.entries(body.parts).map(([name, text]) => [name, String(text)]))
      : null,
    version: typeof body.version === 'string' ? body.version : null,
    pours: typeof body.pours === 'number' ? body.pours : 0,
  };
}

/** The parts that do not work, those that must work first. */
export function failingParts(parts: Readonly<Record<string, string>>) {
  const failing = Object.entries(parts)
    .filter(([, text]) => text !== works)
    .map(([name, text]) => ({ name, text, isVital: isVitalPart(name) }));
  return [...failing.filter(({ isVital }) => isVital), ...failing.filter(({ isVital }) => !isVital)];
}

/** The state as a line for a terminal: what works or does not, then what else to look at. `where` says where the page is. */
export function healthLine({ status, parts }: Pick<SeenHealth, 'status' | 'parts'>, where = ''): string {
  const failing = failingParts(parts ?? {});
  const say = (found: typeof failing): string => found.map(({ name, text }) => `${name}: ${text}`).join(' ');
  const page = where === '' ? '' : `; ${where}`;
  if (status === 'ok') {
    const look = failing.length === 0 ? '' : `. Look at ${say(failing)}`;
    return `Counting, storing and serving${page}${look}`;
  }
  const text = failing.length === 0 ? 'See the notices of the page.' : say(failing);
  return `Trouble${page}. ${text}`;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
