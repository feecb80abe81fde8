import type { Moment } from '../../core/clock/moment.ts';
import { createProblem, type Problem } from '../../core/health/problems.ts';
import type { Unreadable } from '../../devices/readers/token-reader.ts';

/** What a reader has sent since the start that is no card. */
export interface UnreadableStatus extends Unreadable {
  /** Unix milliseconds of the latest; null without one. */
  readonly timeMs: number | null;
}

/** A reader is healthy again after this time without unreadable texts. */
const problemMs = 3_600_000;

/** The problem keeps its time for so long. */
const sameTimeMs = 600_000;

interface Seen extends UnreadableStatus {
  readonly timeMs: number;
  readonly monoMs: number;
}

type ToProblem = (name: string, facts: { readonly count: number; readonly time: string }) => Problem;

/** The unreadable texts of readers or boards, with their times. */
export class UnreadableTexts {
  readonly #toProblem: ToProblem;
  readonly #readers = new Map<string, Seen>();
  /** What the problem of each reader says. */
  readonly #shown = new Map<string, Omit<Seen, 'text'>>();

  constructor(
    toProblem: ToProblem = (path, facts) => createProblem('reader_unreadable', { path, ...facts }),
  ) {
    this.#toProblem = toProblem;
  }

  /** Records the present count of a reader. */
  note(reader: string, { count, text }: Unreadable, now: Moment): void {
    if (count === (this.#readers.get(reader)?.count ?? 0)) return;
    this.#readers.set(reader, { count, text, timeMs: Math.round(now.wallMs), monoMs: now.monoMs });
  }

  of(reader: string): UnreadableStatus {
    const { count, text, timeMs } = this.#readers.get(reader) ?? { count: 0, text: null, timeMs: null };
    return { count, text, timeMs };
  }

  /** The problem of a reader that sent unreadable texts in the last hour. Its count is rounded, since each change is logged. */
  findProblem(reader: string, nowMonoMs: number): Problem | null {
    const seen = this.#readers.get(reader);
    if (seen === undefined || nowMonoMs - seen.monoMs > problemMs) return null;
    const shown = this.#shown.get(reader);
    const count = roundedDown(seen.count);
    const isShown = shown?.count === count && seen.monoMs - shown.monoMs < sameTimeMs;
    const { monoMs, timeMs } = isShown ? shown : seen;
    this.#shown.set(reader, { count, monoMs, timeMs });
    const time = `${new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    return this.#toProblem(reader, { count, time });
  }
}

/** 1, 2, 5, 10, 20, 50 and so on. */
function roundedDown(count: number): number {
  const power = 10 ** Math.floor(Math.log10(count));
  return power * (count >= 5 * power ? 5 : count >= 2 * power ? 2 : 1);
}
