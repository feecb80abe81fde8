import type { Pour, PourStep } from './pour.ts';

/** Bursts a meter may have seen while another tap's silence was still being waited for. */
const maxSpans = 16;

/** First and last tick, kernel-monotonic milliseconds. */
interface Span {
  readonly firstMonoMs: number;
  lastMonoMs: number;
}

/**
 * Remembers what the other taps did. A switching compressor is seen on all lines at once; two people may well start
 * to pour in the same instant, but they do not also stop in it.
 *
 * Tell it every step of every meter of a drain before asking about the pours that ended in that drain: after a stall one
 * batch may hold the whole burst.
 */
export class SimultaneousPours {
  readonly #simultaneousMs: number;
  /** Newest last; the last one may still run. */
  readonly #spans = new Map<string, Span[]>();

  /** 0 switches the judgement off. */
  constructor({ simultaneousMs }: { readonly simultaneousMs: number }) {
    this.#simultaneousMs = simultaneousMs;
  }

  /** Takes note of one step of one meter's tracker; drips are company too. */
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
        // A pour reopened from the journal ends without having been seen to start.
        spans.splice(last?.firstMonoMs === span.firstMonoMs ? -1 : spans.length, 1, span);
      }
    }
    if (spans.length > maxSpans) spans.shift();
  }

  /** Whether another meter's ticks began and ended with this pour's. */
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
