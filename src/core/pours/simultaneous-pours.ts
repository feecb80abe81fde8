import type { Pour, PourStep } from './pour.ts';

/** Bursts a meter may have while another tap's idle time-out is still running. */
const maxSpans = 16;

/** First and last tick, kernel-monotonic milliseconds. */
interface Span {
  readonly firstMonoMs: number;
  lastMonoMs: number;
}

/**
 * Records the activity of all taps. Interference from a switching compressor appears on all GPIO lines at
 * once; two people may start to pour at the same instant, but they do not also stop at the same instant.
 *
 * Pass every step of every meter of a drain before checking the pours that ended in that drain: after a stall
 * one batch may contain the whole burst.
 */
export class SimultaneousPours {
  readonly #simultaneousMs: number;
  /** Newest last; the last one may still be running. */
  readonly #spans = new Map<string, Span[]>();

  /** 0 turns the check off. */
  constructor({ simultaneousMs }: { readonly simultaneousMs: number }) {
    this.#simultaneousMs = simultaneousMs;
  }

  /** Records one step of one meter's tracker; drips count too. */
  observe(meter: string, step: PourStep): void {
    const spans = this.#spans.get(meter) ?? [];
    this.#spans.set(meter, spans);
    const last = spans.at(-1);
    switch (step.kind) {
      case 'started':
        spans.push({ firstMonoMs: step.startedMonoMs, lastMonoMs: step.startedMonoMs });
        break;
      case 'flowing':
        if (last) last.lastMonoMs = step.lastTickMonoMs;
        break;
      default: {
        const span = toSpan(step.kind === 'drip' ? step : step.pour);
        // A pour resumed from the journal ends without a recorded start.
        spans.splice(last?.firstMonoMs === span.firstMonoMs ? -1 : spans.length, 1, span);
      }
    }
    if (spans.length > maxSpans) spans.shift();
  }

  /** Whether another meter's ticks started and stopped with this pour's. */
  isSimultaneous(meter: string, pour: Pick<Pour, 'startedMonoMs' | 'durationMs'>): boolean {
    if (this.#simultaneousMs <= 0) return false;
    const span = toSpan(pour);
    for (const [other, spans] of this.#spans) {
      if (other !== meter && spans.some((one) => this.#coincide(span, one))) return true;
    }
    return false;
  }

  #coincide(a: Span, b: Span): boolean {
    return (
      Math.abs(a.firstMonoMs - b.firstMonoMs) <= this.#simultaneousMs &&
      Math.abs(a.lastMonoMs - b.lastMonoMs) <= this.#simultaneousMs
    );
  }
}

function toSpan({ startedMonoMs, durationMs }: Pick<Pour, 'startedMonoMs' | 'durationMs'>): Span {
  return { firstMonoMs: startedMonoMs, lastMonoMs: startedMonoMs + durationMs };
}
